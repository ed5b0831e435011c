"""What a screen with the preset panel on it does with what the panel reports."""

from __future__ import annotations

import asyncio

from textual import on
from textual.screen import ScreenResultType

from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.context import Context
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.presets import (
    CUSTOM,
    Preset,
    checks_something,
    needs_judge,
    refusal,
    why_not_with,
)
from tenxgraph_tui.tui.screens.front import Front
from tenxgraph_tui.tui.widgets.preset_panel import PresetPanel


class ChoosingScreen(Front[ScreenResultType]):
    """Takes picks to the desk; what cannot run is refused when it is picked, not when it runs."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._shared = context

    def on_mount(self) -> None:
        self.keep_up_with(self._shared.changed, self._show_presets)
        self.call_after_refresh(self._price)

    def _show_presets(self) -> None:
        for panel in self.query(PresetPanel):
            panel.show()

    def _price(self) -> None:
        """Look up what the models of the presets cost, which reads a large file."""
        names = [name for one in self._shared.desk.choices.presets for name in one.judge_models]
        unpriced = self._shared.desk.choices.judges.unpriced(names)
        if unpriced:
            self.run_worker(self._look_up(unpriced), exit_on_error=False, group="prices")

    async def _look_up(self, names: list[str]) -> None:
        await asyncio.to_thread(self._shared.desk.choices.judges.look_up, names)
        self._show_presets()

    @on(PresetPanel.Used)
    def _use(self, message: PresetPanel.Used) -> None:
        preset = message.preset
        if preset.name == CUSTOM and preset.original is None:
            self._edit_preset(preset)
        else:
            self._choose(preset)

    def _choose(self, preset: Preset) -> None:
        told = refusal(preset, self._shared.desk.choices.judges.obstacle)
        if told:
            is_judge = needs_judge(preset)
            toasts.warn(self.app, "Judge cannot be asked" if is_judge else "Cannot run", told)
            return
        self._shared.desk.choose(preset)
        self._shared.changed.publish(None)

    @on(PresetPanel.Combined)
    def _combine(self, message: PresetPanel.Combined) -> None:
        choices, entry = self._shared.desk.choices, message.preset
        told = why_not_with(choices.preset, entry)
        if told and not choices.is_used(entry):
            toasts.said(self.app, "Not combined", told)
            return
        wanted = choices.with_or_without(entry)
        if wanted is choices.preset:
            toasts.said(
                self.app,
                f"{entry.name} stays in use",
                f"{word('presets.use')} on another one changes it.",
            )
            return
        self._choose(wanted)

    @on(PresetPanel.EditAsked)
    def _edit(self, message: PresetPanel.EditAsked) -> None:
        self._edit_preset(message.preset)

    def _edit_preset(self, preset: Preset) -> None:
        if preset.config is None:
            told = preset.problem or "Every set asks for a config of its own, in its file."
            toasts.said(self.app, f"{preset.name} is not edited here", told)
            return
        from tenxgraph_tui.tui.screens.criteria import CriteriaScreen

        self.app.push_screen(CriteriaScreen(self._shared, preset), self.use_edited)

    def use_edited(self, new: Preset | None) -> None:
        """What the form gave is in the list, and in use."""
        choices = self._shared.desk.choices
        if new is not None:
            choices.replace(new)
            self._choose(choices.preset if choices.is_used(new) else new)
            for panel in self.query(PresetPanel):
                panel.go_to_used()
        self._price()
        self._shared.changed.publish(None)  # a file may have been saved meanwhile

    @on(PresetPanel.SaveAsked)
    def _save(self, message: PresetPanel.SaveAsked) -> None:
        config = message.preset.config
        if config is None or not checks_something(config):
            toasts.said(self.app, "Nothing to save", f"{message.preset.name} has no criteria.")
            return
        from tenxgraph_tui.tui.screens.naming import ask_for_name

        ask_for_name(self.app, self._shared.desk, message.preset, self._saved)

    def _saved(self, saved: Preset) -> None:  # noqa: ARG002 - it is in the list already
        self._shared.changed.publish(None)
