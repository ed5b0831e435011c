"""Cases kept small: as the JSON that they come from, read again when somebody looks at one."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from tenxgraph_tui.evaluation.dataset import EvalCase

KEPT = 16


class PackedCases:
    """The cases of a file, in a tenth of the memory that they take as objects.

    A case that is looked at again and again is the same object, as long as few others are.
    """

    def __init__(self, cases: Iterable[EvalCase] = ()) -> None:
        # the file was read, so what is in it can be written as JSON
        self._texts = {case.eval_id: case.model_dump_json().encode() for case in cases}
        self._read: OrderedDict[str, EvalCase] = OrderedDict()

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
