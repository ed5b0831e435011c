"""*Chat*: the conversation turn by turn, what was expected beside what came, the calls between."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.tui.glyphs import ACCENT, MUTED
from tenxgraph_tui.tui.kit import Part, clip, join, rule, text
from tenxgraph_tui.tui.lines.value import CLOSED, OPEN
from tenxgraph_tui.tui.panes import chat_picked, states
from tenxgraph_tui.tui.panes.blocks import QUIET, head, labelled, name_cells, slot_of
from tenxgraph_tui.tui.panes.chat_layout import Beside, Layout, Stacked
from tenxgraph_tui.tui.panes.chat_lines import Fold, conversation
from tenxgraph_tui.tui.panes.chat_parts import answers_of, turn_score
from tenxgraph_tui.tui.panes.items import Block, Item, block, lines_of, spaced
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.space import Space
from tenxgraph_tui.tui.panes.talk import Stage, Talk, Turn, talk_of

UNFOLDED = 2_000
"""At most how many lines a text gets that is unfolded."""
MOST_CALLS = 12
"""Calls of a turn that are shown while the others are folded."""
BEFORE = "before"
HISTORY = Fold(lines=40, first=2, last=20)

Unfolded = Collection[str]


def lines(
    model: DetailModel, width: int, height: int, unfolded: Unfolded = frozenset()
) -> list[Content]:
    """Every line is at most `width` cells; there may be more lines than `height`."""
    return lines_of(draw(talk_of(model), model, width, height, unfolded))


def draw(
    talk: Talk, model: DetailModel, width: int, height: int, unfolded: Unfolded = frozenset()
) -> list[Item]:
    """The same lines as the items that the cursor goes over."""
    space = Space(width, height)
    blocks = _Chat(talk, model, space, unfolded).blocks() if talk.turns else _nothing(model, width)
    return [
        Item(tuple(clip(line, width) for line in one.lines), one.picked, one.fold)
        for one in spaced(blocks, is_roomy=space.is_roomy)
    ]


def _nothing(model: DetailModel, width: int) -> list[Block]:
    missing = states.unreadable(width) if model.case is None else []
    return [block(missing), *(block(one) for one in states.without_result(model, width))]


@dataclass(frozen=True, slots=True)
class _Chat:
    """Draws the parts of a conversation in some space."""

    talk: Talk
    model: DetailModel
    space: Space
    unfolded: Unfolded

    @property
    def _layout(self) -> Layout:
        """Columns where there is anything to stand beside anything."""
        is_beside = self.space.has_columns and self.talk.compares
        return Beside(self.space.width) if is_beside else Stacked(self.space.width)

    def blocks(self) -> list[Block]:
        turns = [self._turn(turn) for turn in self.talk.turns]
        criterion = self.talk.criterion
        heads = self._layout.heads(slot_of(criterion.criterion) if criterion is not None else "")
        turns[0] = block(heads) + turns[0]
        return [self._before(), *turns, self._error(), self._score()]

    def _before(self) -> Block:
        """What the agent was given before the first turn; folded it is one line."""
        messages, width = self.talk.before, self.space.width
        if not messages:
            return []
        mark = OPEN if BEFORE in self.unfolded else CLOSED
        told = join(text(mark, ACCENT), text(plural(len(messages), "message"), MUTED))
        found = block(labelled("before", [told], width), chat_picked.BEFORE, BEFORE)
        if BEFORE in self.unfolded:
            found += block(conversation(messages, width, HISTORY))
        return found

    def _turn(self, turn: Turn) -> Block:
        return self._asked(turn) + self._calls(turn) + self._answer(turn)

    def _limit(self, name: str) -> int:
        return UNFOLDED if name in self.unfolded else self.space.few

    def _fold(self, name: str, *, is_cut: bool) -> str:
        return name if is_cut or name in self.unfolded else ""

    def _asked(self, turn: Turn) -> Block:
        name = f"question {turn.number}"
        label = f"turn {turn.number + 1}" if self.talk.is_long else "user"
        limit = self._limit(name)
        found = self._layout.asked(turn.asked, limit, label, turn_score(turn.score))
        fold = self._fold(name, is_cut=len(found) > limit)
        return block(found, chat_picked.of_turn(turn.number), fold)

    def _calls(self, turn: Turn) -> Block:
        name = f"calls {turn.number}"
        shown = turn.calls if name in self.unfolded else turn.calls[:MOST_CALLS]
        found: Block = []
        for step in shown:
            lines = self._layout.call(step, "" if found else "tool")
            found += block(lines, chat_picked.of_call(step))
        if len(turn.calls) > MOST_CALLS:
            left = len(turn.calls) - len(shown)
            told = f"… {plural(left, 'more call')}" if left else f"all {len(shown)} calls"
            found += block(labelled("", [text(told, MUTED)], self.space.width), None, name)
        return found

    def _answer(self, turn: Turn) -> Block:
        name = f"answer {turn.number}"
        layout = self._layout
        answers = answers_of(turn, layout.room, self._limit(name))
        found = layout.answers(answers, turn_score(turn.score))
        if turn.stage is not Stage.ANSWERED:
            return block(found)
        picked = chat_picked.of_answers(turn.number, is_compared=turn.expected is not None)
        return block(found, picked, self._fold(name, is_cut=answers.is_cut))

    def _error(self) -> Block:
        """What broke the conversation off."""
        result = self.model.result
        if result is None or not result.is_error:
            return []
        shown = states.error_lines(result, self.space.width, self.space.few)
        return block(shown, chat_picked.ERROR)

    def _score(self) -> Block:
        """What failed, and in which turn; of one turn *Why* says it as well."""
        result = self.model.result
        if result is None or not self.talk.is_long:
            return []
        loud = [one for one in result.criterion_results if one.verdict not in QUIET]
        if not loud:
            return []
        by_turn = any("worst_turn" in one.details for one in loud)
        right: Part = text("the worst turn counts", MUTED) if by_turn else ""
        names = name_cells(loud, self.space.width)
        heads = [head(one, names, self.space.width)[0] for one in loud]
        return block([rule("Score", self.space.width, right), *heads])
