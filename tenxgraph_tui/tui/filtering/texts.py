"""How texts and names are compared by a filter."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from fnmatch import translate

from tenxgraph_tui.evaluation.events import CriterionInfo, SetInfo
from tenxgraph_tui.session.labels import set_label, set_labels
from tenxgraph_tui.tui.lines.columns import short_name


def any_of(patterns: Collection[str]) -> Callable[[str], bool]:
    """Whether a text is, in full, what one of the patterns says; large and small are alike."""
    match = re.compile("|".join(translate(folded(pattern)) for pattern in patterns)).match
    return lambda text: match(folded(text)) is not None


def folded(text: str) -> str:
    """A text as it is compared: large and small letters, and ways to write one, are alike."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFC", text).casefold()


def names_of(sets: Sequence[SetInfo]) -> list[tuple[str, ...]]:
    """What each set may be called in a filter: as its cases show it, by its file, by its id."""
    return [
        tuple(dict.fromkeys((label, set_label(info.file, info.eval_set_id), info.eval_set_id)))
        for info, label in zip(sets, set_labels(sets), strict=True)
    ]


def spellings(criterion: CriterionInfo) -> tuple[str, ...]:
    """What a criterion may be called in a filter: its slot, its short and its reported name."""
    named = (criterion.slot, short_name(criterion), criterion.name)
    return tuple(dict.fromkeys(name for name in named if name))


def reported(names: Collection[str], sets: Sequence[SetInfo]) -> frozenset[str]:
    """The names that results carry of the criteria called so in any set."""
    wanted = {folded(name) for name in names}
    return frozenset(
        one.name
        for info in sets
        for one in info.criteria
        if wanted & {folded(spelling) for spelling in spellings(one)}
    )
