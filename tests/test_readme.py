"""What the README says is true: its commands run, its files work, its names exist.

A comment before a block says what is special about it: `exit code: N`, `file: PATH` (the block is
that file), `not run: WHY`, `needs: PACKAGE` (run where that is installed), or `command: NAME` (one
of the two set-ups, which CI runs itself).
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pkgutil
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.config import ReporterConfig
from tenxgraph_tui.evaluation.presets import PRESETS
from tenxgraph_tui.settings import Settings
from tests.evaluation.seeds import IMPORT_MAP

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(
    r"(?:^<!-- (?P<note>.+?) -->\n+)?^```(?P<language>\w+)\n(?P<text>.+?)^```", re.M | re.S
)
NOTES = {"exit code", "file", "not run", "needs", "command"}


@dataclass(frozen=True)
class Block:
    """A fenced block and the comment before it, split at its colon."""

    language: str
    text: str
    note: str
    value: str

    @property
    def title(self) -> str:
        return self.text.splitlines()[-1]


def blocks() -> list[Block]:
    found = []
    for match in BLOCK.finditer(README):
        note, _, value = (match["note"] or "").partition(": ")
        found.append(Block(match["language"], match["text"], note, value))
    return found


def runnable(language: str) -> list[Block]:
    notes = {"", "exit code", "needs"}
    return [b for b in blocks() if b.language == language and b.note in notes]


def skip_without_its_package(block: Block) -> None:
    if block.note == "needs" and find_spec(block.value) is None:
        pytest.skip(f"{block.value} is not installed")


@pytest.fixture
def newcomer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the samples and every file that the README has one write."""
    shutil.copytree(ROOT / "sample_evalsets", tmp_path / "sample_evalsets")
    for block in blocks():
        if block.note == "file":
            path = tmp_path / block.value
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
    programs = Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("block", runnable("sh"), ids=lambda block: block.title)
def test_a_shell_block_ends_as_the_readme_says(block: Block, newcomer: Path) -> None:
    skip_without_its_package(block)
    done = run(["bash", "-ec", block.text], newcomer)
    expected = int(block.value) if block.note == "exit code" else 0
    assert done.returncode == expected, done.stdout + done.stderr
    assert done.stdout


@pytest.mark.parametrize("block", runnable("python"), ids=lambda block: block.title)
def test_a_python_block_runs(block: Block, newcomer: Path) -> None:
    skip_without_its_package(block)
    done = run([sys.executable, "-W", "error", "-c", block.text], newcomer)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout


def table(header: str) -> list[list[str]]:
    """The cells of each row of the table whose header row begins with that."""
    rows = README.partition(f"\n| {header}")[2].partition("\n\n")[0].splitlines()[2:]
    assert rows, header
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]


def test_report_files_are_called_as_the_table_shows(newcomer: Path) -> None:
    (block,) = (b for b in runnable("sh") if "--report" in b.text)
    run(["bash", "-ec", block.text], newcomer)
    shown = [file.strip("`") for _, file, *_ in table("kind | file")]
    stamp = re.compile(r"\d{8}_\d{6}")
    written = {stamp.sub("STAMP", path.name) for path in (newcomer / "out").iterdir()}
    assert written == {stamp.sub("STAMP", name) for name in shown}


def test_evaluating_writes_reports_as_the_library_section_says(newcomer: Path) -> None:
    (block,) = (b for b in runnable("python") if b.title == "assert report.passed")
    run([sys.executable, "-c", block.text], newcomer)
    written = {path.suffix for path in (newcomer / "eval_reports").iterdir()}
    assert written == {".json", ".html"}


def test_every_setting_of_reports_is_named_with_its_default() -> None:
    fields = ReporterConfig.model_fields
    assert [name for name in fields if f"`{name}`" not in README] == []
    for key, default, _ in table("key of `reporter`"):
        told = {"on": True}.get(default, default.strip('`"'))
        assert fields[key.strip("`")].default == told, key


def test_every_setting_is_named_with_its_default() -> None:
    rows = {
        name: row[1]
        for row in table("setting | default")
        for name in re.findall(r"`(\w+)`", row[0])
    }
    assert list(rows) == list(Settings.model_fields)
    given = {name: field.default for name, field in Settings.model_fields.items()}
    assert rows["threshold"] == str(given.pop("threshold"))
    assert not any(given.values())


def test_the_import_map_is_the_one_that_moved_the_documents_examples() -> None:
    rows = table("from | to")
    shown = {old: new.strip("`") for olds, new in rows for old in re.findall(r"`([\w.]+)`", olds)}
    assert IMPORT_MAP.items() <= shown.items()
    for module in shown.values():
        importlib.import_module(module)
    from tenxgraph_tui import graph

    moved = {"StateGraph", "CompiledGraph", "ToolNode", "AgentState", "END", "InMemoryCheckpointer"}
    assert moved <= set(graph.__all__)


def test_every_block_is_run_or_says_why_not() -> None:
    for block in blocks():
        assert not block.note or block.note in NOTES, block.title
        runs = block.language in {"sh", "python"}
        assert runs or block.note in {"file", "not run"}, block.title
    assert len(runnable("sh")) >= 5
    assert len(runnable("python")) >= 1


def test_there_are_two_commands_that_set_up_everything() -> None:
    commands = {block.value: block.text.strip() for block in blocks() if block.note == "command"}
    assert set(commands) == {"dashboard", "tests"}
    for command in commands.values():
        assert "\n" not in command
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install ")


def test_every_link_to_a_file_of_the_project_leads_somewhere() -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_every_preset_is_named() -> None:
    assert [name for name in PRESETS if f"`{name}`" not in README] == []


def test_every_flag_exists() -> None:
    helped = "".join(
        run([sys.executable, "-m", "tenxgraph_tui", *verb, "--help"], ROOT).stdout
        for verb in ([], ["run"], ["watch"], ["list"], ["doctor"], ["open"], ["serve"])
    )
    flags = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README))
    assert [flag for flag in sorted(flags) if flag not in helped] == []


def test_every_key_is_bound() -> None:
    keys = [key for row in table("key | does") for key in re.findall(r"`(\S+?)`", row[0])]
    assert len(keys) > 10
    from tenxgraph_tui.tui.keynames import normal

    written = set(map(normal, keys))
    assert written - bound_keys() - {"tab"} == set()  # tab is Textual's own


def test_every_action_is_told_with_a_key() -> None:
    from tenxgraph_tui.tui.commands import MOVING, heading_of
    from tenxgraph_tui.tui.keymap import actions
    from tenxgraph_tui.tui.keynames import normal

    told: set[str] = set()
    for written in re.findall(r"`([^`\n ]{1,12})`", README):
        with contextlib.suppress(ValueError):
            told.add(normal(written))
    arrows = {"\N{UPWARDS ARROW}": "up", "\N{DOWNWARDS ARROW}": "down"}
    arrows |= {"\N{LEFTWARDS ARROW}": "left", "\N{RIGHTWARDS ARROW}": "right"}
    told |= {key for arrow, key in arrows.items() if arrow in README}
    told |= {"2", "3", "4", "5"}  # `1` to `6`
    silent = [
        action.id
        for action in actions().values()
        if heading_of(action.id) != MOVING
        and not told & {key for keys in action.keys for key in keys.split(",")}
    ]
    assert set(silent) - {"app.interrupt", "palette.page_up"} == set()


def bound_keys() -> set[str]:
    """The keys of every class of the dashboard that has any."""
    import tenxgraph_tui.tui as package

    found: set[str] = set()
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        for thing in vars(importlib.import_module(module.name)).values():
            for binding in vars(thing).get("BINDINGS", []) if isinstance(thing, type) else []:
                found |= set(binding.key.split(","))
    return found
