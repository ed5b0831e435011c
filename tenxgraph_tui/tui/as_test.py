"""A case as a pytest test: text that runs, and fails, without the dashboard.

What agents and files say is part of a program here: it stands in literals and comments alone, and
cannot end either.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.events import SetInfo, VerdictPreview
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import Verdict
from tenxgraph_tui.evaluation.secrets import WEB, shown_spec
from tenxgraph_tui.evaluation.target_options import TargetOptions
from tenxgraph_tui.tui.folders import as_typed
from tenxgraph_tui.tui.words import clean, shorten, wrap

WIDTH = 96
REASON = 300
LONGEST_NAME = 80
NO_OPTIONS = TargetOptions()
OPTIONS_FROM = "from tenxgraph_tui.evaluation.target_options import TargetOptions\n"
NOT_PASSED = frozenset({Verdict.FAILED, Verdict.ERROR})
TEXT = """\
from tenxgraph_tui.evaluation import EvalConfig, assert_eval_passed
{imports}from tenxgraph_tui.targets import evaluate_target


{comment}
def {name}() -> None:
    config = EvalConfig.model_validate(
        {config},
    )
    report = evaluate_target(
        {target},
        {file},
        config,
        only=[{eval_id}],
{root}{options}    )
    assert_eval_passed(report)
"""


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a test stands on: the case as it ended, its set, and the config that it was run with.

    `number` is that of the run; `target` and `file` are as they are found from here, where the
    project at `root` is; `env_file` is what the agents got their variables from. `options` are what
    the settings say of servers and models.
    """

    case: CaseProgress
    number: int | None
    target: str
    file: str
    config: Mapping[str, Any]
    root: Path
    timeout: float | None = None
    env_file: str | None = None
    options: TargetOptions = NO_OPTIONS


def text_of(grounds: Grounds) -> str:
    """The text of a module with one test in it. Its paths go from the working directory."""
    case = grounds.case
    root, options = os.path.relpath(grounds.root), _options(grounds)
    return TEXT.format(
        imports=OPTIONS_FROM if options else "",
        options=options,
        comment="\n".join(_comment(grounds)),
        name=_name(case.info.eval_id),
        config=literal(_checked(grounds.config, grounds.timeout), 8),
        target=literal(grounds.target),
        file=literal(as_typed(grounds.file)),
        eval_id=literal(case.info.eval_id),
        root="" if root == os.curdir else f"        root={literal(root)},\n",
    )


def _options(grounds: Grounds) -> str:
    """What is said of the server or the model that is the target; "" where nothing is."""
    kind = "http" if WEB.match(grounds.target) else "model"
    if kind == "model" and not grounds.target.startswith("model:"):
        return ""
    said = grounds.options.model_dump(mode="json", include={kind}, exclude_unset=True)
    if not said.get(kind):
        return ""
    value = f"            {literal(said, 12)},\n"
    return f"        options=TargetOptions.model_validate(\n{value}        ),\n"


def target_here(info: SetInfo, file: Path, root: Path, *, said: str | None) -> str:
    """The target of a set with its file as it is found from here; `said` is the command line's.

    A set names it from where it lies, the settings from the root of the project.
    """
    spec = info.target
    if said is not None and spec == shown_spec(said):
        return spec
    head, colon, rest = spec.partition(":")
    if WEB.match(spec) or head == "model":
        return spec
    if head == "replay" and colon:
        return f"replay:{_found(rest, file, root)}"
    name, colon, attr = spec.rpartition(":")
    if name.endswith(".py") or "/" in name:
        return f"{_found(name, file, root)}:{attr}"
    return spec


def literal(value: Any, indent: int = 0) -> str:
    """A plain value as Python code that begins at a column, in as many lines as it needs."""
    whole = _in_one_line(value)
    if indent + len(whole) < WIDTH or not value or not isinstance(value, dict | list):
        return whole
    inner = " " * (indent + 4)
    if isinstance(value, dict):
        items = [f"{_text(str(key))}: {literal(item, indent + 4)}" for key, item in value.items()]
    else:
        items = [literal(item, indent + 4) for item in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    lines = "".join(f"{inner}{item},\n" for item in items)
    return f"{opening}\n{lines}{' ' * indent}{closing}"


def _in_one_line(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        items = (f"{_text(str(key))}: {_in_one_line(item)}" for key, item in value.items())
        return f"{{{', '.join(items)}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_in_one_line, value))}]"
    return repr(value)


def _text(text: str) -> str:
    """A text in quotes as people write them; whatever cannot be seen is written out."""
    return json.dumps(text, ensure_ascii=False) if text.isprintable() else ascii(text)


def _name(eval_id: str) -> str:
    """A function's name that tells the case."""
    letters = (letter if f"a{letter}".isidentifier() else "_" for letter in eval_id)
    return f"test_{''.join(letters)[:LONGEST_NAME]}"


def _comment(grounds: Grounds) -> Iterator[str]:
    case = grounds.case
    where = f"run #{grounds.number}" if grounds.number is not None else "its run"
    yield f"# {case.status.value.capitalize()} in {where}{':' if _reasons(case) else '.'}"
    for reason in _reasons(case):
        first, *rest = wrap(reason, WIDTH - 6) or [""]
        yield f"# - {first}"
        yield from (f"#   {line}" for line in rest)
    yield "# Its paths go from the folder that pytest is started in."
    if _is_kept_run(grounds.target):
        yield f"# {_one_line(grounds.target)} is a run in the project's store, which a test cannot"
        yield "# reach: name a recording, replay:FILE, or the agent itself."
    if grounds.env_file is not None:
        name = shorten(_one_line(as_typed(grounds.env_file)), WIDTH)
        yield f"# The agent's variables are in {name}: they have to be set."


def _is_kept_run(target: str) -> bool:
    """Whether a target is a run by its number, and no file."""
    kind, _, rest = target.partition(":")
    return kind == "replay" and rest.startswith("#") and not Path(rest).is_file()


def _reasons(case: CaseProgress) -> list[str]:
    """Why a case did not pass, a line each."""
    if case.error is not None:
        return [_short(case.error)]
    return [_why(verdict) for verdict in case.verdicts.values() if verdict.verdict in NOT_PASSED]


def _why(verdict: VerdictPreview) -> str:
    if verdict.verdict is Verdict.ERROR:
        return _short(f"{verdict.criterion}: {verdict.reason}")
    score = numbers.score(verdict.score, passed=False)
    needs = numbers.threshold(verdict.threshold)
    told = f": {verdict.reason}" if verdict.reason else ""
    return _short(f"{verdict.criterion} {score}, needs {needs}{told}")


def _short(text: str) -> str:
    text = _one_line(text)
    return text if len(text) <= REASON else f"{text[:REASON]}…"


def _one_line(text: str) -> str:
    return clean(re.sub(r"\s+", " ", text).strip())


def _checked(config: Mapping[str, Any], timeout: float | None) -> dict[str, Any]:
    """What of a config decides how a case ends: reports and concurrency do not."""
    whole = EvalConfig.model_validate(config)
    slots = dict(whole.criteria.enabled())
    plain: dict[str, Any] = {
        "criteria": {slot: _differing(slots[slot]) for slot in slots},
    }
    if whole.custom:
        plain["custom"] = [
            one.model_dump(mode="json", exclude_defaults=True) for one in whole.custom
        ]
    seconds = timeout or whole.timeout
    if seconds != EvalConfig.model_fields["timeout"].default:
        plain["timeout"] = seconds
    return plain


def _differing(criterion: Any) -> dict[str, Any]:
    """The threshold, and what else of a criterion is not as usual."""
    fields: dict[str, Any] = criterion.model_dump(mode="json", exclude_defaults=True)
    return {"threshold": criterion.threshold, **fields}


def _found(name: str, file: Path, root: Path) -> str:
    """A file as it is typed here, from where it is; as it was named if it is nowhere."""
    places: Iterable[Path] = (file.absolute().parent, root.absolute(), Path.cwd())
    found = next((place / name for place in places if (place / name).is_file()), Path(name))
    return as_typed(os.path.normpath(found))
