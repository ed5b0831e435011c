"""Which colours and signs are drawn with: chosen, remembered, or suited to the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from textual.app import App

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.settings import Layer, Loaded
from tenxgraph_tui.tui.glyphs import AsciiSigns
from tenxgraph_tui.tui.remembered import Remembered
from tenxgraph_tui.tui.theme import ANSI, DARK, LIGHT, names, theme_named

SIXTEEN_COLOURS = "standard"
LIGHT_GROUNDS = frozenset({"7", "15"})
"""White and light grey among the sixteen colours of a terminal."""


class Look:
    """Accompanies the application (see `companions`) and dresses it.

    What was chosen in the dashboard is stronger than the project's file, and weaker than what the
    user says at the start: an environment variable or a flag.

    Raises:
        ConfigError: there is no theme as the settings name it.
    """

    def __init__(
        self,
        settings: Loaded,
        remembered: Remembered,
        *,
        ascii_only: bool = False,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self._remembered, self._environ = remembered, environ or {}
        self._theme = self._chosen(settings, "theme", remembered.theme)
        if settings.values.theme is not None:
            _check(settings)
        ascii_chosen = self._chosen(settings, "ascii", remembered.ascii)
        self._signs = AsciiSigns(enabled=ascii_only if ascii_chosen is None else ascii_chosen)

    def _chosen(self, settings: Loaded, name: str, remembered: Any) -> Any:
        said_now = settings.origins[name].layer in {Layer.ENVIRONMENT, Layer.FLAG}
        return getattr(settings.values, name) if said_now or remembered is None else remembered

    @property
    def signs(self) -> AsciiSigns:
        """The filter that draws ASCII signs where it is enabled."""
        return self._signs

    @property
    def is_ascii(self) -> bool:
        return self._signs.enabled

    def dress(self, app: App[Any]) -> None:
        """Choose the colours before the styles are read, which is done anew in other ones.

        Not where Textual has to do more for them than for its own dark ones: `begin` does it there.
        """
        theme = theme_named(self._worn(app))
        if theme.dark and not theme.ansi:
            app.register_theme(theme)
            app.set_reactive(App.theme, theme.name)
            app.add_class(f"-theme-{theme.name}", update=False)
            app.stylesheet.set_variables(app.get_css_variables())

    def begin(self, app: App[Any]) -> None:
        self.wear(app, self._worn(app))

    def _worn(self, app: App[Any]) -> str:
        name = self._theme if self._theme in names() else None
        return name or suited(self._environ, app.console.color_system)

    def tick(self, app: App[Any]) -> None:
        """Nothing changes by itself."""

    def end(self, app: App[Any]) -> None:
        """Nothing is left behind."""

    def wear(self, app: App[Any], name: str) -> None:
        """Draw in other colours, for now."""
        app.register_theme(theme_named(name))
        app.theme = name

    def choose_theme(self, app: App[Any], name: str) -> None:
        """Draw in other colours from now on."""
        self.wear(app, name)
        self._remembered.theme = name

    def choose_ascii(self, app: App[Any], *, is_ascii: bool) -> None:
        """Draw with other signs from now on."""
        self._signs.enabled = self._remembered.ascii = is_ascii
        app.refresh_css(animate=False)


def _check(settings: Loaded) -> None:
    try:
        theme_named(str(settings.values.theme))
    except ConfigError as error:
        raise ConfigError(f"{settings.origins['theme'].where}: {error}") from None


def suited(environ: Mapping[str, str], colour_system: str | None) -> str:
    """The theme for a terminal of which only this is known.

    `COLORFGBG`, which several terminals set, ends in the colour of the background; with sixteen
    colours ours would all be drawn in the wrong ones.
    """
    if colour_system == SIXTEEN_COLOURS:
        return ANSI.name
    *_, ground = environ.get("COLORFGBG", "").split(";")
    return LIGHT.name if ground in LIGHT_GROUNDS else DARK.name
