"""Screens that are left once, and only while nothing stands in front of them."""

from __future__ import annotations

from textual import events
from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen, Screen, ScreenResultType


class Front(Screen[ScreenResultType]):
    """Can be dismissed at any time: behind another screen, or a second time, it does nothing.

    Textual would close the screen in front instead, and give a result to who has one already. A
    screen that a run closes looks again when it comes to the front (`on_screen_resume`).
    """

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        if not self.is_active:
            return AwaitComplete()
        return super().dismiss(result)


class Sheet(ModalScreen[ScreenResultType], Front[ScreenResultType]):
    """The same over what was there before."""


def is_beside(screen: Screen[ScreenResultType], event: events.Click) -> bool:
    """Whether a click met nothing of a screen, but what is to be seen behind it."""
    return screen.get_widget_at(*event.screen_offset)[0] is screen
