"""What the settings say holds for `run` and `list` where neither flag nor eval set says it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.config import CriteriaConfig, CriterionConfig, EvalConfig
from tests.cli.conftest import Shell, WriteSet, case

CI = EvalConfig(criteria=CriteriaConfig(rouge_match=CriterionConfig.rouge_match(threshold=0.1)))


@pytest.fixture
def settings(project: Path) -> Path:
    return project / "tenxgraph-tui.toml"


def test_a_target_for_sets_that_name_none(
    shell: Shell, write_set: WriteSet, settings: Path
) -> None:
    write_set(case("a"), name="homeless", target=None)
    write_set(case("a"), name="at_home", target="agents.py:noisy")
    settings.write_text('target = "agents.py:echo"\n')
    done = shell("list")
    assert done.code == 0
    assert "target agents.py:echo" in done.out
    assert "target agents.py:noisy" in done.out
    assert shell("run").code == 0


def test_a_target_goes_from_the_project_wherever_the_command_is_given(
    shell: Shell, write_set: WriteSet, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_set(case("a"), target=None)
    settings.write_text('target = "agents.py:echo"\n')
    (settings.parent / "deep").mkdir()
    monkeypatch.chdir(settings.parent / "deep")
    assert shell("run", "..").code == 0


def test_a_target_may_lie_outside_of_the_project(
    shell: Shell, write_set: WriteSet, settings: Path
) -> None:
    inner = settings.parent / "evals"
    inner.mkdir()
    write_set(case("a"), target=None).rename(inner / "basic.evalset.json")
    (inner / "tenxgraph-tui.toml").write_text('target = "../agents.py:echo"\n')
    assert shell("run", "evals").code == 0


@pytest.mark.parametrize(
    ("own", "said", "flags", "name"),
    [
        pytest.param(
            None, 'preset = "quick_check"', [], "quick_check (tenxgraph-tui.toml)", id="p"
        ),
        pytest.param(None, 'config = "ci.json"', [], "ci.json (tenxgraph-tui.toml)", id="a file"),
        pytest.param(
            "tool_usage", 'preset = "quick_check"', [], "tool_usage (basic.evalset.json)", id="own"
        ),
        pytest.param(
            None, 'config = "ci.json"', ["--preset", "offline"], "offline (--preset)", id="flag"
        ),
        pytest.param(None, "", [], "offline (default)", id="nobody said anything"),
    ],
)
def test_the_config_is_the_flags_or_the_sets_or_the_settings(
    shell: Shell,
    write_set: WriteSet,
    settings: Path,
    own: str | None,
    said: str,
    flags: list[str],
    name: str,
) -> None:
    CI.to_file("ci.json")
    write_set(case("a"), **({"config": own} if own else {}))
    settings.write_text(said)
    assert f"config {name}\n" in shell("list", *flags).out


def test_a_variable_names_itself(
    shell: Shell, write_set: WriteSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_set(case("a"))
    monkeypatch.setenv("TENXGRAPH_TUI_PRESET", "quick_check")
    assert "config quick_check (TENXGRAPH_TUI_PRESET)" in shell("list").out


def test_a_report_says_where_its_config_came_from(
    shell: Shell, write_set: WriteSet, settings: Path
) -> None:
    write_set(case("a"))
    settings.write_text(
        'preset = "quick_check"\nreport = ["json"]\noutput_dir = "out"\ntimestamp_files = false\n'
    )
    done = shell("run")
    assert done.code == 0
    assert "wrote out/basic.json" in done.err
    report = json.loads(Path("out/basic.json").read_text())
    assert "quick_check (tenxgraph-tui.toml)" in json.dumps(report["metadata"])


def test_reports_go_below_the_project_and_those_of_flags_here(
    shell: Shell, write_set: WriteSet, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_set(case("a"))
    settings.write_text('report = ["json"]\noutput_dir = "out"\n')
    here = settings.parent / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    shell("run", "..")
    assert len(list((settings.parent / "out").glob("*.json"))) == 1
    shell("run", "..", "--output-dir", "mine", "--report", "markdown")
    assert [path.suffix for path in (here / "mine").iterdir()] == [".md"]


def test_reports_of_the_settings_are_unsaid_by_none(
    shell: Shell, write_set: WriteSet, settings: Path
) -> None:
    write_set(case("a"))
    settings.write_text('report = ["json"]\noutput_dir = "out"\n')
    done = shell("run", "--report", "none")
    assert done.code == 0
    assert "wrote" not in done.err
    assert not Path("out").exists()


def test_the_threshold_decides_the_exit_code(
    shell: Shell, write_set: WriteSet, settings: Path
) -> None:
    write_set(case("a"), case("b", "something else"))
    settings.write_text("threshold = 0.5\n")
    assert shell("run").code == 0
    assert shell("run", "--threshold", "0.9").code == 1


def test_a_case_may_take_as_long_as_the_settings_say(
    shell: Shell, write_set: WriteSet, settings: Path
) -> None:
    write_set(case("a"), target="agents.py:sleepy")
    with Path("agents.py").open("a") as agents:
        agents.write("\nimport asyncio\nasync def sleepy(messages):\n    await asyncio.sleep(60)\n")
    settings.write_text("timeout = 0.2\n")
    done = shell("run")
    assert done.code == 3
    assert "0.2" in done.out


def test_paths_say_where_to_look(shell: Shell, write_set: WriteSet, settings: Path) -> None:
    write_set(case("here"))
    evals = settings.parent / "evals"
    evals.mkdir()
    write_set(case("there"), name="other").rename(evals / "other.evalset.json")
    Path("agents.py").rename(evals / "agents.py")
    settings.write_text('paths = ["evals"]\n')
    done = shell("list")
    assert "there" in done.out
    assert "here" not in done.out.replace("there", "")
    settings.write_text('paths = ["gone"]\n')
    done = shell("list")
    assert done.code == 4
    assert "tenxgraph-tui.toml:1: paths: there is no file or folder" in done.err


@pytest.mark.parametrize("command", ["run", "list", "doctor"])
def test_a_mistake_in_the_settings_stops_a_command_with_one_line(
    shell: Shell, write_set: WriteSet, settings: Path, command: str
) -> None:
    write_set(case("a"))
    settings.write_text("\ntimeot = 3\n")
    done = shell(command)
    assert done.code == 4
    told = "tenxgraph-tui.toml:2: unknown key 'timeot': did you mean 'timeout'?"
    assert told in done.out + done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("command", ["run", "list"])
def test_what_has_no_effect_is_a_warning(
    shell: Shell, write_set: WriteSet, settings: Path, command: str
) -> None:
    write_set(case("a"))
    settings.write_text("lasagne = 3\n")
    done = shell(command)
    assert done.code == 0
    assert "warning: tenxgraph-tui.toml:1: unknown key 'lasagne': it has no effect" in done.err


@pytest.mark.parametrize(
    ("said", "told", "code"),
    [
        pytest.param(
            'target = "gone.py:a"',
            "tenxgraph-tui.toml line 1: target gone.py:a: there is",
            5,
            id="t",
        ),
        pytest.param(
            'target = "agents.py:echo"\nconfig = "gone.json"',
            "tenxgraph-tui.toml: config: ",
            2,
            id="c",
        ),
    ],
)
def test_what_the_settings_name_and_is_not_there_is_told_with_its_place(
    shell: Shell, write_set: WriteSet, settings: Path, said: str, told: str, code: int
) -> None:
    write_set(case("a"), target=None)
    settings.write_text(said)
    done = shell("run")
    assert told in done.err
    assert done.code == code


ASKING = """
import os

KEY = os.environ.get("AGENT_KEY", "no key")

def agent(messages):
    return KEY
"""


def test_agents_find_what_the_env_file_sets(
    shell: Shell, write_set: WriteSet, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "environ", os.environ.copy())
    (settings.parent / "asking.py").write_text(ASKING)
    (settings.parent / ".env").write_text("AGENT_KEY=sesame\n")
    write_set(case("a", "sesame"), target="asking.py:agent")
    settings.write_text('env_file = ".env"\n')
    assert shell("run").code == 0


def test_an_env_file_that_is_not_there_is_told_and_one_that_is_wrong_stops_the_run(
    shell: Shell, write_set: WriteSet, settings: Path
) -> None:
    write_set(case("a"))
    settings.write_text('env_file = ".env"\n')
    done = shell("run")
    assert done.code == 0
    assert "warning: env_file: there is no file" in done.err
    (settings.parent / ".env").write_text("A=1\nno line\n")
    done = shell("run")
    assert done.code == 4
    assert ".env:2: this is no line like NAME=value" in done.err
