from __future__ import annotations

import pytest
from textual.content import Content

from tenxgraph_tui.session.told import SourceLine
from tenxgraph_tui.tui.catalog import Catalog
from tenxgraph_tui.tui.choices import presets
from tenxgraph_tui.tui.lines.help import Group, help_lines
from tenxgraph_tui.tui.lines.notices import Empty, empty_lines, log_lines, too_small, trouble_lines
from tenxgraph_tui.tui.lines.presets import choice, contents
from tenxgraph_tui.tui.trouble import Trouble
from tests.tui.script import catalog

TROUBLE = Trouble(
    headline="agents.py:assistant could not be imported, no case was run",
    subject="Target",
    name="agents.py:assistant",
    kind="SyntaxError",
    message="invalid syntax, and a rather long explanation of it",
    place="agents.py, line 31",
    excerpt=(
        SourceLine(30, "def forecast():", False),
        SourceLine(31, "\tretrun [/]\x1b[2J", True, (1, 7)),
    ),
    facts=(("then", "r tries again"),),
    output=("Traceback", "中文" * 40),
    log=("Traceback [/]", '  File "agents.py", line 31', "SyntaxError: " + "中文" * 60),
)
GROUPS = [
    Group("Everywhere", (("r", "Run"), ("ctrl+p", "Commands"))),
    Group("Cases", (("enter", "Open"),)),
    Group("Drill-down", (("d", "First divergence"),)),
]


def flat(lines: list[Content]) -> list[str]:
    return [" ".join(line.plain.split()) for line in lines]


@pytest.mark.parametrize("width", [1, 2, 7, 20, 40, 80, 160])
@pytest.mark.parametrize("height", [1, 8, 24, 45])
def test_no_line_is_wider_than_the_pane(width: int, height: int) -> None:
    empty = Empty(
        ("/home/mira/" + "deep/" * 30,),
        ("agents.py:assistant", "--target"),
        ("a_eval.py", "中文" * 60),
        2,
    )
    shown = [
        *trouble_lines(TROUBLE, width, height),
        *log_lines(TROUBLE, width, height),
        *empty_lines(empty, width, height),
        *help_lines(GROUPS, width),
        *too_small(width, height, (40, 8)),
    ]
    for preset in presets(catalog()):
        shown += [choice(preset, width, chosen=True), *contents(preset, width)]
    assert max(line.cell_length for line in shown) <= width
    assert not any("\x1b" in line.plain for line in shown)


def test_trouble_says_what_where_and_what_to_do() -> None:
    lines = flat(trouble_lines(TROUBLE, 120, 40))
    assert (
        "! SyntaxError invalid syntax, and a rather long explanation of it agents.py, line 31"
        in lines
    )
    assert "30 def forecast():" in lines
    assert r"31 retrun [/]\x1b[2J" in lines
    assert "then r tries again" in lines
    assert "Traceback" in lines


def test_a_message_that_is_too_long_for_one_line_is_broken() -> None:
    lines = flat(trouble_lines(TROUBLE, 40, 40))
    assert "! SyntaxError" in lines
    assert "agents.py, line 31" in lines
    assert all(line in lines for line in ("invalid syntax, and a rather long", "explanation of it"))


def test_an_empty_project_says_where_it_looked() -> None:
    lines = flat(empty_lines(Empty(("/home/mira/weather-agent",)), 100, 30))
    assert "No eval sets here yet" in lines
    assert "Looked in /home/mira/weather-agent and below for" in lines
    assert "*.evalset.json, *_eval.py and eval_*.py" in lines


def test_eval_modules_without_anything_to_run_say_why() -> None:
    note = "a_eval.py: no eval set: write get_eval_set(), or a function annotated -> EvalSet"
    assert note in " ".join(flat(empty_lines(Empty(("/x",), notes=(note,)), 100, 30)))


def test_an_empty_project_says_what_to_do() -> None:
    lines = flat(empty_lines(Empty(("/x",)), 100, 30))
    assert "o Open a folder another project, or a part of one" in lines
    assert "ctrl+r Look again where a file was added meanwhile" in lines
    assert "– no target named eval sets can name their own" in lines


def test_an_empty_project_says_what_runs_agents_and_what_is_named_where() -> None:
    empty = Empty(
        ("/x",), ("agents.py:a", "pyproject.toml line 3"), python=(".venv/bin/python", ".venv")
    )
    lines = flat(empty_lines(empty, 100, 30))
    assert "✓ .venv/bin/python .venv" in lines
    assert "✓ agents.py:a pyproject.toml line 3" in lines


def test_what_is_known_of_an_empty_project_follows_its_files() -> None:
    later = Empty(("/x",), ("agents.py:a", "--target"), runs=2).now(
        Catalog((), "x", ("/y",), notes=("no eval set",))
    )
    assert later == Empty(("/y",), ("agents.py:a", "--target"), ("no eval set",), 2)


def test_a_preset_tells_how_it_compares_and_from_where_it_passes() -> None:
    by_name = {preset.name: preset for preset in presets(catalog())}
    assert flat(contents(by_name["tool_usage"], 36)) == [
        "tool_name_match ≥ 1.00",
        "trajectory exact, args ≥ 1.00",
    ]
    assert flat(contents(by_name["strict"], 60)) == [
        "trajectory exact, args ≥ 1.00",
        "response_match judge ×3 ≥ 0.90",
        "llm_judge judge ×5 ≥ 0.90",
    ]


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        pytest.param(110, "Everywhere Cases Drill-down", id="side by side"),
        pytest.param(30, "Everywhere", id="one under the other"),
    ],
)
def test_the_help_stands_in_as_many_columns_as_fit(width: int, shown: str) -> None:
    assert shown in flat(help_lines(GROUPS, width))


def test_carets_stand_below_what_is_to_blame() -> None:
    lines = [line.plain.rstrip() for line in trouble_lines(TROUBLE, 120, 40)]
    at = next(index for index, line in enumerate(lines) if "retrun" in line)
    assert lines[at + 1] == " " * lines[at].index("retrun") + "^^^^^^"


def test_the_log_has_every_line_of_the_traceback_and_cuts_none() -> None:
    lines = [line.plain.rstrip() for line in log_lines(TROUBLE, 40, 45)]
    assert "Traceback [/]" in lines
    assert '  File "agents.py", line 31' in lines
    assert "".join(lines).count("中文") == 60
