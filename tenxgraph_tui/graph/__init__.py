"""The embedded graph runtime: small graphs of functions and tools that run without any service.

A subset of 10xGraph's own: what is here has the same names and means the same.
"""

from __future__ import annotations

from tenxgraph_tui.graph.blocks import (
    ContentBlock,
    ErrorBlock,
    TextBlock,
    ToolCallBlock,
    ToolResultBlock,
)
from tenxgraph_tui.graph.callbacks import (
    AfterInvokeCallback,
    BeforeInvokeCallback,
    CallbackContext,
    CallbackManager,
    InvocationType,
    OnErrorCallback,
)
from tenxgraph_tui.graph.checkpointer import Checkpointer, InMemoryCheckpointer
from tenxgraph_tui.graph.compiled import CompiledGraph
from tenxgraph_tui.graph.constants import END, START, ResponseGranularity
from tenxgraph_tui.graph.events import BasePublisher, ContentType, Event, EventModel, EventType
from tenxgraph_tui.graph.exceptions import GraphError, GraphRecursionError
from tenxgraph_tui.graph.lifecycle import GraphLifecycleContext, GraphLifecycleHook
from tenxgraph_tui.graph.messages import Message, TokenUsages
from tenxgraph_tui.graph.state import AgentState, ExecutionState, ExecutionStatus
from tenxgraph_tui.graph.state_graph import StateGraph
from tenxgraph_tui.graph.tools import ToolNode

__all__ = [
    "END",
    "START",
    "AfterInvokeCallback",
    "AgentState",
    "BasePublisher",
    "BeforeInvokeCallback",
    "CallbackContext",
    "CallbackManager",
    "Checkpointer",
    "CompiledGraph",
    "ContentBlock",
    "ContentType",
    "ErrorBlock",
    "Event",
    "EventModel",
    "EventType",
    "ExecutionState",
    "ExecutionStatus",
    "GraphError",
    "GraphLifecycleContext",
    "GraphLifecycleHook",
    "GraphRecursionError",
    "InMemoryCheckpointer",
    "InvocationType",
    "Message",
    "OnErrorCallback",
    "ResponseGranularity",
    "StateGraph",
    "TextBlock",
    "TokenUsages",
    "ToolCallBlock",
    "ToolNode",
    "ToolResultBlock",
]
