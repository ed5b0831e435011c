"""Settings come in layers; each value knows its place, and each mistake is one helpful line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.settings import Layer, Loaded, Settings, load

Write = Callable[[str, str], Path]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def write(root: Path) -> Write:
    def put(name: str, text: str) -> Path:
        (root / name).write_text(text, encoding="utf-8")
        return root / name

    return put


def loaded(root: Path, flags: Any = None, /, **environ: str) -> Loaded:
    return load(root, {f"TENXGRAPH_TUI_{name}": text for name, text in environ.items()}, flags)


def where(found: Loaded, name: str) -> str:
    return found.origins[name].where


def test_without_any_layer_everything_is_a_default(root: Path) -> None:
    found = loaded(root)
    assert found.values == Settings()
    assert set(found.origins) == set(Settings.model_fields)
    assert {origin.where for origin in found.origins.values()} == {"default"}
    assert found.warnings == ()


OWN = """\
# what we run
target = "agents.py:assistant"
timeout = 30
report = ["json", "junit"]

[keys]
"run.start" = "f5"
"""


def test_a_file_of_its_own_has_the_settings_at_its_top(root: Path, write: Write) -> None:
    write("tenxgraph-tui.toml", OWN)
    found = loaded(root)
    assert found.values.target == "agents.py:assistant"
    assert found.values.timeout == 30
    assert found.values.report == ("json", "junit")
    assert found.values.keys == {"run.start": "f5"}
    assert where(found, "timeout") == "tenxgraph-tui.toml line 3"
    assert where(found, "keys") == "tenxgraph-tui.toml line 6"
    assert found.origins["timeout"].file == root / "tenxgraph-tui.toml"
    assert found.origins["timeout"].layer is Layer.PROJECT


def test_pyproject_has_them_in_a_table(root: Path, write: Write) -> None:
    text = '[project]\ntimeout = "mine"\n\n[tool.tenxgraph-tui]\nthreshold = 0.9\ntimeout=5\n'
    write("pyproject.toml", f"{text}[tool.tenxgraph-tui.keys]\n'run.start' = 'f5'\n")
    found = loaded(root)
    assert (found.values.threshold, found.values.timeout) == (0.9, 5.0)
    assert where(found, "timeout") == "pyproject.toml line 6"
    assert where(found, "keys") == "pyproject.toml line 7"


def test_of_two_files_the_one_of_its_own_counts_and_it_is_said(root: Path, write: Write) -> None:
    write("tenxgraph-tui.toml", "timeout = 1\n")
    write("pyproject.toml", "[tool.tenxgraph-tui]\ntimeout = 2\nthreshold = 0.5\n")
    found = loaded(root)
    assert (found.values.timeout, found.values.threshold) == (1.0, 1.0)
    (warning,) = found.warnings
    assert warning.startswith("pyproject.toml: [tool.tenxgraph-tui] has no effect")


def test_a_pyproject_without_our_table_is_not_asked(root: Path, write: Write) -> None:
    write("pyproject.toml", "[tool.other]\ntimeout = 2\n")
    assert loaded(root).values == Settings()
    write("pyproject.toml", "[tool.other\nthis is broken")
    assert loaded(root).values == Settings()


TENXGRAPH = """\
{
  "agent": "graph.react:app",
  "llm": {"timeout": 3},
  "evaluation": {
    "directory": "evals",
    "output_dir": "out",
    "threshold": 0.8,
    "parallel": false,
    "max_concurrency": 2,
    "timestamp_files": false
  }
}
"""


@pytest.mark.parametrize("name", ["10xgraph.json", "agentflow.json"])
def test_what_10xgraph_has_in_its_file_is_what_is_left_open(
    root: Path, write: Write, name: str
) -> None:
    write(name, TENXGRAPH)
    write("tenxgraph-tui.toml", "threshold = 0.7\n")
    found = loaded(root)
    assert found.values == Settings(
        target="graph.react:app",
        paths=("evals",),
        output_dir="out",
        threshold=0.7,
        max_concurrency=2,
        timestamp_files=False,
    )
    assert where(found, "target") == f"{name} line 2"
    assert where(found, "paths") == f"{name} line 5"
    assert where(found, "threshold") == "tenxgraph-tui.toml line 1"


def test_of_10xgraphs_two_files_the_newer_counts(root: Path, write: Write) -> None:
    write("10xgraph.json", '{"agent": "new:app"}')
    write("agentflow.json", '{"agent": "old:app", "evaluation": {"threshold": 0.1}}')
    found = loaded(root)
    assert (found.values.target, found.values.threshold) == ("new:app", 1.0)


def test_null_in_10xgraphs_file_sets_nothing(root: Path, write: Write) -> None:
    write("10xgraph.json", '{"agent": null, "evaluation": {"threshold": null}}')
    assert loaded(root).values == Settings()


def test_10xgraph_has_its_evals_in_one_folder_unless_its_file_says_otherwise(
    root: Path, write: Write
) -> None:
    write("10xgraph.json", '{"agent": "graph.agent:app"}')
    assert loaded(root).values.paths == ()
    (root / "evals").mkdir()
    found = loaded(root)
    assert (found.values.paths, where(found, "paths")) == (("evals",), "10xgraph.json")
    write("10xgraph.json", '{"evaluation": {"directory": "checks"}}')
    assert loaded(root).values.paths == ("checks",)
    write("tenxgraph-tui.toml", 'paths = ["."]')
    assert loaded(root).values.paths == (".",)


def test_the_env_of_10xgraph_is_read_where_there_is_one(root: Path, write: Write) -> None:
    write("10xgraph.json", '{\n"env": ".env"}')
    assert loaded(root).values.env_file is None
    write(".env", "A=1")
    found = loaded(root)
    assert (found.path("env_file"), where(found, "env_file")) == (
        root / ".env",
        "10xgraph.json line 2",
    )


def test_the_environment_is_stronger_than_files_and_flags_than_both(
    root: Path, write: Write
) -> None:
    write("tenxgraph-tui.toml", 'timeout = 1\nthreshold = 0.1\ntarget = "a.py:a"\n')
    found = loaded(root, {"threshold": 0.3, "target": None}, TIMEOUT="2", THRESHOLD="0.2")
    assert (found.values.timeout, found.values.threshold) == (2.0, 0.3)
    assert where(found, "timeout") == "TENXGRAPH_TUI_TIMEOUT"
    assert where(found, "threshold") == "--threshold"
    assert where(found, "target") == "tenxgraph-tui.toml line 3"
    assert where(loaded(root, {"max_concurrency": 3}), "max_concurrency") == "--max-concurrency"


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        pytest.param("report", "json, junit", ("json", "junit"), id="lists have commas"),
        pytest.param("paths", "evals,more", ("evals", "more"), id="paths too"),
        pytest.param("ascii", "yes", True, id="yes"),
        pytest.param("ascii", "0", False, id="0 is no"),
        pytest.param("max_concurrency", "8", 8, id="a number"),
        pytest.param("keys", "run.start=f5 run.failed=f6,f", None, id="tables have blanks"),
        pytest.param("timeout", " ", None, id="an empty one sets nothing"),
    ],
)
def test_every_setting_can_be_a_variable(root: Path, name: str, text: str, value: Any) -> None:
    if name == "keys":
        value = {"run.start": "f5", "run.failed": "f6,f"}
    assert getattr(loaded(root, **{name.upper(): text}).values, name) == value


def test_a_config_that_is_named_unsays_the_preset_of_a_weaker_layer(
    root: Path, write: Write
) -> None:
    write("tenxgraph-tui.toml", 'preset = "tool_usage"\n')
    found = loaded(root, CONFIG="ci.json")
    assert (found.values.preset, found.values.config) == (None, "ci.json")
    assert where(found, "preset") == "default"
    found = loaded(root, {"preset": "offline"}, CONFIG="ci.json")
    assert (found.values.preset, found.values.config) == ("offline", None)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("timeout = 'x'", ':1: timeout must be a number, not "x": write', id="text"),
        pytest.param('timeout = "3"', ":1: timeout must be a number", id="a number is no text"),
        pytest.param("timeout = true", ":1: timeout must be a number, not true", id="nor a truth"),
        pytest.param("timeout = 0", ":1: timeout must be greater than 0, not 0", id="range"),
        pytest.param("timeout = nan", ":1: timeout must be a finite number", id="nan"),
        pytest.param("threshold = 80", ":1: threshold must be less than or", id="no per cent"),
        pytest.param("max_concurrency = 2.5", ":1: max_concurrency must be a whole", id="half"),
        pytest.param('editor = "a\\u0000b"', ":1: editor must not hold a zero byte", id="zero"),
        pytest.param('paths = ["\\u0000"]', ":1: entry 1 of paths must not hold", id="zero inside"),
        pytest.param(f"x = {'[' * 5000}", ": nested too deeply to be read", id="deep"),
        pytest.param('target = ""', ":1: target must not be empty: write target =", id="empty"),
        pytest.param('ascii = "yes"', ":1: ascii must be true or false", id="truth"),
        pytest.param('report = "json"', ":1: report must be a list, not", id="list"),
        pytest.param(
            'report = ["json", "pdf"]',
            ":1: entry 2 of report must be 'json', 'html', 'junit' or 'markdown', not \"pdf\"",
            id="kind",
        ),
        pytest.param("keys = 3", ":1: keys must be a table, not 3: write keys = {", id="table"),
        pytest.param(
            "[keys]\n'a.b' = 'x'\n'run.start' = 5",
            ":3: 'run.start' in keys must be a text, not 5",
            id="in a table",
        ),
        pytest.param(
            "\ntimeot = 3", ":2: unknown key 'timeot': did you mean 'timeout'?", id="typo"
        ),
        pytest.param(
            "max-concurrency = 3", "did you mean 'max_concurrency'?", id="another spelling"
        ),
        pytest.param("agent = 'a.py:a'", "did you mean 'target'?", id="another program's name"),
        pytest.param(
            "preset = 'tool_usge'",
            ":1: there is no preset 'tool_usge': did you mean 'tool_usage'?",
            id="preset",
        ),
        pytest.param("preset = 'zzz'", "there are offline, ", id="no preset at all"),
        pytest.param(
            "preset = 'offline'\nconfig = 'ci.json'",
            ":2: preset and config are both set: keep one of them",
            id="two configs",
        ),
        pytest.param("timeout = \n", ":1:11: no TOML: invalid value", id="broken"),
        pytest.param("report = ['json'", ": no TOML: unclosed array; the file ends", id="torn"),
    ],
)
def test_a_mistake_names_the_place_and_what_to_write(
    root: Path, write: Write, text: str, told: str
) -> None:
    file = write("tenxgraph-tui.toml", text)
    with pytest.raises(ConfigError) as raised:
        loaded(root)
    assert str(raised.value).startswith(str(file))
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)
    assert raised.value.exit_code == 4


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        pytest.param(
            "TIMEOUT",
            "abc",
            'TENXGRAPH_TUI_TIMEOUT: timeout must be a number, not "abc": '
            "write TENXGRAPH_TUI_TIMEOUT=60",
            id="no number",
        ),
        pytest.param("TIMEOT", "3", "unknown variable TENXGRAPH_TUI_TIMEOT: did you", id="typo"),
        pytest.param("ASCII", "perhaps", "TENXGRAPH_TUI_ASCII: ascii must be true", id="truth"),
        pytest.param("REPORT", "json,xls", "entry 2 of report must be 'json'", id="kind"),
        pytest.param("KEYS", "run.start", "'run.start' in keys must not be empty", id="half a key"),
        pytest.param("PRESET", "offlin", "did you mean 'offline'?", id="preset"),
    ],
)
def test_a_wrong_variable_is_named(root: Path, name: str, text: str, told: str) -> None:
    with pytest.raises(ConfigError) as raised:
        loaded(root, **{name: text})
    assert told in str(raised.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param('{"agent": 3}', ":1: agent must be a text, not 3", id="agent"),
        pytest.param('{"env": 3}', ":1: env must be a text, not 3", id="env"),
        pytest.param(
            '{"evaluation":\n{"threshold": "high"}}',
            ':2: evaluation.threshold must be a number, not "high"',
            id="threshold",
        ),
        pytest.param('{"evaluation": 3}', "evaluation must be an object, not a number", id="3"),
        pytest.param("[]", "this is no object but a list", id="a list"),
        pytest.param('{"agent": ', ":1:11: no JSON", id="torn"),
    ],
)
def test_a_mistake_in_10xgraphs_file_is_told_in_its_words(
    root: Path, write: Write, text: str, told: str
) -> None:
    write("10xgraph.json", text)
    with pytest.raises(ConfigError) as raised:
        loaded(root)
    assert told in str(raised.value)


def test_a_mistake_is_told_though_a_stronger_layer_has_another_value(
    root: Path, write: Write
) -> None:
    write("tenxgraph-tui.toml", "timeout = 'x'")
    with pytest.raises(ConfigError):
        loaded(root, {"timeout": 3.0})


def test_a_pyproject_that_holds_our_table_and_is_broken_is_told(root: Path, write: Write) -> None:
    write("pyproject.toml", "[tool.tenxgraph-tui]\ntimeout = 3\n\n[tool.other\n")
    with pytest.raises(ConfigError, match=r"pyproject\.toml:4:12: no TOML"):
        loaded(root)
    write("pyproject.toml", '[tool]\ntenxgraph-tui = "on"\n')
    with pytest.raises(ConfigError, match=r"write \[tool\.tenxgraph-tui\]"):
        loaded(root)


def test_a_file_that_is_no_text_is_told(root: Path) -> None:
    (root / "tenxgraph-tui.toml").write_bytes(b"timeout = 3\ntheme = '\xff'\n")
    with pytest.raises(ConfigError, match="2: not UTF-8"):
        loaded(root)


def test_a_byte_order_mark_is_no_mistake(root: Path) -> None:
    (root / "tenxgraph-tui.toml").write_bytes(b"\xef\xbb\xbftimeout = 3\n")
    assert loaded(root).values.timeout == 3


def test_what_resembles_nothing_is_a_warning(root: Path, write: Write) -> None:
    write("tenxgraph-tui.toml", "\nlasagne = 3\n")
    found = loaded(root, WEATHER="sunny")
    file, variable = found.warnings
    assert file.endswith("tenxgraph-tui.toml:2: unknown key 'lasagne': it has no effect")
    assert variable == "unknown variable TENXGRAPH_TUI_WEATHER: it has no effect"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param('note = """\ntimeout = 1\n"""\ntimeout = 3\n', 4, id="not within a text"),
        pytest.param('# timeout = 1\n"timeout" = 3\n', 2, id="nor in a comment, though quoted"),
        pytest.param("  timeout=3 # why\n", 1, id="indented"),
    ],
)
def test_the_line_is_that_of_the_key(root: Path, write: Write, text: str, line: int) -> None:
    write("tenxgraph-tui.toml", text)
    assert loaded(root).origins["timeout"].line == line


def test_a_key_that_is_not_found_has_its_file_alone(root: Path, write: Write) -> None:
    write("pyproject.toml", "tool.'tenxgraph-tui' = {timeout = 3}\n")
    assert where(loaded(root), "timeout") == "pyproject.toml"


def test_relative_paths_go_from_the_project_and_those_of_flags_from_here(
    root: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = root / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    write("tenxgraph-tui.toml", 'config = "ci.json"\npython = "bin/python"\n')
    found = loaded(root)
    assert found.path("config") == root / "ci.json"
    assert found.python == str(root / "bin/python")
    assert found.path("env_file") is None
    assert loaded(root, {"config": "ci.json"}).path("config") == here / "ci.json"
    assert loaded(root, {"python": "python3.11"}).python == "python3.11"


def test_places_must_exist(root: Path, write: Write) -> None:
    (root / "evals").mkdir()
    write("tenxgraph-tui.toml", 'paths = ["evals", "gone"]\n')
    with pytest.raises(ConfigError, match=r"tenxgraph-tui\.toml:1: paths: there is no .*gone"):
        loaded(root).places()
    write("tenxgraph-tui.toml", 'paths = ["evals"]\n')
    assert loaded(root).places() == [root / "evals"]
    assert loaded(root, PATHS=" ").places() == [root / "evals"]
