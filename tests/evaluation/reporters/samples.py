"""Case results of each kind, to print and to write."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tenxgraph_tui.evaluation.dataset import ToolCall, TrajectoryStep
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.results import (
    CriterionResult,
    EvalCaseResult,
    EvalSummary,
    NodeDetail,
    Score,
)

HOSTILE = [
    "ok\x00\x1b[31mred\x0b\ufffe\uffff\ud83d 🚀 中文",
    "a\x01 & <b> \"q\" 'x' ]]>",
    "</script><script>alert(1)</script><img src=x onerror=alert(2)>",
    '"><b onmouseover=alert(3)>',
    "javascript:alert(3)",
    "one\u2028two\u2029three\r\nfour\ttab",
    "&lt;already&gt; &amp;amp;",
    "{{ 7 * 7 }} {% raw %} {# gone #}",
    "</noscript><svg onload=alert(4)></style></title></textarea>-->",
    "\u202eright to left\u202c \ufeff",
    "| a | b |\n| --- | --- |\n```\n# head\n```` ~~~ [x](http://evil) ![y](z) @someone #12 \\| `",
    "",
    " ",
    "\n",
]
"""What agents say to break a report: EDGE-CASES B63 and B66."""


def scored(
    name: str, score: float, threshold: float, reason: str = "", **details: Any
) -> CriterionResult:
    return CriterionResult.judged(name, Score(score, reason, details), threshold)


def passing(eval_id: str = "london_now") -> EvalCaseResult:
    return EvalCaseResult.success(
        eval_id,
        [scored("tool_trajectory_avg_score", 1.0, 1.0), scored("rouge_match", 0.914, 0.5)],
        actual_response="Sunny",
        duration_seconds=1.23,
        token_usage=TokenUsage(400, 12),
    )


def failing(eval_id: str = "tokyo", *, answer: str = "12 degrees in Kyoto") -> EvalCaseResult:
    return EvalCaseResult.success(
        eval_id,
        [
            scored("tool_trajectory_avg_score", 1 / 3, 1.0, "first divergence: call 2, city"),
            scored("rouge_match", 0.5999, 0.6, "9 of 15 words differ"),
        ],
        actual_response=answer,
        actual_tool_calls=[ToolCall(name="get_weather", args={"city": "Kyoto"})],
        duration_seconds=1.9,
        token_usage=TokenUsage(640, 15),
    )


def known() -> EvalCaseResult:
    """A failure that its file expects."""
    return EvalCaseResult(
        eval_id="wind",
        passed=True,
        criterion_results=[scored("rouge_match", 0.1, 0.5, "other words")],
        metadata={"xfailed": "bug 7"},
    )


def surprising() -> EvalCaseResult:
    """A pass of a case that was expected to fail."""
    result = passing("uv")
    result.metadata = {"unexpected_pass": "bug 8"}
    return result


def telling(text: str, *, passed: bool = False) -> EvalCaseResult:
    """A case that says `text` wherever a result has room for it."""
    call = ToolCall(name=text, args={text: text}, result={text: [text]}, error=text)
    message = {"role": "assistant", "content": text, "tool_calls": [{"name": text, "args": text}]}
    bad = scored("rouge_match", 0.1, 0.5, text, expected_response=text)
    return EvalCaseResult(
        eval_id=text,
        name=f"{text} name",
        passed=passed,
        error=None if passed else f"ValueError: {text}",
        criterion_results=[bad, CriterionResult.failure(text, text, 0.5)],
        actual_response=text,
        actual_tool_calls=[call],
        actual_trajectory=[TrajectoryStep.node(text), TrajectoryStep.tool(text, {text: text})],
        messages=[message],
        node_responses=[{"node_name": text, "response_text": text, "tool_call_names": [text]}],
        node_visits=[text],
        node_details=[NodeDetail(node_name=text, response_text=text)],
        metadata={"traceback": text, "xfailed": text, text: text},
        turn_results=[
            {"user_query": text, "expected_response": f"{text} x", "actual_response": text}
        ],
    )


def secretive() -> EvalCaseResult:
    """Every text of a kind holds the name of its kind, wherever a run records it."""
    args, result, answer = {"q": "SECRET-ARG"}, {"found": "SECRET-RESULT"}, "It is SECRET-ANSWER."
    call = ToolCall(name="search", args=args, call_id="1", result=result)
    function = {"name": "search", "arguments": '{"q": "SECRET-ARG"}'}
    asked = {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": "1", "type": "function", "function": function}],
    }
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "the question"},
        asked,
        {"role": "tool", "content": '{"found": "SECRET-RESULT"}', "tool_call_id": "1"},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": answer},
                {"type": "tool_result", "output": "SECRET-RESULT"},
            ],
        },
        {"role": "narrator", "content": answer, "reasoning": answer},
    ]
    reply = {
        "node_name": "SECRET-NODE",
        "input_messages": messages,
        "response_text": answer,
        "token_usage": {"input_tokens": 3},
    }
    step = TrajectoryStep.tool("search", args, seconds=0.5, node="MAIN", error="SECRET-RESULT")
    return EvalCaseResult(
        eval_id="secretive",
        passed=False,
        criterion_results=[
            scored("tool_trajectory_avg_score", 0.0, 1.0, "SECRET-DETAIL call 1"),
            scored("rouge_match", 0.4, 0.5, "2 of 3 words differ", expected_response="expected"),
            scored("exact_match", 0.0, 1.0, "expected 'x' / got 'is SECRET-ANS'"),
            scored("final_response_match_v2", 0.1, 0.8, f"said {answer}", samples=[answer], n=3),
            scored("my_own", 0.1, 0.8, f"used SECRET-ARG, got SECRET-RESULT, said {answer}"),
            CriterionResult.failure("odd", f"cannot judge {answer} of {function['arguments']}"),
        ],
        error=f"odd: cannot judge {answer} of {function['arguments']}",
        actual_response=answer,
        actual_tool_calls=[call],
        actual_trajectory=[TrajectoryStep.node("SECRET-STEP"), step],
        messages=messages,
        node_responses=[reply],
        node_visits=["MAIN"],
        metadata={"traceback": f"raise ValueError({answer!r}, 'SECRET-ARG')"},
        turn_results=[
            {
                "turn": 0,
                "user_query": "the question",
                "expected_response": "expected",
                "actual_response": answer,
                "tool_calls": [call.model_dump()],
                "expected_tool_calls": [call.model_dump()],
            }
        ],
        node_details=[NodeDetail.model_validate(reply)],
    )


class Endless:
    """A run of any size: its results exist one at a time."""

    eval_set_id = eval_set_name = "large"
    config_used: dict[str, Any] = {}  # noqa: RUF012 - read only
    metadata: dict[str, Any] = {}  # noqa: RUF012 - read only
    timestamp = 0.0

    def __init__(self, path: Path, *, fail_at: int = -1, many: int = 300) -> None:
        self.folder, self.fail_at, self.many = path, fail_at, many
        self.sizes: list[int] = []
        self.summary = EvalSummary(total_cases=many, passed_cases=many)

    def iter_results(self, *, noteworthy: bool = False) -> Iterator[EvalCaseResult]:
        del noteworthy  # all of them passed, and all are wanted
        for number in range(self.many):
            if number == self.fail_at:
                raise OSError("the store is gone")
            self.sizes.append(sum(file.stat().st_size for file in self.folder.iterdir()))
            yield passing(f"case_{number}")
