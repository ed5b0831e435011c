from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import pytest

from tenxgraph_tui.graph import AgentState, GraphError
from tenxgraph_tui.graph.tool_function import Injected, ToolFunction

if TYPE_CHECKING:
    from decimal import Decimal

STATE = AgentState()
CONFIG = {"thread_id": "t"}
INJECTED = Injected(STATE, CONFIG, "c1")


class Mine(AgentState):
    x: int = 0


def bare(q: str, state, config, tool_call_id): ...  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201 - what is tested
def typed(
    state: Mine | None, config: dict[str, Any] | None = None, tool_call_id: str = ""
) -> None: ...
def anywhere(memory: AgentState) -> None: ...
def tax(state: str = "CA") -> None: ...
def deploy(config: str, tool_call_id: int = 0) -> None: ...
def lookup(config: Mapping[str, Any], state: dict[str, Any]) -> None: ...
def unresolved(price: Decimal, state: AgentState, config: dict[str, Any]) -> None: ...
def greedy(**anything: Any) -> None: ...


@pytest.mark.parametrize(
    ("function", "given", "arguments"),
    [
        pytest.param(
            bare,
            {"q": "x"},
            {"q": "x", "state": STATE, "config": CONFIG, "tool_call_id": "c1"},
            id="names without annotation are injected",
        ),
        pytest.param(
            bare,
            {"q": "x", "state": "CA", "config": "prod", "tool_call_id": 7},
            {"q": "x", "state": "CA", "config": "prod", "tool_call_id": 7},
            id="what the model gave is never dropped",
        ),
        pytest.param(
            typed,
            {},
            {"state": STATE, "config": CONFIG, "tool_call_id": "c1"},
            id="annotations that allow what is injected, defaults or not",
        ),
        pytest.param(anywhere, {}, {"memory": STATE}, id="a state class under any name"),
        pytest.param(tax, {}, {}, id="a state that is a text keeps its default"),
        pytest.param(tax, {"state": "NY"}, {"state": "NY"}, id="or what the model gave"),
        pytest.param(
            deploy,
            {"config": "prod"},
            {"config": "prod"},
            id="a config that is a text is the model's",
        ),
        pytest.param(
            lookup,
            {"state": {"a": 1}},
            {"state": {"a": 1}, "config": CONFIG},
            id="a mapping is a config; a dict called state is the model's",
        ),
        pytest.param(
            unresolved,
            {"price": 1},
            {"price": 1, "state": STATE, "config": CONFIG},
            id="annotations that only a type checker can read",
        ),
        pytest.param(greedy, {"a": 1, "state": 2}, {"a": 1, "state": 2}, id="any argument"),
    ],
)
def test_arguments(
    function: Callable[..., Any], given: dict[str, Any], arguments: dict[str, Any]
) -> None:
    assert ToolFunction(function).arguments(given, INJECTED) == arguments


@pytest.mark.parametrize(
    ("function", "given", "reason"),
    [
        pytest.param(bare, {}, r"bare\(\) needs 'q'", id="missing"),
        pytest.param(deploy, {}, r"deploy\(\) needs 'config'", id="not injected, so missing"),
        pytest.param(tax, {"year": 1}, r"tax\(\) has no parameter 'year'", id="unknown"),
    ],
)
def test_arguments_that_do_not_fit(
    function: Callable[..., Any], given: dict[str, Any], reason: str
) -> None:
    with pytest.raises(TypeError, match=reason):
        ToolFunction(function).arguments(given, INJECTED)


def test_a_tool_that_takes_arguments_by_position_only_is_refused() -> None:
    def old(a: int, /) -> None: ...

    with pytest.raises(GraphError, match="takes 'a' by position only"):
        ToolFunction(old)
