"""`list` says what would be run, and runs nothing."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Shell, WriteSet, case


def test_sets_with_their_target_config_cases_and_tags(shell: Shell, write_set: WriteSet) -> None:
    write_set(
        case("a", name="First", tags=["smoke", "asia"]),
        case("b", metadata={"skip": "later"}),
    )
    done = shell("list")
    assert done.code == 0
    assert done.out.splitlines() == [
        "basic  basic.evalset.json",
        "  target agents.py:echo, config offline (default)",
        "  a  First  [smoke, asia]",
        "  b  (skipped: later)",
        "  2 cases",
        "",
    ]


def test_no_code_is_run(shell: Shell, write_set: WriteSet, project: Path) -> None:
    write_set(case("a"))
    (project / "agents.py").write_text("raise SystemExit(7)")
    assert shell("list").code == 0
    assert not (project / ".tenxgraph-tui").exists()


def test_flags_select_as_for_run(shell: Shell, write_set: WriteSet) -> None:
    write_set(case("tokyo", tags=["asia"]), case("oslo"))
    done = shell("list", "--tag", "asia", "--preset", "tool_usage", "--target", "agents.py:noisy")
    assert "target agents.py:noisy, config tool_usage (--preset)" in done.out
    assert "tokyo" in done.out
    assert "oslo" not in done.out


def test_what_is_wrong_does_not_hide_the_rest(
    shell: Shell, write_set: WriteSet, project: Path
) -> None:
    write_set(case("a"), name="good")
    write_set(case("a"), name="homeless", target=None)
    write_set(case("a"), name="judged", config="default")
    (project / "torn.evalset.json").write_text("{")
    done = shell("list")
    assert done.code == 5
    assert "target agents.py:echo, config offline (default)" in done.out
    assert "target ?, config offline (default)" in done.out
    assert "homeless.evalset.json: no target" in done.err
    assert "set GEMINI_API_KEY or GOOGLE_API_KEY: response_match needs a model" in done.err
    assert "torn.evalset.json" in done.err


def test_nothing_selected_is_what_run_would_say(shell: Shell, write_set: WriteSet) -> None:
    write_set(case("a"))
    done = shell("list", "--case", "x*")
    assert done.code == 3
    assert done.err == "no case matches --case x*\n"
