"""What a rerun would ask of paid models, as configs, prices and the last results tell it."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tenxgraph_tui.cli.compose import Composer
from tenxgraph_tui.cli.watching.project import Reading
from tenxgraph_tui.errors import ConfigError, TenxError
from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.session.discovery import FoundSet
from tenxgraph_tui.session.history import Name
from tenxgraph_tui.session.models import Price, access, price
from tenxgraph_tui.session.watching.estimate import Estimate, Part, estimate
from tenxgraph_tui.settings.env_file import add_env_file


def cost_of(
    reading: Reading, cases: Collection[Name], earlier: Mapping[Name, CaseProgress], price: PriceOf
) -> Estimate:
    """What running these cases takes; `earlier` are their last results."""
    composer = Composer(reading.request, reading.confevals)
    wanted: dict[str, list[str]] = {}
    for path, eval_id in cases:
        wanted.setdefault(path, []).append(eval_id)
    return estimate(
        (
            _part(composer, found, frozenset(wanted[str(found.file)]), earlier)
            for found in reading.discovery.sets
            if str(found.file) in wanted
        ),
        price,
    )


PriceOf = Callable[[str], Price | None]


@dataclass(slots=True)
class Prices:
    """Prices by the names in configs; each is looked up once."""

    environ: Mapping[str, str]
    _known: dict[str, Price | None] = field(default_factory=dict)

    @classmethod
    def of(cls, reading: Reading) -> Prices:
        """As a worker would find the models: with the variables of the project's `env_file`."""
        environ = dict(os.environ)
        env_file = reading.settings.path("env_file")
        if env_file is not None:
            with suppress(ConfigError):  # a run says what is wrong with the file
                add_env_file(env_file, environ)
        return cls(environ)

    def __call__(self, name: str) -> Price | None:
        """The price of a model; None where none is known."""
        if name not in self._known:
            self._known[name] = price(name, access(name, self.environ).provider)
        return self._known[name]


def _part(
    composer: Composer,
    found: FoundSet,
    wanted: Collection[str],
    earlier: Mapping[Name, CaseProgress],
) -> Part:
    """The cases of one file are run and checked alike."""
    path = str(found.file)
    cases = [c for c in found.cases if c.eval_id in wanted and not c.metadata.get("skip")]
    known = [one for c in cases if (one := earlier.get((path, c.eval_id))) is not None]
    return Part(
        cases=len(cases),
        turns=sum(len(case.conversation) for case in cases),
        config=_config(composer, found),
        target=_target(composer, found),
        seconds=_mean(one.duration_seconds for one in known),
    )


def _config(composer: Composer, found: FoundSet) -> EvalConfig | None:
    """What the set is checked with; a config that is wrong costs nothing, as nothing will run."""
    try:
        return composer.config(Path(found.file), found.eval_set).config
    except TenxError:
        return None


def _target(composer: Composer, found: FoundSet) -> str:
    request = composer.request
    named = found.eval_set.metadata.get("target")
    return str(request.target or named or request.fallbacks.target or "")


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
