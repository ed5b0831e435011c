"""Variables for the agents come from a file; what is set already stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.settings.env_file import add_env_file, read_env_file


def test_a_file_sets_what_nobody_set_before(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("# keys\nexport OPENAI_API_KEY='abc'\nBASE=http://${HOST}/v1\nHOST=there\n")
    environ = {"HOST": "here"}
    assert add_env_file(file, environ) is None
    assert environ["OPENAI_API_KEY"] == "abc"
    assert environ["HOST"] == "here"


def test_values_may_be_made_of_others(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text('A=1\nB="${A}2"\nC\n')
    assert read_env_file(file) == {"A": "1", "B": "12"}


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    environ: dict[str, str] = {}
    told = add_env_file(tmp_path / ".env", environ)
    assert told == f"env_file: there is no file {tmp_path / '.env'}, so it sets nothing"
    assert environ == {}


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        pytest.param(b"A=1\nthis is secret text\n", ":2: this is no line like NAME=value", id="no"),
        pytest.param(b"A=1\nB='secret\n", ":2: this is no line", id="an open quote"),
        pytest.param(b"A=1\nB=secret\x00\n", ":2: no variable can hold", id="null"),
        pytest.param(b"A=1\nB=secret\xff\n", ":2: not UTF-8", id="no text"),
    ],
)
def test_a_mistake_names_the_line_and_never_what_stands_there(
    tmp_path: Path, raw: bytes, told: str
) -> None:
    file = tmp_path / ".env"
    file.write_bytes(raw)
    with pytest.raises(ConfigError) as raised:
        read_env_file(file)
    assert str(raised.value).startswith(f"{file}{told}")
    assert "secret" not in str(raised.value)
