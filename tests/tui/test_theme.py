from __future__ import annotations

import pytest
from textual.color import Color
from textual.theme import Theme

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.tui.theme import (
    ANSI,
    CONTRAST,
    DARK,
    LIGHT,
    MONO,
    OURS,
    ROW,
    ROW_BLURRED,
    names,
    theme_named,
)

CONTENT, TEXT, REPEATED = 7.0, 4.5, 3.0
"""Contrast of content; of labels and of everything coloured; of what only repeats something."""
SHADES = [DARK, LIGHT, CONTRAST, MONO]


def light_of(colour: Color) -> float:
    """The relative luminance of a colour, as WCAG 2 defines it."""
    shares = [value / 255 for value in colour.rgb]
    parts = [s / 12.92 if s <= 0.03928 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: str, other: str) -> float:
    """How far two colours are apart, from 1 to 21."""
    lower, higher = sorted(light_of(Color.parse(colour)) for colour in (one, other))
    return (higher + 0.05) / (lower + 0.05)


def grounds(theme: Theme) -> dict[str, str]:
    """Everything that text is drawn on."""
    rows = {name: theme.variables[name].removeprefix("on ") for name in (ROW, ROW_BLURRED)}
    tints = {name: theme.variables[f"{name}-muted"] for name in ("success", "error", "warning")}
    assert theme.background is not None
    assert theme.surface is not None
    assert theme.panel is not None
    flat = {"background": theme.background, "surface": theme.surface, "panel": theme.panel}
    return flat | rows | tints


def test_ratios_are_those_of_the_standard() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", SHADES, ids=lambda theme: theme.name)
def test_what_is_read_can_be_read_wherever_it_stands(theme: Theme) -> None:
    assert theme.foreground is not None
    texts = {"accent": theme.primary, "muted": theme.variables["foreground-muted"]}
    texts |= {name: theme.variables[f"text-{name}"] for name in ("success", "error", "warning")}
    faint = theme.variables["foreground-disabled"]
    for where, ground in grounds(theme).items():
        assert contrast(theme.foreground, ground) >= CONTENT, where
        assert contrast(faint, ground) >= REPEATED, where
        for name, colour in texts.items():
            assert contrast(colour, ground) >= TEXT, (name, where)
    assert contrast(faint, grounds(theme)["background"]) >= TEXT


def test_high_contrast_is_seven_to_one_for_every_text() -> None:
    texts = {name: CONTRAST.variables[f"foreground-{name}"] for name in ("muted", "disabled")}
    texts |= {name: CONTRAST.variables[f"text-{name}"] for name in ("success", "error", "warning")}
    texts |= {"accent": CONTRAST.primary, "foreground": CONTRAST.foreground or ""}
    for where, ground in grounds(CONTRAST).items():
        for name, colour in texts.items():
            assert contrast(colour, ground) >= CONTENT, (name, where)


@pytest.mark.parametrize(
    ("theme", "content", "muted", "faint", "muted_on_cursor"),
    [(DARK, 13.9, 6.9, 4.6, 4.7), (LIGHT, 16.0, 6.5, 4.7, 5.1)],
    ids=["dark", "light"],
)
def test_the_greys_are_as_far_apart_as_designed(
    theme: Theme, content: float, muted: float, faint: float, muted_on_cursor: float
) -> None:
    ground, cursor = grounds(theme)["background"], grounds(theme)[ROW]
    assert contrast(theme.foreground or "", ground) == pytest.approx(content, abs=0.06)
    variables = theme.variables
    assert contrast(variables["foreground-muted"], ground) == pytest.approx(muted, abs=0.06)
    assert contrast(variables["foreground-disabled"], ground) == pytest.approx(faint, abs=0.06)
    measured = contrast(variables["foreground-muted"], cursor)
    assert measured == pytest.approx(muted_on_cursor, abs=0.06)


def test_monochrome_has_no_hue() -> None:
    colours = [MONO.primary, MONO.background, MONO.foreground, MONO.success, MONO.error]
    colours += [value.removeprefix("on ") for value in MONO.variables.values()]
    for colour in colours:
        red, green, blue = Color.parse(colour or "").rgb
        assert red == green == blue, colour


def test_ansi_names_colours_of_the_terminal_alone() -> None:
    colours = [ANSI.primary, ANSI.background, ANSI.foreground, ANSI.success, ANSI.error]
    colours += [value for name, value in ANSI.variables.items() if not name.startswith("cursor-")]
    assert all(str(colour).startswith("ansi_") for colour in colours)


@pytest.mark.parametrize("name", [name for name in names() if name not in OURS])
def test_a_theme_of_textual_gets_what_our_lines_need(name: str) -> None:
    theme = theme_named(name)
    needed = ("foreground-muted", "foreground-disabled", "text-success", "text-error", "border")
    for variable in (*needed, "border-blurred", "text-warning", "warning-muted"):
        assert Color.parse(theme.variables[variable]).a == 1, variable
    ground = grounds(theme)
    muted = theme.variables["foreground-muted"]
    assert contrast(theme.foreground or "", ground["background"]) > contrast(
        muted, ground["background"]
    )
    assert ground[ROW] not in {ground["background"], ground[ROW_BLURRED]}


def test_an_unknown_theme_is_told_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match="there is no theme 'tenx-drak'; did you mean 'tenx-dark"):
        theme_named("tenx-drak")
    with pytest.raises(ConfigError, match="there are tenx-dark, tenx-light"):
        theme_named("zzz")
