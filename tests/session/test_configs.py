"""Config files are found where eval sets are, by their name."""

from __future__ import annotations

from pathlib import Path

from tenxgraph_tui.session.configs import discover_configs


def test_configs_are_found_anywhere_below_the_root(tmp_path: Path) -> None:
    (tmp_path / "sets").mkdir()
    (tmp_path / ".venv").mkdir()
    for name in (
        "ci.evalconfig.json",
        "sets/nightly.evalconfig.json",
        "sets/weather.evalset.json",
        "sets/config.json",
        ".venv/theirs.evalconfig.json",
    ):
        (tmp_path / name).write_text("this is not read")
    found = [str(path.relative_to(tmp_path)) for path in discover_configs(tmp_path)]
    assert found == ["ci.evalconfig.json", "sets/nightly.evalconfig.json"]
