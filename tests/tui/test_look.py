from __future__ import annotations

from pathlib import Path

import pytest
from rich.color_triplet import ColorTriplet
from rich.style import Style
from textual.color import Color
from textual.css.stylesheet import Stylesheet

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.settings import Loaded, load
from tenxgraph_tui.tui.look import Look, suited
from tenxgraph_tui.tui.remembered import Remembered
from tests.tui.script import SCRIPT, Stage, play, screen_text, stage, until

FILE = "tenxgraph-tui.toml"


@pytest.mark.parametrize(
    ("environ", "colours", "theme"),
    [
        pytest.param({}, "truecolor", "tenx-dark", id="nothing is known"),
        pytest.param({"COLORFGBG": "0;15"}, "truecolor", "tenx-light", id="black on white"),
        pytest.param({"COLORFGBG": "0;default;7"}, "256", "tenx-light", id="on light grey"),
        pytest.param({"COLORFGBG": "15;0"}, "256", "tenx-dark", id="white on black"),
        pytest.param({"COLORFGBG": "nonsense"}, None, "tenx-dark", id="nonsense"),
        pytest.param({"COLORFGBG": "0;15"}, "standard", "tenx-ansi", id="sixteen colours"),
    ],
)
def test_without_a_choice_the_terminal_decides(
    environ: dict[str, str], colours: str | None, theme: str
) -> None:
    assert suited(environ, colours) == theme


@pytest.mark.parametrize(
    ("file", "environ", "flags", "remembered", "theme"),
    [
        pytest.param("nord", {}, {}, None, "nord", id="the project's"),
        pytest.param("nord", {}, {}, "tenx-light", "tenx-light", id="chosen in the dashboard"),
        pytest.param("nord", {}, {}, "gone", "tenx-dark", id="remembered, but there is none"),
        pytest.param(
            "nord",
            {"TENXGRAPH_TUI_THEME": "dracula"},
            {},
            "tenx-light",
            "dracula",
            id="the user's, for this session",
        ),
    ],
)
async def test_who_says_it_last_decides(
    tmp_path: Path,
    file: str,
    environ: dict[str, str],
    flags: dict[str, object],
    remembered: str | None,
    theme: str,
) -> None:
    (tmp_path / FILE).write_text(f'theme = "{file}"\n')
    look = Look(load(tmp_path, environ, flags), Remembered(theme=remembered))
    on = stage(look=look)
    async with on.app.run_test():
        assert on.app.theme == theme


@pytest.mark.parametrize("name", ["tenx-dark", "nord", "tenx-light", "tenx-ansi"])
async def test_every_theme_is_worn_wholly_from_the_first_frame_on(name: str) -> None:
    on = stage(look=Look(Loaded(Path()), Remembered(theme=name)))
    async with on.app.run_test() as pilot:
        await pilot.pause()
        app, worn = on.app, on.app.current_theme
        classes = {each for each in app.classes if each.startswith("-theme-")}
        assert (worn.name, classes) == (name, {f"-theme-{name}"})
        assert app.has_class("-dark-mode") is worn.dark
        assert app.native_ansi_color is worn.ansi
        assert app.screen.styles.background == Color.parse(app.theme_variables["background"])


async def test_the_styles_are_not_read_twice_for_the_first_frame(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read_again: list[bool] = []
    reparse = Stylesheet.reparse

    def told(sheet: Stylesheet) -> None:
        read_again.append(True)
        reparse(sheet)

    monkeypatch.setattr(Stylesheet, "reparse", told)
    on = stage()
    async with on.app.run_test() as pilot:
        await until(pilot, lambda: "Eval sets" in screen_text(on.app))
        assert not read_again
        on.app.look.choose_theme(on.app, "nord")
        await until(pilot, lambda: bool(read_again))


def test_a_theme_that_does_not_exist_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('timeout = 10\ntheme = "tenx-drak"\n')
    with pytest.raises(ConfigError) as raised:
        Look(load(tmp_path, {}, {}), Remembered(theme="nord"))
    assert str(raised.value) == (
        f"{FILE} line 2: there is no theme 'tenx-drak'; did you mean 'tenx-dark'?"
    )


async def test_what_is_chosen_is_worn_and_remembered() -> None:
    on = stage()
    async with on.app.run_test():
        on.app.look.wear(on.app, "tenx-light")
        assert on.remembered.theme is None
        on.app.look.choose_theme(on.app, "nord")
        assert on.app.theme == on.remembered.theme == "nord"


async def test_signs_can_be_changed_while_they_are_on_the_screen() -> None:
    on = stage()
    async with on.app.run_test(size=(100, 30)) as pilot:
        await play(pilot, on, SCRIPT)
        assert "✗ failed" in screen_text(on.app)
        on.app.look.choose_ascii(on.app, is_ascii=True)
        await pilot.pause()
        assert "x failed" in screen_text(on.app)
        # names stay as they are
        assert {letter for letter in screen_text(on.app) if not letter.isascii()} <= {"ü"}
        assert on.remembered.ascii is True
        on.app.look.choose_ascii(on.app, is_ascii=False)
        await pilot.pause()
        assert "✗ failed" in screen_text(on.app)


@pytest.mark.parametrize("theme", ["tenx-mono", "tenx-ansi"])
async def test_without_colour_a_sign_and_a_word_say_what_is_meant(theme: str) -> None:
    on = stage()
    async with on.app.run_test(size=(100, 30)) as pilot:
        on.app.look.wear(on.app, theme)
        await play(pilot, on, SCRIPT)
        await pilot.pause()
        text = screen_text(on.app)
        assert hues_of(on) == set()
    for shown in ("✓ passed", "✗ failed", "▸ running", "· waiting", "✗0.33", "━ Cases", "1 Why"):
        assert shown in text


async def test_no_color_leaves_no_hue_of_any_theme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    on = stage()
    async with on.app.run_test(size=(100, 30)) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.pause()
        assert on.app.theme == "tenx-dark"
        assert hues_of(on) == set()
        grounds = {style.bgcolor for style in styles_of(on)}
        assert len(grounds) >= 3  # the row with the cursor and the bars can still be told apart


async def test_a_theme_has_its_hues_where_colour_is_wanted() -> None:
    on = stage()
    async with on.app.run_test(size=(100, 30)) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.pause()
        assert len(hues_of(on)) > 3


def styles_of(on: Stage) -> list[Style]:
    strips = on.app.screen._compositor.render_strips()
    return [segment.style for line in strips for segment in line if segment.style is not None]


def hues_of(on: Stage) -> set[ColorTriplet]:
    """The colours on the screen that are no grey and not named by the terminal."""
    drawn = (colour for style in styles_of(on) for colour in (style.color, style.bgcolor))
    triplets = {colour.triplet for colour in drawn if colour is not None and colour.triplet}
    return {one for one in triplets if not one.red == one.green == one.blue}
