"""What an agent did, told step by step: makes the result that a recorder would have left."""

from __future__ import annotations

from typing import Any, Self

from tenxgraph_tui.evaluation.dataset import EvalCase, ToolCall, TrajectoryStep
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.results import CaseKey, CriterionResult, EvalCaseResult, Score
from tenxgraph_tui.tui.changes import Against, Change
from tenxgraph_tui.tui.panes.model import DetailModel

START = 1_800_000_000.0


def call(name: str, **args: Any) -> ToolCall:
    return ToolCall(name=name, args=args)


class Story:
    """An agent with the nodes MAIN and TOOL; every step takes the seconds that it is told to."""

    def __init__(self, *, visits: bool = True, tells_input: bool = True) -> None:
        self.now = START
        self.turn = -1
        self.visits, self.tells_input = visits, tells_input
        self.steps: list[TrajectoryStep] = []
        self.messages: list[dict[str, Any]] = []
        self.replies: list[dict[str, Any]] = []
        self.calls: list[ToolCall] = []
        self.answer = ""

    def user(self, text: str) -> Self:
        self.turn += 1
        self.messages.append({"role": "user", "content": text})
        return self

    def model(
        self,
        text: str = "",
        *calls: ToolCall,
        seconds: float = 0.5,
        usage: tuple[int, int, int] = (100, 20, 0),
        model: str = "",
    ) -> Self:
        """A model answers, or asks for calls and perhaps says something beside them."""
        self._visit("MAIN", seconds)
        self.now += seconds
        seen = [dict(message) for message in self.messages] if self.tells_input else []
        message: dict[str, Any] = {"id": f"m{len(self.messages)}", "role": "assistant"}
        message["content"] = text
        if calls:
            message["tool_calls"] = [
                {"id": f"c{at}", "function": {"name": one.name, "arguments": one.args}}
                for at, one in enumerate(calls)
            ]
        self.messages.append(message)
        self.calls += calls
        self.answer = text if not calls else self.answer
        self.replies.append(
            {
                "node_name": "MAIN",
                "input_messages": seen,
                "response_text": "" if calls else text,
                "has_tool_calls": bool(calls),
                "tool_call_names": [one.name for one in calls],
                "timestamp": self.now,
                "token_usage": TokenUsage(*usage).to_dict(),
                "model": model,
            }
        )
        return self

    def tools(self, *calls: ToolCall, seconds: float = 0.2, node: str = "TOOL") -> Self:
        """Tools run that were asked for; each has its `result` or its `error`."""
        self._visit(node, seconds)
        for one in calls:
            self.steps.append(
                TrajectoryStep.tool(
                    one.name, one.args, self.now, turn=self.turn, node="MAIN", seconds=seconds
                )
            )
            self.messages.append({"role": "tool", "content": one.error or str(one.result)})
        self.now += seconds
        return self

    def ask(self, one: ToolCall, text: str = "", result: Any = None, **told: Any) -> Self:
        """A model asks for one call, and it is made."""
        one.result = result
        return self.model(text, one, **told).tools(one)

    def visit(self, node: str, seconds: float = 0.1) -> Self:
        """A node that asks no model and calls no tool."""
        self._visit(node, seconds)
        self.now += seconds
        return self

    def _visit(self, node: str, seconds: float) -> None:
        if self.visits:
            step = TrajectoryStep.node(node, self.now, turn=self.turn, seconds=seconds)
            self.steps.append(step)

    def result(self, *verdicts: CriterionResult, **fields: Any) -> EvalCaseResult:
        usage = sum(
            (TokenUsage.from_mapping(reply["token_usage"]) for reply in self.replies), TokenUsage()
        )
        judges = sum((verdict.token_usage for verdict in verdicts), TokenUsage())
        result = EvalCaseResult.success(
            "case",
            list(verdicts) or [CriterionResult.judged("rouge_match", Score(1.0), 0.5)],
            self.steps,
            self.calls,
            self.answer,
            messages=self.messages,
            node_responses=self.replies,
            node_visits=[step.name for step in self.steps if step.step_type == "node"],
            duration_seconds=self.now - START,
            agent_token_usage=usage,
            token_usage=usage + judges,
        )
        return result.model_copy(update=fields)


def looked_at(
    case: EvalCase, result: EvalCaseResult, before: EvalCaseResult | None = None, **fields: Any
) -> DetailModel:
    """The model of a case; with a result `before` the baseline is run 17."""
    against = Against(Change.REGRESSED, None, 17) if before is not None else None
    key = CaseKey(0, case.eval_id)
    return DetailModel(key, case, result, against=against, before=before, **fields)


def trajectory(score: float = 0.5, **details: Any) -> CriterionResult:
    """The verdict of a criterion that compared the calls."""
    return CriterionResult.judged("tool_trajectory_avg_score", Score(score, "", details), 1.0)


def kyoto() -> DetailModel:
    """Another city in the second call, said while calling; it was right in #17."""
    question = "Will I need an umbrella in Tokyo tomorrow?"
    tokyo = [call("get_weather", city="Tokyo"), call("get_forecast", city="Tokyo", days=1)]
    case = EvalCase.single_turn("tokyo_forecast", question, "Yes, take one.", tokyo)
    now = Story().user(question)
    now.ask(call("get_weather", city="Tokyo"), result={"sky": "overcast", "celsius": 19})
    kyoto = call("get_forecast", city="Kyoto", days=1)
    now.ask(kyoto, "Let me check the Kansai region.", ["dry"], usage=(128, 27, 96), model="gpt-4o")
    now.model("No, rain is unlikely in Kyoto.", usage=(168, 44, 128), model="gpt-4o")
    then = Story().user(question)
    then.ask(call("get_weather", city="Tokyo"), result={"sky": "rain", "celsius": 19})
    then.ask(call("get_forecast", city="Tokyo", days=1), "I will look at Tokyo.", ["rain"])
    then.model("Yes, take one.", usage=(150, 31, 0))
    return looked_at(case, now.result(trajectory()), then.result(trajectory(1.0)))
