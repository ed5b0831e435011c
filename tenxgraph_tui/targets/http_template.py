"""Templates of request bodies and selectors of replies, checked before the first request."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tenxgraph_tui.errors import TargetError, worded

SAMPLE: dict[str, Any] = {
    "text": 'He said "no".\nThen \\ left.',
    "messages": [{"role": "user", "content": 'He said "no".\nThen \\ left.'}],
    "thread_id": "thread",
    "turn": 0,
    "state": {},
}
"""What every template can be filled with; its texts have what breaks JSON that is not escaped."""
DEFAULT_BODY = '{"messages": {{ messages | tojson }}, "thread_id": {{ thread_id | tojson }}}'
KEYS_TOLD = 12


class BodyTemplate:
    """A Jinja2 template of JSON; nothing in it can reach more than what it is filled with.

    Raises:
        TargetError: it cannot be read, or what it makes is no JSON; the message begins with
            `where`.
    """

    def __init__(self, text: str, where: str) -> None:
        from jinja2 import StrictUndefined, TemplateError
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        self._where, self._errors = where, TemplateError
        environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined)
        try:
            self._template = environment.from_string(text)
        except TemplateError as error:
            line = getattr(error, "lineno", None)
            at = f" (line {line} of it)" if line else ""
            raise TargetError(f"{where}: {error}{at}") from None
        self.filled(SAMPLE)

    def filled(self, values: Mapping[str, Any]) -> Any:
        """The JSON value that it makes.

        Raises:
            TargetError: it makes none.
        """
        try:
            text = self._template.render(values)
        except self._errors as error:
            known = ", ".join(SAMPLE)
            raise TargetError(f"{self._where}: {error}; there are {known}") from None
        except Exception as error:  # noqa: BLE001 - a template may do what it likes
            raise TargetError(f"{self._where}: {worded(error)}") from None
        try:
            return json.loads(text)
        except ValueError as error:
            raise TargetError(
                f"{self._where}: it makes no JSON ({error}): write values as "
                "{{ text | tojson }}, without quotes around them"
            ) from None


class Selector:
    """A JMESPath expression.

    Raises:
        TargetError: it cannot be read, or jmespath is not installed.
    """

    def __init__(self, expression: str, where: str) -> None:
        try:
            import jmespath
        except ImportError:
            raise TargetError(
                f"{where} needs jmespath: pip install 'tenxgraph-tui[http]'"
            ) from None
        self.expression, self._errors = expression, jmespath.exceptions.JMESPathError
        try:
            self._compiled = jmespath.compile(expression)
        except jmespath.exceptions.JMESPathError as error:
            told = " ".join(str(error).split())
            raise TargetError(f"{where}: {expression!r} is no JMESPath: {told}") from None

    def of(self, value: Any) -> Any:
        """What is there, None where nothing is.

        Raises:
            ValueError: a function of the expression does not take what is there.
        """
        try:
            return self._compiled.search(value)
        except self._errors as error:
            told = " ".join(str(error).split())
            raise ValueError(f"{self.expression!r} does not fit: {told}") from None


def shape(value: Any) -> str:
    """What a reply had, for somebody who looks for a selector."""
    if isinstance(value, dict):
        names = [*map(str, value)]
        listed = ", ".join(names[:KEYS_TOLD]) + (", …" if len(names) > KEYS_TOLD else "")
        return f"an object with {listed}" if names else "an empty object"
    if isinstance(value, list):
        return f"a list of {len(value)}" + (f", first {shape(value[0])}" if value else "")
    return {str: "a text", bool: "true or false", type(None): "null"}.get(type(value), "a number")
