"""How agents are reached that are no Python objects; what settings say and targets are given."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from tenxgraph_tui.evaluation.secrets import is_secret_name, names_a_variable

Some = Annotated[str, Field(min_length=1)]


class HttpOptions(BaseModel):
    """An agent behind HTTP: 10xGraph's API server, or with `answer` any endpoint that talks JSON.

    `body` is a Jinja2 template of JSON, with `text`, `messages`, `thread_id`, `turn` (from 0) and
    `state`; with the method GET its keys become the query. `answer` and what follows it are
    JMESPath expressions on the reply, `tool_name` to `tool_error` on each of `tool_calls`. With
    `stream` they are asked of every event, and pieces of the answer are joined.
    Values of `headers` may hold `env:NAME`. `timeout` is for one request, in seconds; `retries`
    are further tries where the agent cannot have acted.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    method: Literal["POST", "PUT", "PATCH", "GET"] = "POST"
    headers: dict[str, str] = Field(default_factory=dict)
    body: Some | None = None
    answer: Some | None = None
    tool_calls: Some | None = None
    tool_name: Some = "name || function.name"
    tool_args: Some = "args || arguments || input || function.arguments"
    tool_result: Some = "result || output"
    tool_error: Some = "error"
    nodes: Some | None = None
    input_tokens: Some | None = None
    output_tokens: Some | None = None
    model: Some | None = None
    error: Some | None = None
    stream: bool = False
    timeout: float = Field(default=60.0, gt=0, allow_inf_nan=False)
    retries: int = Field(default=2, ge=0, le=10)

    @property
    def is_described(self) -> bool:
        """Whether it is an endpoint of its own kind rather than 10xGraph's API server."""
        return self.answer is not None

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        for name, value in self.headers.items():
            if is_secret_name(name) and not names_a_variable(value):
                raise ValueError(
                    f"the header {name} does not belong in a file: write {name} = "
                    '"env:NAME", and set that variable'
                )
        lone = sorted(self.model_fields_set & NEED_ANSWER)
        if lone and self.answer is None:
            raise ValueError(
                f"{lone[0]} needs answer too: where the answer is in a reply, like "
                'answer = "reply.text"'
            )
        return self


NEED_ANSWER = set(HttpOptions.model_fields) - {"answer", "headers", "stream", "timeout", "retries"}
"""What 10xGraph's API server leaves no choice in."""
