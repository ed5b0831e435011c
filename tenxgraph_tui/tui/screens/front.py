"""Screens that are left once, and only while nothing stands in front of them."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen, Screen, ScreenResultType
from textual.signal import Signal


class Front(Screen[ScreenResultType]):
    """Can be dismissed at any time: behind another screen, or a second time, it does nothing.

    Textual would close the screen in front instead, and give a result to who has one already. A
    screen that a run closes looks again when it comes to the front (`on_screen_resume`).
    """

    _changes: Signal[None] | None = None

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        if not self.is_active:
            return AwaitComplete()
        return super().dismiss(result)

    def keep_up_with(self, changes: Signal[None], look: Callable[[], object]) -> None:
        """Look after every change, until the screen is closed.

        A signal forgets who is gone when it is published next: as long as nothing changes, every
        screen that was opened and left would be kept, with all of its widgets.
        """
        changes.subscribe(self, lambda _: look())
        self._changes = changes

    def on_unmount(self) -> None:
        if self._changes is not None:
            self._changes.unsubscribe(self)


class Sheet(ModalScreen[ScreenResultType], Front[ScreenResultType]):
    """The same over what was there before."""


def is_beside(screen: Screen[ScreenResultType], event: events.Click) -> bool:
    """Whether a click met nothing of a screen, but what is to be seen behind it."""
    return screen.get_widget_at(*event.screen_offset)[0] is screen
