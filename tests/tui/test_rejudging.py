"""A run that is shown is judged again: by the preset in use, and by whom is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from tenxgraph_tui.evaluation.config import CriterionConfig, EvalConfig
from tenxgraph_tui.evaluation.events import RunRef
from tenxgraph_tui.session.protocol import RequestOptions, WorkerRequest
from tenxgraph_tui.session.terms import Terms
from tenxgraph_tui.settings import Loaded, load
from tenxgraph_tui.tui.commands import commands_of
from tenxgraph_tui.tui.judges import Judges
from tenxgraph_tui.tui.presets import Preset
from tenxgraph_tui.tui.reproducing import command_of
from tenxgraph_tui.tui.telling import facts
from tests.tui.scenes import done
from tests.tui.script import WEATHER, Script, Stage, play, screen_text, stage, until

KEYS = {"GEMINI_API_KEY": "k", "OPENAI_API_KEY": "k"}
SHEET = "Judge #18 again"


def judged() -> Preset:
    config = EvalConfig()
    config.enable_criterion("llm_judge", CriterionConfig(num_samples=2))
    return Preset("mine", "mine.evalconfig.json", config)


def with_judges(environ: dict[str, str] | None = None, settings: Loaded | None = None) -> Stage:
    """A dashboard whose preset in use asks a model."""
    on = stage(settings=settings)
    on.desk.choices.judges = Judges(KEYS if environ is None else environ, lambda *_: None)
    preset = judged()
    on.desk.choices.presets = (preset, *on.desk.choices.presets)
    on.desk.choices.preset = preset
    return on


async def after_a_run(pilot: Pilot[Any], on: Stage) -> None:
    await play(pilot, on, done(on.desk.catalog))
    await until(pilot, lambda: not on.desk.is_busy)


async def judge_again(pilot: Pilot[Any], on: Stage, told: str) -> None:
    """J, and `enter` as soon as its sheet says so."""
    await pilot.press("J")
    await until(pilot, lambda: told in screen_text(on.app))
    await pilot.press("enter")
    await until(pilot, lambda: bool(on.children))


def asked(on: Stage) -> WorkerRequest:
    (child,) = on.children
    return child.request


async def test_an_offline_preset_judges_at_once_and_runs_no_agent() -> None:
    on = stage()
    async with on.app.run_test(size=(160, 45)) as pilot:
        await after_a_run(pilot, on)
        await pilot.press("J")
        await until(pilot, lambda: bool(on.children))
        request = asked(on)
        assert (request.kind, request.judged_from) == ("rescore", "18")
        assert (request.config, request.target) == ("offline", None)
        assert request.options.judge_model is None
        assert on.desk.is_busy
        await until(pilot, lambda: "judging #18 again" in screen_text(on.app))


async def test_a_judge_is_asked_for_and_the_cost_is_told_before() -> None:
    on = with_judges()
    async with on.app.run_test(size=(160, 45)) as pilot:
        await after_a_run(pilot, on)
        await pilot.press("J")
        await until(pilot, lambda: SHEET in screen_text(on.app))
        shown = screen_text(on.app)
        assert "gemini-2.5-flash" in shown, "the model that the preset asks"
        assert "mine: ≈ 36 calls" in shown
        assert not on.children
        await pilot.press(*"gpt-4o", "enter")
        await until(pilot, lambda: bool(on.children))
        request = asked(on)
        assert request.options.judge_model == "gpt-4o"
        assert request.config == "mine.evalconfig.json"
        assert SHEET not in screen_text(on.app)


async def test_the_name_that_the_preset_has_anyway_means_its_own_model() -> None:
    """A script that a config names lies beside the config, not where the dashboard was started."""
    on = with_judges()
    preset = judged()
    config = preset.config
    assert config is not None
    scripted = CriterionConfig(num_samples=2, judge_model="scripted:mine.answers.json")
    config.enable_criterion("llm_judge", scripted)
    on.desk.choices.preset = preset
    async with on.app.run_test(size=(100, 30)) as pilot:
        await after_a_run(pilot, on)
        await judge_again(pilot, on, "scripted:mine.answers.json")
        assert asked(on).options.judge_model is None


async def test_judges_are_asked_afresh_whatever_they_said_before() -> None:
    on = with_judges()
    on.desk.choices.terms = Terms(options=RequestOptions(judge_cache=True))
    async with on.app.run_test(size=(160, 45)) as pilot:
        await after_a_run(pilot, on)
        await judge_again(pilot, on, ", afresh; no name")
        assert asked(on).options.judge_cache is False


async def test_answers_that_are_kept_are_taken_where_the_settings_say_so(tmp_path: Path) -> None:
    settings = load(tmp_path, {}, {"judge_cache": True})
    on = with_judges(settings=settings)
    on.desk.choices.terms = Terms.of(settings)
    async with on.app.run_test(size=(160, 45)) as pilot:
        await after_a_run(pilot, on)
        await judge_again(pilot, on, "kept answers count")
        assert asked(on).options.judge_cache is True


async def test_no_name_leaves_it_to_the_criteria() -> None:
    on = with_judges()
    async with on.app.run_test(size=(100, 30)) as pilot:
        await after_a_run(pilot, on)
        await pilot.press("J", "delete", "enter")
        await until(pilot, lambda: bool(on.children))
        assert asked(on).options.judge_model is None


async def test_a_judge_that_cannot_be_asked_is_told_in_the_sheet() -> None:
    on = with_judges({})
    async with on.app.run_test(size=(160, 45)) as pilot:
        await after_a_run(pilot, on)
        await pilot.press("J", *"gpt-4o", "enter")
        await until(pilot, lambda: "OPENAI_API_KEY" in screen_text(on.app))
        assert not on.children
        await pilot.press("escape")
        await until(pilot, lambda: SHEET not in screen_text(on.app))


async def test_there_is_nothing_to_judge_before_a_run_or_while_one_goes_on() -> None:
    on = stage()

    def is_offered() -> bool:
        found = commands_of(on.app, on.app.screen)
        return any(command.text.startswith("Judge the run again") for command in found)

    async with on.app.run_test(size=(160, 45)) as pilot:
        await pilot.press("J")
        assert not is_offered()
        await after_a_run(pilot, on)
        assert is_offered()
        await pilot.press("r")
        await until(pilot, lambda: on.desk.is_busy)
        await pilot.press("J")
        await pilot.pause()
        assert not is_offered()
        assert [child.request.kind for child in on.children] == ["run"]


async def test_a_run_that_is_kept_nowhere_cannot_be_judged_again() -> None:
    on = stage()
    async with on.app.run_test(size=(160, 45)) as pilot:
        script = Script().begin(on.desk.catalog, number=None)  # type: ignore[arg-type]  # as without a store
        await play(pilot, on, script.end().events)
        await pilot.press("J")
        await pilot.pause()
        assert not on.children


async def test_the_header_says_what_it_was_judged_from() -> None:
    on = stage()
    async with on.app.run_test(size=(160, 45)) as pilot:
        origin = RunRef(run_id="run-0", number=17)
        script = Script().begin(on.desk.catalog, judged_from=origin)
        await play(pilot, on, script.events)
        assert ("judged from", "#17") in facts(on.desk)
        assert "judged from #17" in screen_text(on.app).splitlines()[0]
        assert on.desk.state.cases
        assert WEATHER[0] in screen_text(on.app)


def test_the_command_that_does_the_same_names_the_run() -> None:
    request = WorkerRequest(kind="rescore", root=".", judged_from="18", config="strict")
    options = request.options.model_copy(update={"judge_model": "gpt-4o"})
    request = request.model_copy(update={"options": options})
    assert command_of(request) == ("tenxgraph-tui rejudge 18 --preset strict --judge-model gpt-4o")


async def test_while_a_run_goes_on_it_is_said_why_nothing_is_judged() -> None:
    on = stage()
    async with on.app.run_test(size=(160, 45), notifications=True) as pilot:
        await pilot.press("J")
        await until(pilot, lambda: bool(told_by(on)))
        assert told_by(on) == ["No run is open. r runs the cases."]
        await pilot.press("r")
        await until(pilot, lambda: on.desk.is_busy)
        await pilot.press("J")
        await until(pilot, lambda: len(told_by(on)) == 2)
        assert told_by(on)[-1] == "A run goes on. x cancels it."
    assert asked(on).kind == "run"


def told_by(on: Stage) -> list[str]:
    return [str(toast.message) for toast in on.app._notifications]
