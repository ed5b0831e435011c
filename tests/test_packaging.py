"""What is built is what is needed: an installed package finds its styles and its types."""

from __future__ import annotations

import tomllib
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

import tenxgraph_tui

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "tenxgraph_tui"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    (built,) = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    with zipfile.ZipFile(built) as opened:
        opened.testzip()
        return opened


def test_every_file_of_the_package_is_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    wanted = {
        str(path.relative_to(ROOT))
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert wanted <= set(wheel.namelist())
    assert "tenxgraph_tui/py.typed" in wanted
    assert any(name.endswith(".tcss") for name in wanted)


def test_nothing_else_is_in_it(wheel: zipfile.ZipFile) -> None:
    tops = {name.partition("/")[0] for name in wheel.namelist()}
    assert tops == {"tenxgraph_tui", f"tenxgraph_tui-{tenxgraph_tui.__version__}.dist-info"}


def test_the_version_is_written_alike_in_both_places() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == tenxgraph_tui.__version__
