from __future__ import annotations

import pytest

from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.evaluation.events import Log
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.tui.results import KEPT, ResultReader
from tenxgraph_tui.tui.words import LONGEST_TEXT

HUGE = "x" * 5_000_000
KEY = CaseKey(0, "huge")


class Store:
    def __init__(self, result: EvalCaseResult) -> None:
        self._result = result

    def result(self, run_id: str, key: CaseKey) -> EvalCaseResult:
        return self._result

    def said_by(self, run_id: str, key: CaseKey) -> tuple[Log, ...]:
        return (Log(seq=0, at=0.0, run_id=run_id, case=key, text="asking"),)


def read(**fields: object) -> EvalCaseResult:
    made = EvalCaseResult.model_validate({"eval_id": "huge", "passed": True, **fields})
    found = ResultReader(Store(made)).read("run", KEY)  # type: ignore[arg-type]  # a store in small
    assert found is not None
    return found


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"actual_response": HUGE}, id="the answer"),
        pytest.param({"turn_results": [{"actual_response": HUGE}]}, id="the answer of a turn"),
        pytest.param({"messages": [{"content": [{"text": HUGE}]}]}, id="a message"),
        pytest.param(
            {"actual_tool_calls": [ToolCall(name="read", result={"text": HUGE})]},
            id="what a tool found",
        ),
        pytest.param({"error": HUGE}, id="an error"),
    ],
)
def test_of_a_long_text_the_beginning_is_kept(fields: dict[str, object]) -> None:
    kept = read(**fields).model_dump_json()
    assert len(kept) < LONGEST_TEXT + 2_000
    assert "x" * LONGEST_TEXT + "… 4,980,000 more characters" in kept


def test_arguments_stay_whole_because_they_are_compared() -> None:
    found = read(actual_tool_calls=[ToolCall(name="save", args={"text": HUGE})])
    assert found.actual_tool_calls[0].args["text"] == HUGE


def test_what_is_short_stays_as_it_is() -> None:
    found = read(actual_response="Rain.", messages=[{"content": "Rain?"}], node_visits=["MAIN"])
    assert (found.actual_response, found.node_visits) == ("Rain.", ["MAIN"])


def test_what_a_case_said_comes_and_goes_with_its_result() -> None:
    made = EvalCaseResult(eval_id="a", passed=True)
    reader = ResultReader(Store(made))  # type: ignore[arg-type]  # a store in small
    assert reader.log("run", KEY) == ()
    reader.read("run", KEY)
    assert [line.text for line in reader.log("run", KEY)] == ["asking"]
    for number in range(KEPT):
        reader.read("run", CaseKey(0, f"{number}"))
    assert reader.cached("run", KEY) is None
    assert reader.log("run", KEY) == ()
