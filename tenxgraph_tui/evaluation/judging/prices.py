"""What models cost, by LiteLLM's own list: read without importing it."""

from __future__ import annotations

import importlib.util
import json
import math
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.judging.providers import script_of

PRICE_FILE = "model_prices_and_context_window_backup.json"
COSTS = (
    "input_cost_per_token",
    "output_cost_per_token",
    "cache_read_input_token_cost",
    "cache_creation_input_token_cost",
)
MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for a million tokens that go in, that come out, and that a cache gave or took.

    Where the list says nothing of a cache, its tokens cost what all others that go in cost.
    """

    input: float
    output: float
    cache_read: float | None = None
    cache_creation: float | None = None

    def dollars(self, usage: TokenUsage) -> Dollars:
        """What these tokens cost."""
        read, created = usage.cache_read_tokens, usage.cache_creation_tokens
        read_price = self.cache_read if self.cache_read is not None else self.input
        creation_price = self.cache_creation if self.cache_creation is not None else self.input
        fresh = max(0, usage.input_tokens - read - created)
        return Dollars(
            read * read_price / MILLION,
            (fresh * self.input + created * creation_price) / MILLION,
            usage.output_tokens * self.output / MILLION,
        )


@dataclass(frozen=True, slots=True)
class Dollars:
    """What came from a cache, what else went in, and what came out."""

    cached: float = 0.0
    input: float = 0.0
    output: float = 0.0

    @property
    def total(self) -> float:
        return self.cached + self.input + self.output

    def __add__(self, other: Dollars) -> Dollars:
        return Dollars(
            self.cached + other.cached, self.input + other.input, self.output + other.output
        )


@lru_cache(maxsize=64)
def price(model: str, provider: str = "") -> Price | None:
    """What LiteLLM's own list says of a model; None where it says nothing, or is not installed.

    A script costs nothing. The whole file is read: call it in a thread.
    """
    if script_of(model) is not None:
        return Price(0.0, 0.0)
    text = _price_text()
    full = model if not provider or model.startswith(f"{provider}/") else f"{provider}/{model}"
    for name in dict.fromkeys((full, model, model.partition("/")[2])):
        if name and (found := _listed(text, name)) is not None:
            return found
    return None


def _price_text() -> str:
    # The spec of a top-level package is found without running any of its code.
    spec = importlib.util.find_spec("litellm")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        try:
            return (Path(folder) / PRICE_FILE).read_text(encoding="utf-8")
        except OSError:
            continue
    return ""


def _listed(text: str, name: str) -> Price | None:
    # One entry is decoded, not the 5 000 of the file.
    found = re.search(rf"{re.escape(json.dumps(name))}\s*:\s*(?=\{{)", text)
    if found is None:
        return None
    try:
        entry, _ = json.JSONDecoder().raw_decode(text, found.end())
    except ValueError:
        return None
    sent, received, read, created = (_for_a_million(entry.get(key)) for key in COSTS)
    if sent is None or received is None:
        return None
    return Price(sent, received, read, created)


def _for_a_million(cost: object) -> float | None:
    if isinstance(cost, int | float) and math.isfinite(cost):
        return cost * MILLION
    return None
