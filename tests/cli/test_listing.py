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


def test_a_case_that_was_nearly_named_is_offered(shell: Shell, write_set: WriteSet) -> None:
    write_set(case("usd_to_eur"), case("eur_to_usd"), case("weather"))
    for command in ("list", "run"):
        done = shell(command, "--case", "eur")
        assert "no case matches --case eur (did you mean usd_to_eur or eur_to_usd?)\n" in done.err
    assert "(did you mean weather?)" in shell("list", "--case", "wether").err
    assert "did you mean" not in shell("list", "--case", "eur_to_usd", "--tag", "nope").err


def test_a_file_that_is_no_eval_set_is_told_in_one_line(shell: Shell, project: Path) -> None:
    (project / "agent.py").write_text("def agent(messages): ...\n")
    done = shell("run", "agent.py")
    assert done.code == 2
    assert len(done.err.splitlines()) == 1
    assert "agent.py: no eval set: write get_eval_set()" in done.err
