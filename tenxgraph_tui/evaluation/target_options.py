"""How agents are reached that are no Python objects; what settings say and targets are given."""

from __future__ import annotations

from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, model_validator

from tenxgraph_tui.evaluation.secrets import is_secret_name, names_a_variable

Some = Annotated[str, Field(min_length=1)]


class HttpOptions(BaseModel):
    """An agent behind HTTP: 10xGraph's API server, or with `answer` any endpoint that talks JSON.

    `body` is a Jinja2 template of JSON, with `text`, `messages`, `thread_id`, `turn` (from 0) and
    `state`; with the method GET its keys become the query. `answer` and what follows it are
    JMESPath expressions on the reply, `tool_name` to `tool_error` on each of `tool_calls`. With
    `stream` they are asked of every event, and pieces of the answer are joined.
    Values of `headers` and `query` may
    hold `env:NAME`. `timeout` is for one request, in seconds; `retries`
    are further tries where the agent cannot have acted.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    method: Literal["POST", "PUT", "PATCH", "GET"] = "POST"
    headers: dict[str, str] = Field(default_factory=dict)
    query: dict[str, str] = Field(default_factory=dict)
    body: Some | None = None
    answer: Some | None = None
    tool_calls: Some | None = None
    tool_name: Some = "not_null(name, function.name)"
    tool_args: Some = "not_null(args, arguments, input, function.arguments)"
    tool_result: Some = "not_null(result, output)"
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

    def __str__(self) -> str:
        """What is said of it, without what: for lists of settings."""
        return _told(self)

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        for name, value in (*self.headers.items(), *self.query.items()):
            if is_secret_name(name) and not names_a_variable(value):
                raise ValueError(
                    f"the value of {name} does not belong in a file: write {name} = "
                    '"env:NAME", and set that variable'
                )
        lone = sorted(self.model_fields_set & NEED_ANSWER)
        if lone and self.answer is None:
            raise ValueError(
                f"{lone[0]} needs answer too: where the answer is in a reply, like "
                'answer = "reply.text"'
            )
        return self


FOR_ALL = {"answer", "headers", "query", "stream", "timeout", "retries"}
NEED_ANSWER = set(HttpOptions.model_fields) - FOR_ALL
"""What 10xGraph's API server leaves no choice in."""


class ModelOptions(BaseModel):
    """How a model alone is the agent: its prompt, its tools and the limits of its tool loop.

    `tools` are Python functions, as `module:function` or `path/file.py:function`. After `max_steps`
    requests that all ask for tools the case is an error. `base_url` is an OpenAI-compatible server,
    `api_key` its key as `env:NAME`; without it the model's provider is asked, with the provider's
    own variables. `timeout` is for one request, in seconds.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    system_prompt: str = ""
    tools: list[Some] = Field(default_factory=list)
    max_steps: int = Field(default=10, ge=1)
    temperature: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    max_tokens: int | None = Field(default=None, ge=1)
    base_url: Some | None = None
    api_key: Annotated[str, Field(pattern=r"^env:[A-Za-z_][A-Za-z0-9_]*$")] | None = None
    timeout: float = Field(default=60.0, gt=0, allow_inf_nan=False)
    retries: int = Field(default=2, ge=0, le=10)

    def __str__(self) -> str:
        """What is said of it, without what: for lists of settings."""
        return _told(self)


def _told(options: BaseModel) -> str:
    names = [name for name in type(options).model_fields if name in options.model_fields_set]
    return f"({', '.join(names) or 'as it comes'})"


def without_user(url: str) -> str:
    """The URL of a description, which holds no secret.

    Raises:
        ValueError: it is none, or has a user or a query.
    """
    try:
        parts = urlsplit(url)
        is_url = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        is_url = False
    if not is_url:
        raise ValueError("this is no URL: write it like http://localhost:8000/chat")
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError("a description is for a URL without user and query")
    return url


class TargetOptions(BaseModel):
    """What the settings say of targets that are no Python objects; `http` by the URL of each.

    `root` is the folder that the tools of models are imported from; "" is that of the target.
    """

    model_config = ConfigDict(frozen=True, defer_build=True)

    http: dict[str, HttpOptions] = Field(default_factory=dict)
    model: ModelOptions = Field(default_factory=ModelOptions)
    root: str = ""
