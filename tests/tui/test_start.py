from __future__ import annotations

import json
from pathlib import Path

import pytest

from tenxgraph_tui.errors import ConfigError, UsageError
from tenxgraph_tui.evaluation.events import CaseFinished, CaseStatus, RunFinished, RunStarted
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.session.discovery import discover
from tenxgraph_tui.session.project import store_path
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.settings import load
from tenxgraph_tui.tui import start as starting
from tenxgraph_tui.tui.beginning import make_desk
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.offered import project_config
from tests.tui.script import RUN, Script, catalog, eval_set, screen_text, until


@pytest.fixture
def folder(project: Path) -> Path:
    sets = project / "sets"
    sets.mkdir()
    weather = eval_set("weather", ["london", "paris"], target="agents.py:assistant")
    weather.to_file(str(sets / "weather.evalset.json"))
    (sets / "broken.evalset.json").write_text('{"eval_cases": [,]}')
    return sets


def desk(*paths: str | Path, root: Path, **flags: str | bool) -> Desk:
    settings = load(root, {}, flags)
    return make_desk(discover(paths or settings.places(), root), paths, settings)


def test_what_is_found_is_on_the_desk_and_what_is_broken_says_so(folder: Path) -> None:
    made = desk(folder, root=folder.parent)
    assert [file.label for file in made.catalog.files] == ["weather", "broken"]
    assert made.catalog.title == "sets"
    assert len(made.catalog) == 2
    assert "broken.evalset.json" in made.catalog.files[1].problem
    assert made.target_name() == "agents.py:assistant"


def test_a_case_after_two_colons_is_the_only_one(folder: Path) -> None:
    made = desk(f"{folder}/weather.evalset.json::paris", root=folder.parent)
    assert [case.eval_id for case in made.catalog] == ["paris"]


def test_without_a_path_the_project_is_shown(folder: Path) -> None:
    made = desk(root=folder.parent)
    assert made.catalog.title == folder.parent.name
    assert len(made.catalog) == 2


def test_answers_of_judges_are_kept_unless_the_command_line_says_no(folder: Path) -> None:
    def are_kept(made: Desk) -> bool:
        request = made.choices.request(made.catalog, root=str(folder.parent), store=None)
        return request.options.judge_cache

    assert are_kept(desk(folder, root=folder.parent))
    assert not are_kept(desk(folder, root=folder.parent, judge_cache=False))


def test_the_command_line_chooses_preset_and_target(folder: Path) -> None:
    made = desk(folder, root=folder.parent, preset="tool_usage", target="other.py:agent")
    assert made.choices.preset.name == "tool_usage"
    assert made.target_name() == "other.py:agent"


def test_a_config_file_is_read_and_chosen(folder: Path, project: Path) -> None:
    config = project / "ci.json"
    config.write_text(json.dumps({"criteria": {"rouge_match": {"threshold": 0.7}}}))
    made = desk(folder, root=project, config=str(config))
    assert made.choices.preset.value == str(config)
    assert [c.slot for c in made.state.sets[0].criteria] == ["rouge_match"]


def test_the_preset_of_the_settings_is_what_runs_unless_another_is_chosen(
    folder: Path, project: Path
) -> None:
    (project / "tenxgraph-tui.toml").write_text('preset = "tool_usage"\ntarget = "a.py:b"\n')
    made = desk(folder, root=project)
    used = made.choices.preset
    assert (used.name, used.value, used.note) == ("tool_usage", None, "tenxgraph-tui.toml")
    request = made.choices.request(made.catalog, root=".", store=None)
    assert request.config is None
    assert request.fallbacks.config == "tool_usage"
    assert request.fallbacks.target == "a.py:b"
    assert [entry.value for entry in made.choices.presets if entry.name == "offline"] == ["offline"]
    flagged = desk(folder, root=project, preset="quick_check").choices
    assert (flagged.preset.value, flagged.terms.fallbacks.config) == ("quick_check", None)


def test_the_config_of_the_settings_stands_first_and_once(folder: Path, project: Path) -> None:
    (project / "tenxgraph-tui.toml").write_text('config = "ci.evalconfig.json"\n')
    EvalPresets.quick_check().to_file(str(project / "ci.evalconfig.json"))
    choices = desk(folder, root=project).choices
    used = choices.preset
    assert (used.name, used.note, used.called) == (
        "ci",
        "tenxgraph-tui.toml",
        "ci.evalconfig.json (tenxgraph-tui.toml)",
    )
    choices.renew(catalog(), choices.entries_for(catalog()))
    choices.put_files([project_config(project / "ci.evalconfig.json", project)])
    assert [entry.name for entry in choices.presets].count("ci") == 1
    assert choices.preset.name == "ci"


def test_a_set_with_a_config_of_its_own_does_not_ask_the_settings(
    folder: Path, project: Path
) -> None:
    named = eval_set("own", ["oslo"], config="quick_check")
    named.to_file(str(folder / "own.evalset.json"))
    (project / "tenxgraph-tui.toml").write_text('preset = "tool_usage"\n')
    choices = desk(folder, root=project).choices
    assert (choices.preset.name, choices.preset.value) == ("as the sets say", None)
    assert choices.terms.fallbacks.config == "tool_usage"


def test_the_settings_say_where_to_look(folder: Path, project: Path) -> None:
    other = project / "other"
    other.mkdir()
    eval_set("tides", ["high"]).to_file(str(other / "tides.evalset.json"))
    (project / "tenxgraph-tui.toml").write_text('paths = ["other"]\n')
    made = desk(root=project)
    assert [file.label for file in made.catalog.files] == ["tides"]
    assert made.catalog.looked_in == (str(other),)


def test_a_target_of_the_settings_is_shown_where_a_set_names_none(
    folder: Path, project: Path
) -> None:
    (folder / "weather.evalset.json").unlink()
    eval_set("tides", ["high"]).to_file(str(folder / "tides.evalset.json"))
    (project / "tenxgraph-tui.toml").write_text('target = "tides.py:agent"\n')
    assert desk(folder, root=project).target_name() == "tides.py:agent"


async def test_what_has_no_effect_in_the_settings_is_said_once(folder: Path, project: Path) -> None:
    (project / "tenxgraph-tui.toml").write_text("lasagne = 1\nravioli = 2\n")
    app, _ = starting.make_app(paths=[folder])
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "unknown key 'lasagne'" in screen_text(app))
        assert "1 more" in screen_text(app)


def test_an_interpreter_in_the_settings_that_cannot_be_used_is_named_by_its_line(
    folder: Path, project: Path
) -> None:
    (project / "tenxgraph-tui.toml").write_text('\npython = "bin/python-of-nobody"\n')
    with pytest.raises(
        UsageError, match=r"tenxgraph-tui\.toml line 2: python .*python-of-nobody: there"
    ):
        starting.start(paths=[folder])


def test_a_misspelt_preset_names_the_nearest(folder: Path) -> None:
    with pytest.raises(ConfigError, match="did you mean 'tool_usage'"):
        desk(folder, root=folder.parent, preset="tool_usge")


def test_a_path_that_does_not_exist_is_said_before_anything_is_drawn(project: Path) -> None:
    with pytest.raises(UsageError, match="nowhere"):
        starting.start(paths=[project / "nowhere"])


def test_a_run_that_does_not_exist_is_said_before_anything_is_drawn(folder: Path) -> None:
    with pytest.raises(UsageError):
        starting.start(paths=[folder], run="99")


def test_an_interpreter_that_does_not_exist_is_said_before_anything_is_drawn(
    folder: Path,
) -> None:
    with pytest.raises(UsageError, match="python-of-nobody"):
        starting.start(paths=[folder], python="python-of-nobody")


async def test_a_past_run_is_shown_with_the_results_of_its_cases(folder: Path) -> None:
    store = RunStore(store_path(folder.parent))
    weather = catalog(**{"sets/weather": ["london", "paris"]})
    script = Script().begin(weather, number=1).finish(CaseKey(0, "london"))
    failed = EvalCaseResult(
        eval_id="paris", passed=False, criterion_results=[], error="the service was away"
    )
    script.finish(CaseKey(0, "paris"), CaseStatus.ERROR, (), error="the service was away").end()
    with store.writer(RUN) as sink:
        for event in script.events:
            match event:
                case RunStarted():
                    sink.started(event)
                case CaseFinished(case=key):
                    good = EvalCaseResult(eval_id="london", passed=True)
                    sink.save(key, failed if key.eval_id == "paris" else good)
                case RunFinished():
                    sink.finished(event)
    app, _ = starting.make_app(paths=[], run="last")
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: "1/2 passed" in screen_text(app))
        assert "run #1" in screen_text(app)
        await pilot.press("]")
        await until(pilot, lambda: "the service was away" in screen_text(app))
        await until(pilot, lambda: "What about paris?" in screen_text(app))
    assert app.desk.choices.scope is not None
    assert {case.eval_id for case in app.desk.choices.scope} == {"london", "paris"}
