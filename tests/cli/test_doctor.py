"""`doctor` tells what is there and what is wrong, whatever is wrong."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tenxgraph_tui import __version__
from tenxgraph_tui.cli import abilities, checkup
from tenxgraph_tui.session import interpreter
from tests.cli.conftest import Shell, WriteSet, case

ROOT = Path(__file__).parents[2]


def rows(text: str) -> dict[str, str]:
    """The value of each line that has a name and a value."""
    cells = (line.strip().split("  ", 1) for line in text.splitlines() if line.startswith("  "))
    return {cell[0]: cell[1].strip() for cell in cells if len(cell) == len(("name", "value"))}


def test_a_project_in_order(shell: Shell, write_set: WriteSet, project: Path) -> None:
    write_set(case("a"), case("b"))
    shell("run")
    done = shell("doctor")
    told = rows(done.out)
    assert done.code == 0
    assert told["tenxgraph-tui"] == __version__
    assert sys.executable in told["Python"]
    assert told["root"] == f"{project}  (tenxgraph-tui.toml)"
    assert told["settings"] == "none: everything is as it comes"
    assert told["run store"].startswith(".tenxgraph-tui/runs.db  1 run, ")
    assert told["agents run with"].endswith("(this program's)")
    assert told["eval sets"] == "1 set, 2 cases"
    assert "none was found" in done.out
    assert done.err == ""


def test_it_tells_which_targets_can_be_evaluated_and_what_others_need(
    shell: Shell, write_set: WriteSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_set(case("a"))
    monkeypatch.setattr(
        interpreter, "find_spec", lambda name: None if name == "jmespath" else object()
    )
    told = rows(shell("doctor").out)
    assert told["Python functions"] == told["graphs of LangGraph"] == "usable"
    remedy = f"{sys.executable} -m pip install 'tenxgraph-tui[http]'"
    assert told["agents behind HTTP"] == f"jmespath missing: {remedy}"


def test_targets_are_judged_by_what_the_interpreter_of_the_agents_has(
    shell: Shell, write_set: WriteSet, tmp_path: Path
) -> None:
    write_set(case("a"))
    python = tmp_path / "python"
    has = '[[3, 12], ["tenxgraph", "pydantic", "rich", "litellm", "httpx"]]'
    python.write_text(f"#!/bin/sh\necho '{has}'\n")
    python.chmod(0o755)
    done = shell("doctor", "--python", str(python))
    told = rows(done.out)
    assert told["graphs of 10xGraph"] == told["models"] == "usable"
    remedy = f"{python} -m pip install 'tenxgraph-tui[langgraph]'"
    assert told["graphs of LangGraph"] == f"langgraph missing: {remedy}"
    assert told["agents run with"] == f"{python}  (--python)"
    lacks = "rouge_score, jinja2, dotenv, tenacity, json5 missing for agents"
    assert f"  {lacks}: {python} -m pip install tenxgraph-tui" in done.out
    assert done.code == 3


def test_an_interpreter_that_says_nothing_of_use_is_told(
    shell: Shell, write_set: WriteSet, tmp_path: Path
) -> None:
    write_set(case("a"))
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho hello\n")
    python.chmod(0o755)
    done = shell("doctor", "--python", str(python))
    assert f"  {python} does not say what is installed there" in done.out
    assert done.code == 3


def test_everything_that_is_wrong_is_told_at_once(
    shell: Shell, write_set: WriteSet, project: Path
) -> None:
    write_set(case("a"), target="gone.py:agent")
    (project / "torn.evalset.json").write_text("{")
    (project / "tenxgraph-tui.toml").write_text('lasagne = 1\npython = "nobody"\n')
    (project / ".tenxgraph-tui").mkdir()
    (project / ".tenxgraph-tui" / "runs.db").write_text("this is no store, whatever it is called")
    done = shell("doctor")
    assert done.code == 5
    warnings, problems = done.out.partition("\nwarnings\n")[2].split("\nproblems\n")
    assert "unknown key 'lasagne'" in warnings
    assert "torn.evalset.json:1" in problems
    assert "there is no file" in problems
    assert "tenxgraph-tui.toml line 2: python nobody: there is no such program" in problems
    assert "runs.db" in problems
    assert rows(done.out)["eval sets"] == "1 set, 1 case, 1 file cannot be read"


def test_settings_that_cannot_be_read_do_not_hide_the_rest(
    shell: Shell, write_set: WriteSet, project: Path
) -> None:
    write_set(case("a"))
    (project / "tenxgraph-tui.toml").write_text("timeout = \n")
    done = shell("doctor")
    assert done.code == 4
    assert rows(done.out)["settings"] == "cannot be read"
    assert rows(done.out)["eval sets"] == "1 set, 1 case"
    assert "tenxgraph-tui.toml:1:11: no TOML" in done.out


def test_a_target_and_a_config_in_the_settings_are_looked_at_though_no_set_needs_them(
    shell: Shell, write_set: WriteSet, project: Path
) -> None:
    write_set(case("a"), config="offline")
    (project / "tenxgraph-tui.toml").write_text('target = "x.py:a"\nconfig = "gone.json"\n')
    done = shell("doctor")
    assert done.code == 5
    assert "tenxgraph-tui.toml line 1: target x.py:a: there is no file" in done.out
    assert "gone.json: there is no such config file" in done.out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param('theme = "tenx-drak"', "tenx-dark", id="a theme"),
        pytest.param('keys = {"run.strat" = "f5"}', "did you mean 'run.start'?", id="an action"),
        pytest.param('keys = {"run.start" = "nokey"}', "nokey", id="a key"),
    ],
)
def test_what_the_dashboard_would_refuse_is_told_here(
    shell: Shell, project: Path, text: str, told: str
) -> None:
    (project / "tenxgraph-tui.toml").write_text(text)
    done = shell("doctor")
    assert done.code == 4
    assert told in done.out.partition("\nproblems\n")[2]


def test_a_folder_without_eval_sets_is_no_error(shell: Shell, project: Path) -> None:
    done = shell("doctor")
    assert done.code == 0
    assert rows(done.out)["eval sets"] == "0 sets, 0 cases"


def test_every_package_that_is_needed_is_looked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = {re.split(r"[^\w-]", dependency)[0] for dependency in project["dependencies"]}
    assert set(checkup.NEEDED) == needed
    modules = {name.removeprefix("python-").replace("-", "_") for name in needed}
    assert {*abilities.NEEDED, *abilities.OF_THE_DASHBOARD} == modules


def test_a_package_that_is_missing_is_told_with_its_cure(
    shell: Shell, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkup, "NEEDED", ("no-such-package",))
    done = shell("doctor")
    assert done.code == 3
    assert f"{sys.executable} -m pip install no-such-package" in done.out


def test_what_marks_no_project_is_said(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "nothing marks a project" in shell("doctor").out


def test_keys_are_told_by_name_alone(
    shell: Shell, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-sesame")
    (project / "tenxgraph-tui.toml").write_text('env_file = ".env"\n')
    (project / ".env").write_text("GEMINI_API_KEY=open\nOPENAI_API_KEY=other\n")
    for done in (shell("doctor"), shell("doctor", "--json"), shell("doctor", "--settings")):
        assert "sesame" not in done.out
        assert "=open" not in done.out
    told = rows(shell("doctor").out)
    assert "GEMINI_API_KEY" in told["model keys"]
    assert "OPENAI_API_KEY" in told["model keys"]
    assert told["env_file"] == ".env  1 variable more"


def test_every_setting_with_its_value_and_where_it_came_from(
    shell: Shell, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "tenxgraph-tui.toml").write_text('timeout = 30\n[keys]\n"run.start" = "f5"\n')
    monkeypatch.setenv("TENXGRAPH_TUI_REPORT", "json,html")
    done = shell("doctor", "--settings")
    assert done.code == 0
    told = {line.split()[0]: line for line in done.out.splitlines()}
    assert told["timeout"].split()[1:] == ["30", "tenxgraph-tui.toml", "line", "1"]
    assert told["report"].split()[1:] == ["json,", "html", "TENXGRAPH_TUI_REPORT"]
    assert told["threshold"].split()[1:] == ["1", "default"]
    assert "run.start = f5" in told["keys"]
    begins = {line.index(word) for line, word in ((told["timeout"], "30"), (told["theme"], "–"))}
    assert len(begins) == 1


def test_settings_that_are_wrong_are_told_instead(shell: Shell, project: Path) -> None:
    (project / "tenxgraph-tui.toml").write_text("timeot = 30\n")
    done = shell("doctor", "--settings")
    assert (done.code, done.out) == (4, "")
    assert "did you mean 'timeout'?" in done.err


def test_all_of_it_for_programs(shell: Shell, write_set: WriteSet, project: Path) -> None:
    write_set(case("a"), target="gone.py:a")
    (project / "tenxgraph-tui.toml").write_text("threshold = 0.5\n")
    done = shell("doctor", "--json")
    told = json.loads(done.out)
    assert done.code == 5
    assert told["project"]["eval sets"] == "1 set, 1 case"
    assert told["settings"]["threshold"]["value"] == 0.5
    assert told["settings"]["threshold"]["from"] == "tenxgraph-tui.toml line 1"
    assert told["settings"]["threshold"]["layer"] == "project file"
    assert [problem["exit_code"] for problem in told["problems"]] == [5]


def test_control_characters_in_names_are_shown_not_obeyed(shell: Shell, project: Path) -> None:
    (project / "tenxgraph-tui.toml").write_text('theme = "a\\u001b[2Jb"\n')
    done = shell("doctor", "--settings")
    assert "\x1b" not in done.out
    assert "[2Jb" in done.out


def test_a_terminal_without_unicode_gets_its_signs(project: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tenxgraph_tui", "doctor", "--settings"],
        capture_output=True,
        check=True,
        env={"PYTHONIOENCODING": "ascii", "PATH": ""},
    )
    assert done.stdout.isascii()


def test_it_starts_without_the_interface() -> None:
    probe = (
        "import sys; from tenxgraph_tui.cli import doctor; "
        "print({'textual', 'litellm', 'rich'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
