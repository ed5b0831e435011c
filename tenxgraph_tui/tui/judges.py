"""What is known of the models that presets ask: whether their keys are set, and their prices."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.session.models import ModelAccess, Price, access, address, price
from tenxgraph_tui.settings import Loaded
from tenxgraph_tui.settings.env_file import add_env_file

OPENAI_COMPATIBLE = "openai"
"""How every model behind a base URL is asked."""

PriceList = Callable[[str, str], Price | None]


@dataclass(frozen=True, slots=True)
class JudgeModel:
    """A model by the name that a config has for it; `price` is None until it is known."""

    name: str
    access: ModelAccess
    price: Price | None = None


@dataclass(slots=True)
class Judges:
    """`environ` is what a worker gets. Prices are read when somebody asks for it, in a thread.

    `instead` is asked whatever name a config has, and `base_url` is where, if the settings say so.
    `looked_up` counts how often that was done: until it changes, the facts are the same.
    """

    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    prices: PriceList = price
    instead: str | None = None
    base_url: str | None = None
    looked_up: int = 0
    _known: dict[str, Price | None] = field(default_factory=dict)

    def model(self, name: str) -> JudgeModel:
        """The facts about whom a run asks for this name, as far as they are known by now."""
        asked = self.instead or name
        return JudgeModel(asked, self._access(asked), self._known.get(name))

    def obstacle(self, name: str) -> str:
        """Why whom a run asks for this name cannot be asked; "" if nothing is known against it."""
        asked = self.instead or name
        problem = address(asked, self.base_url, self.environ).problem
        missing = self._access(asked).missing
        return f"{missing[0]} is not set" if problem and missing else problem

    def unpriced(self, names: Iterable[str]) -> list[str]:
        """Those that nobody looked up yet."""
        return [name for name in dict.fromkeys(names) if name not in self._known]

    def look_up(self, names: Iterable[str]) -> None:
        """Find the prices of these models; reads a file."""
        for name in names:
            asked = self.instead or name
            self._known[name] = self.prices(asked, self._access(asked).provider)
        self.looked_up += 1

    def _access(self, asked: str) -> ModelAccess:
        """A server of one's own wants no provider's key."""
        if self.base_url is not None:
            return ModelAccess(asked, OPENAI_COMPATIBLE)
        return access(asked, self.environ)


def environ_of(settings: Loaded, environ: Mapping[str, str]) -> Mapping[str, str]:
    """What a worker finds in its environment: ours, and what the project's `env_file` adds."""
    merged = dict(environ)
    path = settings.path("env_file")
    if path is not None:
        with suppress(ConfigError):  # a run says what is wrong with the file
            add_env_file(path, merged)
    return merged
