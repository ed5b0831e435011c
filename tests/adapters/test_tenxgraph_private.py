"""What 10xGraph has no public name for: it is there, and what is done when it no longer is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tenxgraph_tui.evaluation.execution import ExecutionResult

pytest.importorskip("tenxgraph", reason="10xGraph is not installed (it needs Python 3.12)")

from injectq import InjectQ
from injectq.core.context import ContainerContext
from tenxgraph.utils import CallbackManager, InvocationType

from tenxgraph_tui.adapters.tenxgraph import private
from tenxgraph_tui.adapters.tenxgraph.watching import observe
from tests.adapters.tenxgraphs import asks, loop_of, one_node, says

Hold = Callable[..., Awaitable[ExecutionResult]]


def test_every_private_name_is_there() -> None:
    app = loop_of([len], says("hi")).compile()

    assert app._state_graph._container is private.container_of(app)
    assert app._invoke_handler.callback_mgr is not None
    assert app._stream_handler.callback_mgr is not None
    assert InvocationType.TOOL in CallbackManager()._error_callbacks
    assert "len" in app._state_graph.nodes["TOOL"].func._funcs
    assert ContainerContext._context_var is private._current()


async def test_the_config_of_a_tool_names_its_node(hold: Hold) -> None:
    seen: list[str] = []

    def tool(config: Any) -> str:
        seen.append(config[private.NODE_NAME])
        return "ok"

    await hold(loop_of([tool], asks(("tool", {})), says("done")), "hi")

    assert seen == ["TOOL"]


def test_without_its_container_a_graph_uses_that_of_the_context() -> None:
    assert private.container_of(SimpleNamespace()) is InjectQ.get_instance()


def test_without_handlers_the_containers_manager_is_the_only_one() -> None:
    container = InjectQ()
    container.bind_instance(CallbackManager, manager := CallbackManager())
    app = SimpleNamespace(_state_graph=SimpleNamespace(_container=container))

    assert private.managers_of(app) == [manager]


def test_a_manager_of_the_handlers_alone_is_found_too() -> None:
    handler = SimpleNamespace(callback_mgr=CallbackManager())
    app = one_node(lambda state: "hi").compile()
    shared = private.managers_of(app)[0]
    app._invoke_handler = handler

    assert private.managers_of(app) == [shared, handler.callback_mgr]


def test_callbacks_that_10xgraph_will_not_call_are_told_of_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def compiled_with(manager: CallbackManager) -> Any:
        return one_node(lambda state: "hi").compile(callback_manager=manager)

    with private.within(container := InjectQ()):
        first, second = CallbackManager(), CallbackManager()
        observe(compiled_with(first))
        assert caplog.messages == []
        for _ in range(2):
            observe(compiled_with(second))

        assert container._registry.get_binding(CallbackManager).implementation is second
        assert container.get(CallbackManager) is first
    (told,) = caplog.messages
    assert "callbacks given to the others are not called" in told


def test_without_its_registry_nothing_is_known_of_the_managers_of_others() -> None:
    container = InjectQ()
    container.bind_instance(CallbackManager, CallbackManager())
    app = SimpleNamespace(_state_graph=SimpleNamespace(_container=container))
    container.get(CallbackManager)
    container.bind_instance(CallbackManager, CallbackManager())
    assert private.is_shared_against_its_will(app)

    assert not private.is_shared_against_its_will(
        SimpleNamespace(_state_graph=SimpleNamespace(_container=SimpleNamespace()))
    )


async def test_without_the_list_of_callbacks_a_failed_call_is_read_off_its_message(
    hold: Hold, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise ValueError("no luck")

    app = loop_of([broken], asks(("broken", {})), says("done")).compile()
    for manager in private.managers_of(app):
        monkeypatch.setitem(manager._error_callbacks, InvocationType.TOOL, [])
    private.register_first_on_error(object(), InvocationType.TOOL, print)

    execution = await hold(app, "hi")

    assert [(call.name, call.error) for call in execution.tool_calls] == [
        ("broken", "Internal execution error: no luck")
    ]


async def test_without_the_context_variable_graphs_run_in_the_common_container(
    hold: Hold, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(ContainerContext, "_context_var")
    monkeypatch.setattr(ContainerContext, "get_current", classmethod(lambda cls: None))

    execution = await hold(one_node(lambda state: "hi"), "hi")

    assert execution.actual_response == "hi"


def test_a_container_is_left_as_it_was_found() -> None:
    before, inner = InjectQ.get_instance(), InjectQ()

    with private.within(inner):
        assert InjectQ.get_instance() is inner

    assert InjectQ.get_instance() is before


def test_what_is_guarded_looks_like_what_it_guards() -> None:
    def tool(city: str, *, days: int = 1) -> str:
        """The weather."""
        return city

    graph = loop_of([tool], says("hi"))
    app = graph.compile()
    schema = graph.nodes["TOOL"].func.get_local_tool()

    private.guard(app)
    private.guard(app)

    guarded = graph.nodes["TOOL"].func._funcs["tool"]
    assert guarded.__wrapped__ is tool
    assert graph.nodes["TOOL"].func.get_local_tool() == schema
