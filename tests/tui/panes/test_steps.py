"""The timeline of any case holds every step that was expected and every one that was made, once."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tenxgraph_tui.evaluation.alignment import Mark
from tenxgraph_tui.evaluation.config import MatchType
from tenxgraph_tui.evaluation.dataset import EvalCase, ToolCall, TrajectoryStep
from tenxgraph_tui.evaluation.results import CaseKey, CriterionResult, EvalCaseResult, Score
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.steps import timeline

calls = st.lists(
    st.builds(
        ToolCall,
        name=st.sampled_from("abc"),
        args=st.dictionaries(st.sampled_from("xy"), st.sampled_from([1, 2, "1"]), max_size=2),
    ),
    max_size=7,
)
nodes = st.lists(st.sampled_from(["MAIN", "TOOL", "CHECK"]), max_size=6)


def model(
    expected: list[ToolCall],
    made: list[ToolCall],
    expected_nodes: list[str],
    visits: list[str],
    match_type: MatchType = MatchType.EXACT,
) -> DetailModel:
    """A case whose nodes were visited first and whose calls were made then."""
    case = EvalCase.single_turn("a", "Go", None, expected, expected_nodes)
    steps = [TrajectoryStep.node(name, float(at)) for at, name in enumerate(visits)]
    steps += [TrajectoryStep.tool(c.name, c.args, 100.0 + at) for at, c in enumerate(made)]
    details = {"match_type": match_type.value}
    verdicts = [
        CriterionResult.judged(name, Score(0.5, "", details), 1.0)
        for name in ("tool_trajectory_avg_score", "node_order_score")
    ]
    result = EvalCaseResult.success("a", verdicts, steps, made, node_visits=visits)
    return DetailModel(CaseKey(0, "a"), case, result)


@settings(max_examples=150, deadline=None)
@given(calls, calls, nodes, nodes, st.sampled_from(MatchType))
def test_every_step_stands_there_once_and_in_order(
    expected: list[ToolCall],
    made: list[ToolCall],
    expected_nodes: list[str],
    visits: list[str],
    match_type: MatchType,
) -> None:
    steps = timeline(model(expected, made, expected_nodes, visits, match_type)).steps
    for is_tool, wanted, done in ((True, expected, made), (False, expected_nodes, visits)):
        rows = [step.row for step in steps if step.is_tool is is_tool]
        left = [row.expected_index for row in rows if row.expected is not None and wanted]
        right = [row.actual_index for row in rows if row.actual is not None]
        assert sorted(at for at in left if at is not None) == list(range(len(wanted)))
        assert right == list(range(len(done))), "what was made stands in the order it was made in"
        if match_type is not MatchType.ANY_ORDER:
            assert left == sorted(at for at in left if at is not None)


@settings(max_examples=80, deadline=None)
@given(calls, nodes)
def test_a_case_that_went_as_expected_is_the_same_in_every_row(
    made: list[ToolCall], visits: list[str]
) -> None:
    expected = [call.model_copy(deep=True) for call in made]
    found = timeline(model(expected, made, visits, visits))
    assert found.divergence is None
    assert {step.row.mark for step in found.steps} <= {Mark.SAME}
    assert len(found.steps) == len(made) + len(visits)


@settings(max_examples=80, deadline=None)
@given(calls, calls, nodes, nodes)
def test_the_first_divergence_is_the_first_step_that_is_not_the_same(
    expected: list[ToolCall], made: list[ToolCall], expected_nodes: list[str], visits: list[str]
) -> None:
    found = timeline(model(expected, made, expected_nodes, visits))
    compared = [at for at, step in enumerate(found.steps) if not step.is_context]
    wrong = [at for at in compared if found.steps[at].row.mark is not Mark.SAME]
    assert found.divergence == (wrong[0] if wrong else None)
