"""What is known of the models that presets ask: whether their keys are set, and their prices."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from tenxgraph_tui.session.models import ModelAccess, Price, access, price

PriceList = Callable[[str, str], Price | None]


@dataclass(frozen=True, slots=True)
class JudgeModel:
    """A model by the name that a config has for it; `price` is None until it is known."""

    name: str
    access: ModelAccess
    price: Price | None = None


@dataclass(slots=True)
class Judges:
    """`environ` is what a worker gets. Prices are read when somebody asks for it, in a thread."""

    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    prices: PriceList = price
    _known: dict[str, Price | None] = field(default_factory=dict)

    def model(self, name: str) -> JudgeModel:
        """The facts about a model, as far as they are known by now."""
        return JudgeModel(name, access(name, self.environ), self._known.get(name))

    def unpriced(self, names: Iterable[str]) -> list[str]:
        """Those that nobody looked up yet."""
        return [name for name in dict.fromkeys(names) if name not in self._known]

    def look_up(self, names: Iterable[str]) -> None:
        """Find the prices of these models; reads a file."""
        for name in names:
            self._known[name] = self.prices(name, access(name, self.environ).provider)
