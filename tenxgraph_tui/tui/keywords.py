"""What sentences call a key: as the settings have it, else as bindings have it from the start.

A process shows one dashboard, so its keys are kept here, and a sentence needs nothing to know them.
"""

from __future__ import annotations

from collections.abc import Mapping

from tenxgraph_tui.tui.keynames import shown

USUAL = {
    "app.quit": "q",
    "armed.all": "enter",
    "armed.not_now": "escape",
    "armed.not_passed": "f",
    "armed.offline": "o",
    "armed.stop_asking": "exclamation_mark",
    "browser.open": "enter",
    "browser.refresh": "ctrl+r",
    "browser.select": "space",
    "case.back": "escape",
    "cases.causes": "g",
    "cases.clear_filter": "escape",
    "cases.filter": "slash",
    "causes.show": "enter",
    "columns.close": "escape",
    "columns.toggle": "space",
    "copies.choose": "enter",
    "copies.close": "escape",
    "dashboard.preset": "p",
    "dashboard.sets": "b",
    "detail.open": "enter",
    "detail.trajectory": "2",
    "export.begin": "enter",
    "export.close": "escape",
    "export.stop": "x",
    "export.toggle": "space",
    "filter.keep": "enter",
    "filter.leave": "escape",
    "log.turn": "m",
    "news.dismiss": "escape",
    "notice.back": "escape",
    "notice.log": "6",
    "notice.open_folder": "o",
    "palette.close": "escape",
    "palette.next": "down",
    "palette.previous": "up",
    "presets.use": "enter",
    "run.cancel": "x",
    "run.start": "r",
    "run.watch": "w",
    "settings.change": "enter",
    "settings.close": "escape",
    "settings.edit": "o",
    "themes.back": "escape",
    "themes.choose": "enter",
    "watched.close": "escape",
    "watched.edit": "enter",
}
"""The bindings that sentences speak of, by their ids, each with the first of its keys."""
_given: dict[str, str] = {}


def give(keymap: Mapping[str, str]) -> None:
    """From now on sentences name these keys (see `keymap.keymap_of`), and the usual ones else."""
    _given.clear()
    _given.update(keymap)


def word(name: str) -> str:
    """What a sentence calls the key of the binding with that id: `r`, `esc`, `ctrl+g`."""
    return shown(_given.get(name, USUAL[name]).partition(",")[0])
