"""The documented colours: constants that can be switched off."""

from __future__ import annotations

import pytest

from tenxgraph_tui.evaluation.reporters.colours import Colors

NAMES = [name for name in vars(Colors) if name.isupper()]


def test_colours_are_sequences_of_their_own() -> None:
    texts = {getattr(Colors, name) for name in NAMES}
    assert len(texts) == 12
    assert all(text.startswith("\x1b[") and text.endswith("m") for text in texts)


def test_disabled_colours_are_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.setattr(Colors, name, getattr(Colors, name))  # restored after the test
    Colors.disable()
    assert {getattr(Colors, name) for name in NAMES} == {""}
