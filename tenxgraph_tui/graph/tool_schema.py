"""What a model is told about a tool; apart from the tools because pydantic must build a model."""

from __future__ import annotations

import inspect
from typing import Any

from pydantic import ConfigDict, create_model

from tenxgraph_tui.graph.tool_function import ToolFunction


def schema_of(tool: ToolFunction) -> dict[str, Any]:
    """A tool in OpenAI's format: types and defaults of its signature, words of its docstring."""
    fields: dict[str, Any] = {
        name: (
            Any if parameter.annotation is inspect.Parameter.empty else parameter.annotation,
            ... if parameter.default is inspect.Parameter.empty else parameter.default,
        )
        for name, parameter in tool.for_model.items()
    }
    arguments = create_model(
        tool.name, __config__=ConfigDict(arbitrary_types_allowed=True), **fields
    )
    schema = arguments.model_json_schema()
    schema.pop("title", None)
    schema.setdefault("properties", {})
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": inspect.getdoc(tool.function) or "",
            "parameters": schema,
        },
    }
