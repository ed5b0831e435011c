from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.judging.prices import PRICE_FILE, Dollars, Price, price


@pytest.fixture
def listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A `litellm` that would fail if it were imported, with a list of prices in it."""
    package = tmp_path / "litellm"
    package.mkdir()
    (package / "__init__.py").write_text("raise AssertionError('imported')")
    prices = {
        "sample_spec": {"input_cost_per_token": 0.0, "note": {"gpt-4o": "not this"}},
        "gpt-4o": {"input_cost_per_token": 2.5e-06, "output_cost_per_token": 1e-05},
        "groq/llama": {"input_cost_per_token": 5e-08, "output_cost_per_token": 8e-08},
        "dall-e": {"input_cost_per_pixel": 1e-08},
        "claude": {
            "input_cost_per_token": 3e-06,
            "output_cost_per_token": 1.5e-05,
            "cache_read_input_token_cost": 3e-07,
            "cache_creation_input_token_cost": 3.75e-06,
        },
    }
    (package / PRICE_FILE).write_text(json.dumps(prices, indent=4))
    monkeypatch.delitem(sys.modules, "litellm", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    price.cache_clear()
    yield
    price.cache_clear()


@pytest.mark.usefixtures("listed")
@pytest.mark.parametrize(
    ("name", "provider", "dollars"),
    [
        ("gpt-4o", "openai", Price(2.5, 10.0)),
        ("openai/gpt-4o", "openai", Price(2.5, 10.0)),
        ("groq/llama", "groq", Price(0.05, 0.08)),
        ("dall-e", "", None),
        ("gpt-9", "openai", None),
    ],
)
def test_prices_are_those_of_the_list(name: str, provider: str, dollars: Price | None) -> None:
    found = price(name, provider)
    if dollars is None:
        assert found is None
    else:
        assert found is not None
        assert (found.input, found.output) == pytest.approx((dollars.input, dollars.output))
    assert "litellm" not in sys.modules


@pytest.mark.usefixtures("listed")
def test_what_a_cache_gives_and_takes_has_prices_of_its_own() -> None:
    found = price("claude")
    assert found is not None
    dollars = found.dollars(TokenUsage(1_000_000, 1_000_000, 400_000, 100_000))
    assert dollars.cached == pytest.approx(0.12)
    assert dollars.input == pytest.approx(0.5 * 3 + 0.1 * 3.75)
    assert dollars.output == pytest.approx(15)
    assert dollars.total == pytest.approx(0.12 + 1.875 + 15)


def test_cached_tokens_cost_what_others_do_where_the_list_says_nothing() -> None:
    dollars = Price(2.0, 8.0).dollars(TokenUsage(1_000_000, 0, 500_000))
    assert (dollars.cached, dollars.input) == pytest.approx((1.0, 1.0))
    assert dollars + dollars == Dollars(2.0, 2.0, 0.0)


def test_without_litellm_there_is_no_price(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    price.cache_clear()
    assert price("gpt-4o", "openai") is None
    price.cache_clear()


def test_the_installed_list_is_read_without_importing_its_package() -> None:
    probe = (
        "import sys; from tenxgraph_tui.evaluation.judging.prices import price; "
        "found = price('gemini-2.5-flash', 'gemini'); "
        "print(found is not None and found.output > found.input > 0, 'litellm' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]
