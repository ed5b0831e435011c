"""What a run needs of judges: found out before its first case, and asked as the flags say."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.cli.judges import check_judges, judge_options, with_judge
from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.evaluation.config import CriterionConfig, CustomCriterion, EvalConfig
from tenxgraph_tui.evaluation.criteria import CRITERIA_REGISTRY, BaseCriterion
from tenxgraph_tui.evaluation.judging.port import JudgeOptions
from tenxgraph_tui.evaluation.plan import SetPlan
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.session.protocol import RequestOptions, WorkerRequest
from tests.cli.conftest import Shell, WriteSet, case
from tests.evaluation.judging.server import ModelServer, model_server

POLITENESS = """
from tenxgraph_tui.evaluation import BaseCriterion
from tenxgraph_tui.evaluation.judging.sampling import opinion
from tenxgraph_tui.evaluation.verdicts import Score

class Politeness(BaseCriterion):
    name = "politeness"

    async def score(self, actual, expected):
        prompt = f"How polite is this? {actual.actual_response}"
        model = self.config.judge_model
        found = await opinion(prompt, model=model, criterion=self.name, samples=2)
        return Score(found.score, found.reason, found.details())
"""


def request(**options: Any) -> WorkerRequest:
    return WorkerRequest(root=".", options=RequestOptions(**options))


@pytest.fixture
def _judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """The judged criteria of the safety preset can be made, as far as checking them goes."""
    for slot in ("hallucination", "safety"):
        monkeypatch.setitem(CRITERIA_REGISTRY, slot, BaseCriterion)


@pytest.mark.usefixtures("_judged")
def test_a_missing_key_names_the_variable_and_who_needs_it() -> None:
    with pytest.raises(ConfigError) as caught:
        check_judges(EvalPresets.safety_check(), "safety_check", request())
    assert "set GEMINI_API_KEY or GOOGLE_API_KEY" in str(caught.value)
    assert "hallucination, safety need a model (config: safety_check)" in str(caught.value)
    assert "offline presets are" in str(caught.value)


@pytest.mark.usefixtures("_judged")
@pytest.mark.parametrize(
    ("environ", "options"),
    [
        pytest.param({"GOOGLE_API_KEY": "k"}, {}, id="a key"),
        pytest.param({}, {"judge_base_url": "http://localhost:1/v1"}, id="a server without one"),
    ],
)
def test_who_can_be_asked_is_no_problem(
    environ: dict[str, str], options: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("tenxgraph_tui.evaluation.judging.address.not_installed", list)
    check_judges(EvalPresets.safety_check(), "safety_check", request(**options))


@pytest.mark.usefixtures("_judged")
def test_a_key_in_the_file_of_variables_counts(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "keys.env").write_text("GEMINI_API_KEY=k\n")
    monkeypatch.setattr("tenxgraph_tui.evaluation.judging.address.not_installed", list)
    asked = request().model_copy(update={"env_file": str(project / "keys.env")})
    check_judges(EvalPresets.safety_check(), "safety_check", asked)


def test_the_model_of_the_flag_judges_everything_and_the_config_stays_as_it_was() -> None:
    config = EvalPresets.safety_check()
    config.custom = [CustomCriterion(criterion="a:B", config=CriterionConfig())]
    judged = with_judge(config, "gpt-4o")
    assert {criterion.judge_model for _, criterion in judged.criteria.enabled()} == {"gpt-4o"}
    assert judged.custom[0].config.judge_model == "gpt-4o"
    assert {criterion.judge_model for _, criterion in config.criteria.enabled()} == {
        CriterionConfig().judge_model
    }
    assert with_judge(config, None) is config


def test_only_runs_that_may_judge_have_options_for_it() -> None:
    def plan(config: EvalConfig) -> list[SetPlan]:
        return [SetPlan(eval_set=None, target=None, config=config)]  # type: ignore[arg-type]  # not looked at

    own = EvalPresets.quick_check()
    own.custom = [CustomCriterion(criterion="a:B")]
    asked = request(judge_model="m", judge_base_url="http://x")
    assert judge_options(asked, plan(EvalPresets.quick_check())) is None
    for config in (own, EvalPresets.safety_check()):
        assert judge_options(asked, plan(config)) == JudgeOptions("m", "http://x")


@pytest.fixture(scope="module")
def models() -> Any:
    with model_server() as server:
        yield server


@pytest.fixture
def polite(project: Path, write_set: WriteSet) -> Path:
    (project / "manners.py").write_text(POLITENESS)
    (project / "ci.evalconfig.json").write_text(json.dumps({"custom": ["manners:Politeness"]}))
    return write_set(case("hello"), case("bye"))


def test_a_criterion_of_ones_own_asks_whom_the_flags_name(
    shell: Shell, polite: Path, models: ModelServer
) -> None:
    done = shell(
        *("run", "--config", "ci.evalconfig.json", "--events", "-"),
        *("--judge-model", "good", "--judge-base-url", models.url),
    )
    assert done.code == 0, done.err
    events = [json.loads(line) for line in done.out.splitlines()]
    told = [event for event in events if event["kind"] == "judge_started"]
    assert {(event["criterion"], event["sample"], event["of"]) for event in told} == {
        ("politeness", 1, 2),
        ("politeness", 2, 2),
    }
    assert len(models.asked("good")) == 4
    prompts = {request.prompt.splitlines()[0] for request in models.asked("good")}
    assert prompts == {"How polite is this? hello", "How polite is this? bye"}


def test_settings_and_variables_say_the_same(
    shell: Shell, polite: Path, project: Path, models: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "tenxgraph-tui.toml").write_text('judge_model = "good|settings"\n')
    monkeypatch.setenv("TENXGRAPH_TUI_JUDGE_BASE_URL", models.url)
    monkeypatch.setenv("TENXGRAPH_TUI_JUDGE_API_KEY", "a-key-for-that-server")
    done = shell("run", "--config", "ci.evalconfig.json")
    assert done.code == 0, done.err
    assert "warning" not in done.err
    sent = {request.headers["authorization"] for request in models.asked("good|settings")}
    assert sent == {"Bearer a-key-for-that-server"}


def test_what_a_judge_said_is_asked_once_where_answers_are_kept(
    shell: Shell, polite: Path, models: ModelServer
) -> None:
    words: tuple[str, ...] = ("run", "--config", "ci.evalconfig.json", "--report", "json")
    words += ("--judge-model", "good|kept", "--judge-base-url", models.url)
    assert shell(*words).code == 0
    assert shell(*words, "--judge-cache").code == 0
    assert len(models.asked("good|kept")) == 8, "the first run kept nothing"
    assert shell(*words, "--judge-cache").code == 0
    assert len(models.asked("good|kept")) == 8
    done = shell(*words, "--no-judge-cache")
    assert done.code == 0
    assert len(models.asked("good|kept")) == 12


def test_the_setting_says_so_too_and_doctor_tells_what_is_kept(
    shell: Shell, polite: Path, project: Path, models: ModelServer
) -> None:
    (project / "tenxgraph-tui.toml").write_text("judge_cache = true\n")
    words: tuple[str, ...] = ("run", "--config", "ci.evalconfig.json")
    words += ("--judge-model", "good|said", "--judge-base-url", models.url)
    assert "none kept" in shell("doctor").out
    shell(*words)
    shell(*words)
    assert len(models.asked("good|said")) == 4
    assert "4 answers kept" in shell("doctor").out
    assert shell(*words, "--no-judge-cache").code == 0
    assert len(models.asked("good|said")) == 8


def test_a_judge_that_fails_makes_errors_and_no_numbers(
    shell: Shell, polite: Path, models: ModelServer
) -> None:
    done = shell(
        *("run", "--config", "ci.evalconfig.json", "--report", "json"),
        *("--judge-model", "401", "--judge-base-url", models.url),
    )
    assert done.code == 3
    assert "it refused the key (401)" in done.out
    (file,) = Path("eval_reports").glob("*.json")
    (first, _) = json.loads(file.read_text())["results"]
    assert first["criterion_results"][0]["verdict"] == "error"


ASKS_A_MODEL = """
from tenxgraph_tui.evaluation.criteria import TemplatedLLMCriterion

class Poetic(TemplatedLLMCriterion):
    name = "poetic"

    def _build_prompt(self, actual, expected):
        return self._fenced("answer", actual.actual_response)
"""


def test_a_key_that_a_criterion_of_ones_own_needs_is_missed_before_the_first_case(
    shell: Shell, write_set: WriteSet, project: Path
) -> None:
    (project / "poetry.py").write_text(ASKS_A_MODEL)
    write_set(case("a"), config={"custom": ["poetry:Poetic"]})
    done = shell("run")
    assert done.code == 4
    assert "set GEMINI_API_KEY or GOOGLE_API_KEY: poetic needs a model" in done.err
    assert done.out == ""


@pytest.mark.parametrize(
    ("module", "made"),
    [
        ("sonnets", "CompositeCriterion([Poetic()], config=config)"),
        ("odes", "WeightedCriterion([(Poetic(), 1.0)], config=config)"),
        ("ballads", "CompositeCriterion([CompositeCriterion([Poetic()])], config=config)"),
    ],
)
def test_a_key_that_a_criterion_inside_of_another_needs_is_missed_before_the_first_case(
    shell: Shell, write_set: WriteSet, project: Path, module: str, made: str
) -> None:
    (project / f"{module}.py").write_text(
        "from tenxgraph_tui.evaluation import CompositeCriterion, WeightedCriterion\n"
        f"{ASKS_A_MODEL}\ndef made(config):\n    return {made}\n"
    )
    write_set(case("a"), config={"custom": [f"{module}:made"]})
    done = shell("run")
    assert done.code == 4
    assert "set GEMINI_API_KEY or GOOGLE_API_KEY: poetic (in " in done.err
    assert done.out == ""


def test_a_script_that_a_criterion_of_ones_own_needs_is_missed_before_the_first_case(
    shell: Shell, write_set: WriteSet, project: Path
) -> None:
    (project / "haiku.py").write_text(ASKS_A_MODEL)
    custom = {"criterion": "haiku:Poetic", "config": {"judge_model": "scripted:gone.json"}}
    write_set(case("a"), config={"custom": [custom]})
    done = shell("run")
    assert done.code == 4
    assert "gone.json" in done.err
    assert done.out == ""


def test_what_has_no_effect_in_a_config_is_said_once_for_all_sets(
    shell: Shell, write_set: WriteSet, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [])  # pytest has its own there
    criteria = {"rouge_match": {"threshold": 0.5, "mood": "calm"}}
    (project / "own.json").write_text(json.dumps({"criteria": criteria}))
    for name in ("one", "two"):
        write_set(case("a"), name=name)
    done = shell("run", "--config", "own.json")
    told = "own.json: unknown key criteria.rouge_match.mood: it is kept and has no effect"
    assert [line for line in done.err.splitlines() if "mood" in line] == [f"warning: {told}"]
    assert shell("list", "--config", "own.json").err.count(told) == 1


def test_a_run_without_judges_loads_none(project: Path, write_set: WriteSet) -> None:
    import subprocess
    import sys

    write_set(case("a"))
    program = (
        "import sys; from tenxgraph_tui.cli.main import main; code = main(['run', '--quiet']); "
        "print(code, {'litellm', 'openai', 'tenacity', 'json5'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=project, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "0 set()"


def test_a_key_in_a_settings_file_is_refused(shell: Shell, polite: Path, project: Path) -> None:
    (project / "tenxgraph-tui.toml").write_text('judge_api_key = "sk-1"\n')
    done = shell("run")
    assert done.code == 4
    assert "tenxgraph-tui.toml:1: judge_api_key does not belong in a file" in done.err
    assert "set TENXGRAPH_TUI_JUDGE_API_KEY instead" in done.err
