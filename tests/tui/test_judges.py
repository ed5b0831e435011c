from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.session.models import Price
from tenxgraph_tui.settings import load
from tenxgraph_tui.tui.judges import Judges, environ_of


@pytest.mark.parametrize(
    ("name", "environ", "told"),
    [
        ("gemini-2.5-flash", {}, "GEMINI_API_KEY is not set"),
        ("gemini-2.5-flash", {"GOOGLE_API_KEY": "k"}, ""),
        ("ollama/llama3", {}, ""),
        ("bedrock/x", {}, ""),
        ("llama3", {}, "judge model 'llama3': write its provider too, like mistral/llama3"),
    ],
)
def test_why_a_model_cannot_be_asked_is_short(
    name: str, environ: dict[str, str], told: str
) -> None:
    assert Judges(environ).obstacle(name) == told


def test_the_model_and_the_server_of_the_settings_stand_in_for_those_of_configs() -> None:
    asked: list[tuple[str, str]] = []

    def prices(name: str, provider: str) -> Price | None:
        asked.append((name, provider))
        return Price(1, 2)

    judges = Judges({}, prices, instead="qwen3", base_url="http://localhost:8000/v1")
    judges.look_up(["gpt-4o"])
    found = judges.model("gpt-4o")
    assert (found.name, found.price) == ("qwen3", Price(1, 2))
    assert (found.access.is_known, found.access.missing) == (True, ())
    assert asked == [("qwen3", "openai")]
    assert Judges({}, instead="claude-opus-9").model("gpt-4o").access.missing == (
        "ANTHROPIC_API_KEY",
    )


def test_a_price_is_there_once_somebody_looked_it_up() -> None:
    asked: list[tuple[str, str]] = []

    def prices(name: str, provider: str) -> Price | None:
        asked.append((name, provider))
        return Price(1, 2) if name == "gpt-4o" else None

    judges = Judges({"OPENAI_API_KEY": "k"}, prices)
    assert judges.model("gpt-4o").price is None
    judges.look_up(judges.unpriced(["gpt-4o", "gpt-4o", "nobody/knows"]))
    assert asked == [("gpt-4o", "openai"), ("nobody/knows", "nobody")]
    assert judges.model("gpt-4o").price == Price(1, 2)
    assert judges.unpriced(["gpt-4o", "nobody/knows"]) == []


def test_keys_are_looked_for_in_the_environment_that_is_given() -> None:
    assert Judges({"OPENAI_API_KEY": "k"}).model("gpt-4o").access.missing == ()
    assert Judges({}).model("gpt-4o").access.missing == ("OPENAI_API_KEY",)


def test_what_the_env_file_of_a_project_sets_counts_as_set(tmp_path: Path) -> None:
    (tmp_path / "tenxgraph-tui.toml").write_text('env_file = "keys.env"\n')
    settings = load(tmp_path, {}, {})
    assert "OPENAI_API_KEY" not in environ_of(settings, {})
    (tmp_path / "keys.env").write_text("OPENAI_API_KEY=from-file\nOTHER=from-file\n")
    merged = environ_of(settings, {"OTHER": "ours"})
    assert (merged["OPENAI_API_KEY"], merged["OTHER"]) == ("from-file", "ours")


def test_an_env_file_that_cannot_be_read_keeps_nothing_from_opening(tmp_path: Path) -> None:
    (tmp_path / "tenxgraph-tui.toml").write_text('env_file = "keys.env"\n')
    (tmp_path / "keys.env").write_text("no assignment at all\n")
    assert environ_of(load(tmp_path, {}, {}), {"A": "1"}) == {"A": "1"}
