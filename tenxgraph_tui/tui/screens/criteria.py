"""The form: what a preset checks and how strictly, changed before a run or kept as a file."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult, RenderResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.getters import query_one

from tenxgraph_tui.tui.context import Context
from tenxgraph_tui.tui.draft import Draft
from tenxgraph_tui.tui.lines.criteria import LABELS, note_line
from tenxgraph_tui.tui.presets import Preset, refusal, unasked
from tenxgraph_tui.tui.screens.ask import AskScreen
from tenxgraph_tui.tui.screens.front import Sheet
from tenxgraph_tui.tui.screens.naming import ask_for_name
from tenxgraph_tui.tui.screens.sizes import HEIGHTS, WIDTHS, classes_at
from tenxgraph_tui.tui.widgets.bars import Row
from tenxgraph_tui.tui.widgets.criteria import CriteriaList, FieldList, Stepped
from tenxgraph_tui.tui.widgets.key_bar import KeyBar

HINTS = {
    "threshold": "from 0.0 to 1.0",
    "keywords": "with commas between them",
    "judge_model": "provider/model, or a name like gemini-2.5-flash",
    "num_samples": "how many opinions, at least 1",
}


class Note(Row):
    """What keeps the criteria from being used as they are."""

    def __init__(self) -> None:
        super().__init__()
        self._problem, self._judged = "", list[str]()

    def tell(self, problem: str, judged: list[str]) -> None:
        self._problem, self._judged = problem, judged
        self.refresh()

    def render(self) -> RenderResult:
        return note_line(self._problem, self._judged, self.size.width)


class CriteriaScreen(Sheet[Preset | None]):
    """Gives back the preset to be used for the next run, None to leave everything as it is."""

    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    AUTO_FOCUS = "CriteriaList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Back", id="case.back"),
        Binding("m", "step_field('match_type')", "Match type", id="criteria.match"),
        Binding("a", "step_field('check_args')", "Arguments", id="criteria.args"),
        Binding("0", "reset", "Reset", id="criteria.reset"),
        Binding("S", "save", "Save as config", key_display="S", id="criteria.save"),
        Binding("question_mark", "app.help", "Help", tooltip="Show the keys", id="app.help"),
        Binding("ctrl+p", "app.palette", "Commands", id="app.palette"),
    ]

    criteria = query_one(CriteriaList)
    fields = query_one(FieldList)
    note = query_one(Note)

    def __init__(self, context: Context, preset: Preset) -> None:
        super().__init__()
        self._shared, self._draft = context, Draft(preset)

    def compose(self) -> ComposeResult:
        self.update_classes(classes_at(self.app.size), animate=False)
        with Vertical(id="criteria"):
            yield CriteriaList(self._draft)
            yield FieldList(self._draft.row(0))
            yield Note()
        yield KeyBar(self._shared.desk)

    def on_mount(self) -> None:
        on_rows = (i for i in range(len(self._draft)) if self._draft.row(i).is_on)
        self.criteria.cursor = next(on_rows, 0)
        self._show()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "step_field":
            return parameters[0] in self._draft.row(self.criteria.cursor).fields
        return super().check_action(action, parameters)

    def _show(self, problem: str = "") -> None:
        self.criteria.update_lines()
        self.fields.look_at(self._draft.row(self.criteria.cursor))
        preset = self._draft.preset
        self.note.tell(problem, preset.judged_slots if unasked(preset, self._obstacle) else [])
        self.refresh_bindings()

    def _obstacle(self, model: str) -> str:
        return self._shared.desk.choices.judges.obstacle(model)

    @on(CriteriaList.Moved)
    def _look(self) -> None:
        self._show()

    @on(CriteriaList.Toggled)
    def _toggle(self) -> None:
        self._show(self._draft.toggle(self.criteria.cursor))

    @on(Stepped)
    def _step(self, message: Stepped) -> None:
        self._show(self._draft.step(self.criteria.cursor, message.field, message.by))

    def action_step_field(self, field: str) -> None:
        self._show(self._draft.step(self.criteria.cursor, field, 1))

    def action_reset(self) -> None:
        self._show(self._draft.reset(self.criteria.cursor))

    @on(FieldList.WriteAsked)
    def _write(self, message: FieldList.WriteAsked) -> None:
        """Ask for a value, which has to be right before the sheet closes."""
        field, index = message.field, self.criteria.cursor
        row = self._draft.row(index)
        now = getattr(row.now, field)
        value = ", ".join(now) if isinstance(now, list) else str(now)
        title = f"{row.name}  {LABELS[field]}"

        def accept(typed: str) -> str:
            return self._draft.write(index, field, typed)

        sheet = AskScreen(title, value, accept, hint=HINTS[field])
        self.app.push_screen(sheet, lambda _: self._show())

    @on(CriteriaList.Used)
    def _use(self) -> None:
        """Close the form, unless nothing could be checked with it."""
        preset = self._draft.preset
        told = refusal(preset, self._obstacle)
        if told:
            self._show("" if unasked(preset, self._obstacle) else told)
            self.app.bell()
        else:
            self.dismiss(self._draft.preset)

    def action_save(self) -> None:
        """Ask for a name, and keep the config under it; the form goes on with the file."""
        ask_for_name(self.app, self._shared.desk, self._draft.preset, self._saved)

    def _saved(self, saved: Preset) -> None:
        self._draft = Draft(saved)
        self.criteria.edit(self._draft)
        self._show()
