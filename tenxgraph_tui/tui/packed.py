"""Cases kept small: as the JSON that they come from, read again when somebody looks at one."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable
from hashlib import blake2b

from tenxgraph_tui.evaluation.dataset import EvalCase

KEPT = 16
_MADE_UP = re.compile(rb'"invocation_id":"(?:[^"\\]|\\.)*"')
"""What every reading calls a turn anew, where the file does not say it."""


class PackedCases:
    """The cases of a file, in a tenth of the memory that they take as objects.

    A case that is looked at again and again is the same object, as long as few others are.
    """

    def __init__(self, cases: Iterable[EvalCase] = ()) -> None:
        # the file was read, so what is in it can be written as JSON
        self._texts = {case.eval_id: case.model_dump_json().encode() for case in cases}
        self._read: OrderedDict[str, EvalCase] = OrderedDict()

    def differing(self, before: PackedCases) -> int:
        """How many of the cases are not as they were before."""
        old = before._texts
        return sum(
            eval_id in old and _MADE_UP.sub(b"", old[eval_id]) != _MADE_UP.sub(b"", text)
            for eval_id, text in self._texts.items()
        )

    def digests(self) -> dict[str, str]:
        """A short text for every case by its id, another one where anything of the case is."""
        return {
            eval_id: blake2b(_MADE_UP.sub(b"", text), digest_size=8).hexdigest()
            for eval_id, text in self._texts.items()
        }

    def get(self, eval_id: str) -> EvalCase | None:
        """The case with that id, if it is among them."""
        if eval_id not in self._texts:
            return None
        if eval_id in self._read:
            self._read.move_to_end(eval_id)
            return self._read[eval_id]
        case = self._read[eval_id] = EvalCase.model_validate_json(self._texts[eval_id])
        if len(self._read) > KEPT:
            self._read.popitem(last=False)
        return case

    def once(self, eval_id: str) -> EvalCase | None:
        """The same for whoever looks at many: it is not kept, and any thread may ask."""
        text = self._texts.get(eval_id)
        return EvalCase.model_validate_json(text) if text is not None else None

    def holding(self, word: str) -> list[str]:
        """The ids of the cases in whose JSON something has that name."""
        name = f'"{word}":'.encode()
        return [eval_id for eval_id, text in self._texts.items() if name in text]
