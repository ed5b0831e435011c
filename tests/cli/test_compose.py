"""A request becomes plans: each set with the right cases, target and config, or a clear refusal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.cli.compose import options, plans
from tenxgraph_tui.errors import (
    ConfigError,
    EvalSetError,
    EvalSetNotFound,
    TargetError,
    TenxError,
    UsageError,
)
from tenxgraph_tui.evaluation.config import CriteriaConfig, CriterionConfig, EvalConfig
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.session.protocol import RequestOptions, SetRequest, WorkerRequest
from tests.cli.conftest import WriteSet, case


def request(*paths: Path | str, ids: tuple[str, ...] | None = None, **fields: Any) -> WorkerRequest:
    sets = tuple(SetRequest(path=str(path), ids=ids) for path in paths)
    return WorkerRequest(root=str(Path.cwd()), sets=sets, **fields)


def slots(config: EvalConfig) -> list[str]:
    return [slot for slot, _ in config.criteria.enabled()]


CI = EvalConfig(criteria=CriteriaConfig(node_order=CriterionConfig.node_order()))


def test_a_set_with_its_own_target_and_no_config(write_set: WriteSet) -> None:
    (plan,) = plans(request(write_set(case("a"), case("b"))))
    assert [each.eval_id for each in plan.eval_set.eval_cases] == ["a", "b"]
    assert plan.file == "basic.evalset.json"
    assert plan.target_name == "agents.py:echo"
    assert plan.config_name == "offline (default)"
    assert slots(plan.config) == ["tool_name_match", "trajectory", "rouge_match"]


def test_only_the_cases_that_are_asked_for(write_set: WriteSet) -> None:
    (plan,) = plans(request(write_set(case("a"), case("b"), case("c")), ids=("c", "a")))
    assert [each.eval_id for each in plan.eval_set.eval_cases] == ["a", "c"]


def test_the_flag_names_the_target_of_all(write_set: WriteSet) -> None:
    paths = write_set(case("a")), write_set(case("a"), name="other", target=None)
    first, second = plans(request(*paths, target="agents.py:noisy"))
    assert first.target_name == second.target_name == "agents.py:noisy"
    assert first.target is second.target


def test_sets_with_targets_of_their_own(write_set: WriteSet) -> None:
    paths = write_set(case("a")), write_set(case("a"), name="other", target="agents.py:noisy")
    first, second = plans(request(*paths))
    assert (first.target_name, second.target_name) == ("agents.py:echo", "agents.py:noisy")


@pytest.mark.parametrize(
    ("own", "asked", "name", "checked"),
    [
        pytest.param(None, None, "offline (default)", 3, id="nothing said"),
        pytest.param("quick_check", None, "quick_check (basic.evalset.json)", 1, id="a preset"),
        pytest.param("ci.json", None, "ci.json (basic.evalset.json)", 1, id="a file"),
        pytest.param(
            CI.model_dump(), None, "inline (basic.evalset.json)", 1, id="the config itself"
        ),
        pytest.param("ci.json", "tool_usage", "tool_usage (preset)", 2, id="the request wins"),
        pytest.param("quick_check", "ci.json", "ci.json (--config)", 1, id="so does its file"),
        pytest.param("quick_check", CI.model_dump(), "config", 1, id="and its config"),
    ],
)
def test_which_config_and_where_it_came_from(
    write_set: WriteSet, own: Any, asked: Any, name: str, checked: int
) -> None:
    CI.to_file("ci.json")
    path = write_set(case("a"), **({} if own is None else {"config": own}))
    (plan,) = plans(request(path, config=asked))
    assert plan.config_name == name
    assert len(slots(plan.config)) == checked


def test_the_request_may_say_how_its_config_is_called(write_set: WriteSet) -> None:
    (plan,) = plans(request(write_set(case("a")), config="tool_usage", config_name="mine"))
    assert plan.config_name == "mine"


@pytest.mark.parametrize(
    ("meta", "fields", "kind", "told"),
    [
        pytest.param({"target": None}, {}, TargetError, "no target: write --target", id="none"),
        pytest.param({"target": 7}, {}, TargetError, "metadata.target must be a text", id="number"),
        pytest.param({"target": "../x.py:a"}, {}, TargetError, "outside", id="outside the project"),
        pytest.param(
            {"target": "gone.py:a"}, {}, TargetError, "basic.evalset.json: metadata", id="gone"
        ),
        pytest.param({}, {"target": "gone.py:a"}, TargetError, "gone.py", id="a flag's target"),
        pytest.param({"config": "offlin"}, {}, ConfigError, "did you mean 'offline'?", id="typo"),
        pytest.param({"config": 7}, {}, ConfigError, "metadata.config must be", id="no config"),
        pytest.param({"config": "gone.json"}, {}, ConfigError, "gone.json", id="no config file"),
        pytest.param({"config": "/etc/x.json"}, {}, ConfigError, "outside", id="config outside"),
        pytest.param({"config": "a\0.json"}, {}, ConfigError, "no file can be", id="zero byte"),
        pytest.param({"target": "a\0.py:x"}, {}, TargetError, "there is no file", id="no name"),
        pytest.param({"config": "loop.json"}, {}, ConfigError, "cannot be read", id="a loop"),
        pytest.param({"target": "loop.json:x/y.py:z"}, {}, TargetError, "no file", id="below it"),
        pytest.param({"config": {"criteria": {"rouge": {}}}}, {}, ConfigError, "rouge", id="slot"),
        pytest.param(
            {"config": "default"},
            {},
            ConfigError,
            "set GEMINI_API_KEY or GOOGLE_API_KEY: response_match needs",
            id="a judge",
        ),
        pytest.param(
            {}, {"config": "safety_check"}, ConfigError, "hallucination, safety need", id="judges"
        ),
        pytest.param({}, {"config": "gone.json"}, ConfigError, "gone.json", id="no such file"),
        pytest.param({}, {"ids": ("aa",)}, UsageError, "there is no case 'aa'", id="no such case"),
    ],
)
def test_what_cannot_be_run_is_refused_before_the_first_case(
    write_set: WriteSet,
    meta: dict[str, Any],
    fields: dict[str, Any],
    kind: type[TenxError],
    told: str,
) -> None:
    path = write_set(case("a"), **meta)
    path.with_name("loop.json").symlink_to("loop.json")
    with pytest.raises(kind, match=r"(?s).") as raised:
        plans(request(path, **fields))
    assert told in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1


def test_every_file_that_cannot_be_read_is_named(write_set: WriteSet, project: Path) -> None:
    (project / "torn.evalset.json").write_text('{"eval_set_id": ')
    with pytest.raises(EvalSetError) as raised:
        plans(request(write_set(case("a")), "torn.evalset.json", "gone.evalset.json"))
    first, second = str(raised.value).splitlines()
    assert first.startswith("torn.evalset.json")
    assert second.startswith("gone.evalset.json")
    assert raised.value.exit_code == 4


def test_a_missing_file_alone_is_a_missing_path(project: Path) -> None:
    with pytest.raises(EvalSetNotFound):
        plans(request(project / "gone.evalset.json"))


def test_nothing_of_the_project_is_imported(write_set: WriteSet, project: Path) -> None:
    path = write_set(case("a"))
    (project / "agents.py").write_text("raise SystemExit('imported')")
    assert plans(request(path))


def test_options_leave_to_the_configs_what_nobody_asked_for(write_set: WriteSet) -> None:
    wide = EvalPresets.quick_check()
    wide.max_concurrency = 9
    path = write_set(case("a"), config=json.loads(wide.model_dump_json()))
    asked = request(path, options=RequestOptions(timeout=2.0))
    made = options(asked, plans(asked), 18)
    assert made.max_concurrency == 9
    assert (made.number, made.timeout, made.run_id) == (18, 2.0, asked.run_id)
    assert made.watchdog


def test_cases_that_begin_first_are_named_by_their_file(write_set: WriteSet) -> None:
    paths = [write_set(case("a"), name="one"), write_set(case("a"), name="two")]
    first = ((str(paths[1]), "a"), ("gone.evalset.json", "a"))
    asked = request(*paths, options=RequestOptions(first=first))
    assert options(asked, plans(asked), None).first == {(1, "a")}


def test_without_capture_one_case_runs_at_a_time(write_set: WriteSet) -> None:
    asked = request(write_set(case("a")), options=RequestOptions(max_concurrency=8, capture=False))
    made = options(asked, plans(asked), None)
    assert made.max_concurrency == 1
    assert not made.watchdog
