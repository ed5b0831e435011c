"""The dashboard's own colours: grey is calm, white is content, colour is news.

Lines are drawn in colours that have no alpha, because `Content` would lose it; themes of Textual
get such colours, mixed from their own, when they are chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.evaluation.models import meant_or

ROW, ROW_BLURRED = "cursor-row", "cursor-row-blurred"
"""Variables of ours: how the row of a cursor is drawn, in a pane with the focus and without."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Colours:
    """What lines are drawn in (three greys, an accent, verdicts), and what they are drawn on."""

    background: str
    surface: str
    panel: str
    foreground: str
    muted: str
    faint: str
    hair: str
    accent: str
    good: str
    bad: str
    warn: str
    good_bar: str
    bad_bar: str
    warn_bar: str
    good_tint: str
    bad_tint: str
    warn_tint: str
    cursor: str
    cursor_text: str
    blurred: str
    row: str = ""
    row_blurred: str = ""


def made(name: str, colours: Colours, *, dark: bool, ansi: bool = False) -> Theme:
    """A theme for everything of ours, and for the widgets of Textual that we use."""
    return Theme(
        name=name,
        dark=dark,
        ansi=ansi,
        primary=colours.accent,
        secondary=colours.muted,
        accent=colours.accent,
        foreground=colours.foreground,
        background=colours.background,
        surface=colours.surface,
        panel=colours.panel,
        success=colours.good_bar,
        warning=colours.warn_bar,
        error=colours.bad_bar,
        variables=variables_of(colours),
    )


def variables_of(colours: Colours) -> dict[str, str]:
    """The variables that styles and lines name, beyond the colours that every theme has."""
    return {
        "surface": colours.surface,
        "panel": colours.panel,
        "foreground-muted": colours.muted,
        "foreground-disabled": colours.faint,
        "border": colours.accent,
        "border-blurred": colours.hair,
        "block-cursor-background": colours.cursor,
        "block-cursor-foreground": colours.cursor_text,
        "block-cursor-blurred-background": colours.blurred,
        "text-success": colours.good,
        "text-error": colours.bad,
        "text-warning": colours.warn,
        "success-muted": colours.good_tint,
        "error-muted": colours.bad_tint,
        "warning-muted": colours.warn_tint,
        "scrollbar": colours.muted,
        "scrollbar-hover": colours.foreground,
        "scrollbar-active": colours.accent,
        **{f"scrollbar-{part}": colours.background for part in SCROLLBAR_GROUND},
        ROW: colours.row or f"on {colours.cursor}",
        ROW_BLURRED: colours.row_blurred or f"on {colours.blurred}",
    }


SCROLLBAR_GROUND = ("background", "background-hover", "background-active", "corner-color")

DARK = made(
    "tenx-dark",
    Colours(
        background="#0F1115", surface="#15181E", panel="#1C2028",
        foreground="#D9DDE6", muted="#969DAC", faint="#777E8C", hair="#323945", accent="#86A2FF",
        good="#7FD3A4", bad="#FF8A94", warn="#EBC06E",
        good_bar="#6FC796", bad_bar="#F0717D", warn_bar="#E3B35A",
        good_tint="#1D3A2C", bad_tint="#43222A", warn_tint="#3D3119",
        cursor="#26314F", cursor_text="#FFFFFF", blurred="#1D222C",
    ),
    dark=True,
)  # fmt: skip
LIGHT = made(
    "tenx-light",
    Colours(
        background="#FBFBFC", surface="#F3F4F6", panel="#E9EBEF",
        foreground="#1B1F27", muted="#555C6B", faint="#6B7280", hair="#C5CAD3", accent="#3355D1",
        good="#176A3E", bad="#A81E2A", warn="#7A4F00",
        good_bar="#1C7A48", bad_bar="#B4232F", warn_bar="#8A5A00",
        good_tint="#DCF1E4", bad_tint="#FBE0E2", warn_tint="#F8EACB",
        cursor="#D8E0FB", cursor_text="#000000", blurred="#E9EBEF",
    ),
    dark=False,
)  # fmt: skip
CONTRAST = made(
    "tenx-contrast",
    Colours(
        background="#000000", surface="#0A0A0A", panel="#141414",
        foreground="#FFFFFF", muted="#D6D6D6", faint="#BDBDBD", hair="#8C8C8C", accent="#9CC2FF",
        good="#8CF2B4", bad="#FFB0B6", warn="#FFD97A",
        good_bar="#8CF2B4", bad_bar="#FFB0B6", warn_bar="#FFD97A",
        good_tint="#06301A", bad_tint="#40090F", warn_tint="#332600",
        cursor="#10265C", cursor_text="#FFFFFF", blurred="#222222",
    ),
    dark=True,
)  # fmt: skip
MONO = made(
    "tenx-mono",
    Colours(
        background="#111111", surface="#181818", panel="#202020",
        foreground="#DEDEDE", muted="#9E9E9E", faint="#7E7E7E", hair="#3A3A3A", accent="#E6E6E6",
        good="#B8B8B8", bad="#F4F4F4", warn="#E0E0E0",
        good_bar="#8A8A8A", bad_bar="#F4F4F4", warn_bar="#BEBEBE",
        good_tint="#262626", bad_tint="#303030", warn_tint="#303030",
        cursor="#333333", cursor_text="#FFFFFF", blurred="#222222",
    ),
    dark=True,
)  # fmt: skip
ANSI = made(
    "tenx-ansi",
    Colours(
        background="ansi_default", surface="ansi_default", panel="ansi_default",
        foreground="ansi_default", muted="ansi_bright_black", faint="ansi_bright_black",
        hair="ansi_bright_black", accent="ansi_blue",
        good="ansi_green", bad="ansi_red", warn="ansi_yellow",
        good_bar="ansi_green", bad_bar="ansi_red", warn_bar="ansi_yellow",
        good_tint="ansi_default", bad_tint="ansi_default", warn_tint="ansi_default",
        cursor="ansi_blue", cursor_text="ansi_bright_white", blurred="ansi_default",
        # of a palette that is not known only its two first colours are sure to differ
        row="ansi_default on ansi_default reverse", row_blurred="bold",
    ),
    dark=True, ansi=True,
)  # fmt: skip
ANSI.variables |= {"ansi-background": "ansi_black", "ansi-foreground": "ansi_white"}

OURS = {
    DARK.name: "dark",
    LIGHT.name: "light",
    CONTRAST.name: "high contrast",
    ANSI.name: "the terminal's own colours",
    MONO.name: "greys alone",
}
"""Our themes, and what they are for."""
_MADE = {theme.name: theme for theme in (DARK, LIGHT, CONTRAST, ANSI, MONO)}


def names() -> list[str]:
    """Every theme that can be chosen, ours first."""
    return [*OURS, *sorted(name for name, theme in BUILTIN_THEMES.items() if not theme.ansi)]


def theme_named(name: str) -> Theme:
    """A theme of ours, or one of Textual with the colours that our lines need.

    Raises:
        ConfigError: there is no such theme; the message says which one may have been meant.
    """
    if name not in names():
        hint = meant_or(name, names(), f"there are {', '.join(OURS)}")
        raise ConfigError(f"there is no theme {name!r}; {hint}")
    return _MADE[name] if name in _MADE else _adopted(BUILTIN_THEMES[name])


def _adopted(theme: Theme) -> Theme:
    """`theme` in our shades: its greys and its cursor are mixed from its own colours."""
    found = theme.to_color_system().generate() | theme.variables
    ground, content = Color.parse(found["background"]), Color.parse(found["foreground"])
    accent = Color.parse(found["primary"])
    return made(
        theme.name,
        Colours(
            **{name: found[name] for name in ("background", "surface", "panel", "foreground")},
            **_greys(ground, content),
            accent=found["primary"],
            **{key: found[f"text-{name}"] for key, name in VERDICTS.items()},
            **{f"{key}_bar": found[name] for key, name in VERDICTS.items()},
            **{f"{key}_tint": found[f"{name}-muted"] for key, name in VERDICTS.items()},
            cursor=ground.blend(accent, 0.3).hex,
            cursor_text=found["foreground"],
        ),
        dark=theme.dark,
    )


VERDICTS = {"good": "success", "bad": "error", "warn": "warning"}
SHARES = {"muted": 0.68, "faint": 0.52, "hair": 0.22, "blurred": 0.1}


def _greys(ground: Color, content: Color) -> Mapping[str, str]:
    return {name: ground.blend(content, share).hex for name, share in SHARES.items()}
