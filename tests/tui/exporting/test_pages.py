from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tenxgraph_tui.tui.exporting.pages import command_for, has_browser
from tenxgraph_tui.tui.served import DRIVER, WEB_DRIVER


@pytest.mark.parametrize(
    ("environ", "platform", "is_there"),
    [
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"BROWSER": "code-helper"}, "linux", True),
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"SSH_CONNECTION": "1 2 3 4"}, "linux", False),
        ({"SSH_CONNECTION": "1 2 3 4", "DISPLAY": "localhost:10.0"}, "linux", True),
        ({}, "darwin", True),
        ({"SSH_CONNECTION": "1 2 3 4"}, "darwin", False),
        ({"DISPLAY": ":0", DRIVER: WEB_DRIVER}, "linux", False),
    ],
)
def test_a_browser_is_opened_only_where_somebody_would_see_it(
    environ: dict[str, str], platform: str, is_there: bool
) -> None:
    assert has_browser(environ, platform) is is_there


def test_the_browser_is_given_the_page_whatever_its_name(tmp_path: Path) -> None:
    page = tmp_path / "a b#c.html"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > "{tmp_path}/asked"\n')
    browser.chmod(0o755)
    environ = {"BROWSER": f"{browser} %s", "PATH": "/usr/bin:/bin"}
    subprocess.run(command_for(page), check=True, env=environ, capture_output=True)
    assert (tmp_path / "asked").read_text() == page.as_uri()
    assert page.as_uri().endswith("/a%20b%23c.html")
