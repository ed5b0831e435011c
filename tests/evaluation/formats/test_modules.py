"""Eval modules: every way in which a file may offer sets, a config, an agent and scenarios."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tenxgraph_tui.errors import EvalSetError, EvalSetNotFound
from tenxgraph_tui.evaluation.formats.module_paths import file_in, is_module, split
from tenxgraph_tui.evaluation.formats.modules import (
    EvalModule,
    nothing_in,
    read_module,
    read_module_set,
)

Read = Callable[[str], EvalModule]

IMPORTS = """\
from tenxgraph_tui.evaluation import ConversationScenario, EvalCase, EvalConfig, EvalPresets
from tenxgraph_tui.evaluation import EvalSet

def one(eval_set_id="one", **more):
    return EvalSet(eval_set_id=eval_set_id, eval_cases=[EvalCase.single_turn("a", "hi")], **more)
"""


@pytest.fixture
def read(project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Read]:
    """Write `x_eval.py` below the imports that its kind needs, and read it."""
    monkeypatch.setattr(sys, "path", [*sys.path])

    def write_and_read(text: str) -> EvalModule:
        (project / "x_eval.py").write_text(IMPORTS + textwrap.dedent(text))
        return read_module("x_eval.py", project)

    yield write_and_read
    for name in [name for name in sys.modules if name.startswith("_target_")]:
        del sys.modules[name]


def line_of(name: str, project: Path) -> int:
    lines = (project / "x_eval.py").read_text().splitlines()
    return next(number for number, line in enumerate(lines, start=1) if name in line)


def test_get_eval_set_goes_by_the_path_of_its_file(read: Read) -> None:
    found = read("def get_eval_set():\n    return one()\n")
    assert list(found.sets) == ["x_eval.py"]
    assert found.sets["x_eval.py"].eval_set_id == "one"
    assert not found.problems


def test_other_functions_go_by_their_names_in_alphabetical_order(read: Read) -> None:
    found = read("""
        def winter() -> EvalSet:
            return one("w")
        def summer() -> "EvalSet":
            return one("s")
        def _hidden() -> EvalSet:
            return one("h")
        def unannotated():
            return one("u")
        def with_argument(x) -> EvalSet:
            return one("x")
    """)
    assert list(found.sets) == ["x_eval.py:summer", "x_eval.py:winter"]


def test_get_eval_set_is_the_only_one_where_there_is_one(read: Read) -> None:
    found = read("""
        def get_eval_set():
            return one()
        def helper() -> EvalSet:
            return one("h")
    """)
    assert list(found.sets) == ["x_eval.py"]


def test_functions_that_are_imported_are_not_its_own(read: Read, project: Path) -> None:
    (project / "shared.py").write_text(IMPORTS + "def shared() -> EvalSet:\n    return one()\n")
    assert read("from shared import shared\n").is_empty


def test_async_functions_are_awaited(read: Read) -> None:
    found = read("async def get_eval_set():\n    return one('late')\n")
    assert found.sets["x_eval.py"].eval_set_id == "late"


@pytest.mark.parametrize(
    "text",
    [
        "EVAL_CONFIG = EvalPresets.quick_check()",
        "def get_eval_config():\n    return EvalPresets.quick_check()",
        "def rules() -> EvalConfig:\n    return EvalPresets.quick_check()",
    ],
)
def test_the_config_of_the_module_is_that_of_its_sets(read: Read, text: str) -> None:
    found = read(f"{text}\ndef get_eval_set():\n    return one()\n")
    config = found.sets["x_eval.py"].metadata["config"]
    assert config["criteria"]["rouge_match"]["enabled"]


def test_the_app_of_the_module_is_the_target_unless_the_set_names_one(read: Read) -> None:
    found = read("""
        app = str
        def mine() -> EvalSet:
            return one()
        def theirs() -> EvalSet:
            return one(metadata={"target": "agents.py:echo"})
    """)
    assert found.sets["x_eval.py:mine"].metadata == {"target": "x_eval.py:app"}
    assert found.sets["x_eval.py:theirs"].metadata == {"target": "agents.py:echo"}


def test_ids_left_to_chance_are_the_same_at_every_reading(read: Read) -> None:
    found = read("""
        from tenxgraph_tui.evaluation import Invocation, MessageContent
        def smoke() -> EvalSet:
            turn = Invocation(user_content=MessageContent.user("hi"))
            return EvalSet(eval_cases=[EvalCase(conversation=[turn])])
    """)
    made = found.sets["x_eval.py:smoke"]
    assert (made.eval_set_id, made.eval_cases[0].eval_id) == ("smoke", "case-1")


def test_a_random_id_is_no_name_for_a_set(read: Read) -> None:
    found = read("""
        from uuid import uuid4
        def get_eval_set() -> EvalSet:
            return one(eval_set_id=str(uuid4()))
    """)
    assert found.sets["x_eval.py"].eval_set_id == "x_eval"


def test_objects_of_other_classes_of_the_same_names_are_read_by_what_they_say(read: Read) -> None:
    found = read("""
        from pydantic import BaseModel
        Ours = one
        class EvalSet(BaseModel):
            eval_set_id: str
            eval_cases: list[dict]
        class EvalConfig(BaseModel):
            criteria: dict
        EVAL_CONFIG = EvalConfig(criteria={"rouge_match": {"threshold": 0.3}})
        def get_eval_set():
            cases = [c.model_dump() for c in []]
            turn = {"user_content": {"role": "user", "content": "hi"}}
            return EvalSet(eval_set_id="w", eval_cases=[{"eval_id": "a", "conversation": [turn]}])
    """)
    made = found.sets["x_eval.py"]
    assert made.eval_cases[0].conversation[0].user_content.get_text() == "hi"
    assert made.metadata["config"]["criteria"]["rouge_match"]["threshold"] == 0.3


def test_what_such_an_object_was_filled_with_later_is_read_too(read: Read) -> None:
    found = read("""
        from pydantic import BaseModel
        class EvalSet(BaseModel):
            eval_set_id: str = "left to chance"
            eval_cases: list[dict] = []
        def smoke() -> EvalSet:
            made = EvalSet()
            made.eval_cases.append({"eval_id": "a", "conversation": []})
            return made
    """)
    made = found.sets["x_eval.py:smoke"]
    assert (made.eval_set_id, [case.eval_id for case in made.eval_cases]) == ("smoke", ["a"])


@pytest.mark.parametrize(
    "text",
    [
        'SCENARIOS = [ConversationScenario(scenario_id="trip"), ConversationScenario()]',
        (
            "def get_scenarios():\n"
            '    return [ConversationScenario(scenario_id="trip"), ConversationScenario()]'
        ),
    ],
)
def test_scenarios_are_listed(read: Read, text: str) -> None:
    found = read(f"{text}\n")
    assert found.scenarios == ("trip", "scenario-2")
    assert nothing_in(found) == "simulated conversations cannot be run yet (trip, scenario-2)"


def test_a_function_that_raises_is_named_with_its_line_and_hides_no_other(
    read: Read, project: Path
) -> None:
    found = read("""
        def bad() -> EvalSet:
            return {}["x"]  # here
        def good() -> EvalSet:
            return one()
    """)
    assert list(found.sets) == ["x_eval.py:good"]
    line = line_of("# here", project)
    assert found.problems == (f"x_eval.py:{line}: bad() raised KeyError: 'x'",)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def get_eval_set():\n    return None", "get_eval_set() is None, not an EvalSet"),
        ("def get_eval_set():\n    return {}", "is an object of dict, not an EvalSet"),
        ("def get_eval_set():\n    raise SystemExit(3)", "get_eval_set() raised SystemExit: 3"),
        ("def get_eval_set(x):\n    return one()", "must be callable without arguments"),
        (
            "def get_eval_set():\n    return EvalSet.model_validate({'name': 3, 'eval_cases': 4})",
            "ValidationError: EvalSet: name: Input should be a valid string, and 1 more",
        ),
        ("EVAL_CONFIG = 3\ndef get_eval_set():\n    return one()", "not an EvalConfig"),
        ("SCENARIOS = 3", "must be a list of ConversationScenario"),
        ("SCENARIOS = [3]", "SCENARIOS[0] is an object of int"),
        (
            (
                "def get_eval_set():\n    made = one()\n"
                "    made.eval_cases.append(made.eval_cases[0])\n    return made"
            ),
            "eval_cases[1]: eval_id 'a' stands twice",
        ),
        (
            (
                "def get_eval_set():\n    made = one()\n"
                '    made.eval_cases[0].metadata = {"criteria": {"rogue_match": 1}}\n'
                "    return made"
            ),
            "rogue_match",
        ),
    ],
)
def test_what_is_no_set_is_told_in_a_line_with_the_file(read: Read, text: str, told: str) -> None:
    (problem,) = read(f"{text}\n").problems
    assert problem.startswith("x_eval.py")
    assert told in problem
    assert "\n" not in problem


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1 +\n", r"x_eval\.py:\d+: it cannot be imported: SyntaxError"),
        ("import nothing_of_that_name\n", r"x_eval\.py:\d+: .*nothing_of_that_name"),
        ("raise SystemExit(7)\n", r"x_eval\.py:\d+: it cannot be imported: SystemExit: 7"),
        ("import deep\n", r"x_eval\.py: .*ValueError: deep down \(at .*deep\.py:1\)"),
    ],
)
def test_a_module_that_cannot_be_imported_is_told_with_its_line(
    read: Read, project: Path, text: str, told: str
) -> None:
    (project / "deep.py").write_text("raise ValueError('deep down')\n")
    with pytest.raises(EvalSetError) as failure:
        read(text)
    assert re.match(told, str(failure.value))


def test_a_module_that_is_not_there(project: Path) -> None:
    with pytest.raises(EvalSetNotFound):
        read_module("x_eval.py", project)


def test_one_set_by_its_path(read: Read, project: Path) -> None:
    read("def smoke() -> EvalSet:\n    return one()\n")
    assert read_module_set("x_eval.py:smoke", project).eval_set.eval_set_id == "one"
    with pytest.raises(EvalSetError, match=r"there is no such set: write x_eval\.py:smoke"):
        read_module_set("x_eval.py:smok", project)


def test_a_module_without_any_entry_point(read: Read, project: Path) -> None:
    found = read("x = 1\n")
    assert found.is_empty
    assert "write get_eval_set(), or a function annotated -> EvalSet" in nothing_in(found)
    with pytest.raises(EvalSetError, match="no eval set"):
        read_module_set("x_eval.py", project)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a_eval.py", True), ("eval_a.py", True), ("evals.py", False), ("a_eval.json", False)],
)
def test_which_files_are_modules(name: str, *, expected: bool) -> None:
    assert is_module(name) is expected


def test_paths_of_sets() -> None:
    assert split("evals/a_eval.py:smoke") == ("evals/a_eval.py", "smoke")
    assert split("evals/a_eval.py") == ("evals/a_eval.py", None)
    assert split("a.evalset.json") is None
    assert file_in("evals/a_eval.py:smoke") == Path("evals/a_eval.py")
