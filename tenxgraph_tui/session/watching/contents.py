"""What the eval sets of a project say at one moment, small enough to be compared with the next."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet
from tenxgraph_tui.evaluation.formats.module_paths import file_in, split
from tenxgraph_tui.evaluation.paths import real
from tenxgraph_tui.evaluation.presets import PRESETS
from tenxgraph_tui.session.discovery import Discovery, FoundSet
from tenxgraph_tui.session.files import Problem
from tenxgraph_tui.session.watching.fingerprints import fingerprint
from tenxgraph_tui.settings import Loaded

OF_RUNS = {"target", "preset", "config", "python", "env_file", "timeout", "max_concurrency"}
"""The settings that decide what comes out of a case."""
MADE_UP = {"conversation": {"__all__": {"invocation_id"}}}
"""Where a file does not say it, every reading of it makes up another."""


@dataclass(frozen=True, slots=True)
class SetContent:
    """One eval-set file. `path` is as requests and events name it, `file` is its real path.

    `cases` has a digest of every wanted case by its id, in file order; `metadata` is the digest of
    what the set asks for itself; `config` the real path of the config file that it names; `code`
    the digest of the module that makes the set, if one does. Of a file with a `problem` the rest is
    what it said when it could last be read.
    """

    path: str
    file: Path
    cases: Mapping[str, str] = field(default_factory=dict)
    metadata: str = ""
    config: Path | None = None
    problem: str = ""
    code: str = ""

    @classmethod
    def of(cls, found: FoundSet) -> Self:
        """A file that was read."""
        return cls.read(str(found.file), found.eval_set, found.cases)

    @classmethod
    def read(cls, path: str, eval_set: EvalSet, cases: Iterable[EvalCase]) -> Self:
        """The same from its parts: the set, and those of its cases that are wanted."""
        file = real(file_in(path))
        return cls(
            path,
            file,
            {case.eval_id: digest_of_case(case) for case in cases},
            digest_of(eval_set.metadata),
            _config_of(eval_set, Path(path)),
            code=str(fingerprint(file)) if split(path) is not None else "",
        )

    @classmethod
    def broken(cls, problem: Problem) -> Self:
        """A file that could not be read."""
        return cls(str(problem.file), real(file_in(problem.file)), problem=problem.text)


@dataclass(frozen=True, slots=True)
class Contents:
    """Every eval set of a project by its path, and what the settings ask of a run.

    `settings` is any text that differs when they do (see `digest_of`); `problem` says why they
    cannot be read.
    """

    sets: Mapping[str, SetContent] = field(default_factory=dict)
    settings: str = ""
    problem: str = ""

    @classmethod
    def of(cls, discovery: Discovery, settings: str = "") -> Self:
        """What a discovery brought; files that could not be read are in it with their problem."""
        return cls.holding(
            [
                *map(SetContent.of, discovery.sets),
                *map(SetContent.broken, discovery.problems),
            ],
            settings,
        )

    @classmethod
    def holding(cls, sets: Iterable[SetContent], settings: str = "", problem: str = "") -> Self:
        """The given sets."""
        return cls({one.path: one for one in sets}, settings, problem)

    def over(self, before: Contents) -> Contents:
        """The same; what cannot be read now says what it said before, beside its problem.

        So that a file that was broken for a while is compared with its last good text.
        """
        sets = {
            path: replace(before.sets[path], problem=one.problem)
            if one.problem and path in before.sets
            else one
            for path, one in self.sets.items()
        }
        return Contents(sets, before.settings if self.problem else self.settings, self.problem)

    @property
    def problems(self) -> tuple[str, ...]:
        """One line for everything that cannot be read."""
        said = [one.problem for one in self.sets.values() if one.problem]
        return tuple(([self.problem] if self.problem else []) + said)

    @property
    def configs(self) -> frozenset[Path]:
        """The config files that sets name themselves."""
        return frozenset(one.config for one in self.sets.values() if one.config is not None)


def digest_of(value: object) -> str:
    """A short text that differs when `value`, anything that JSON can hold, does."""
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=8).hexdigest()


def digest_of_case(case: EvalCase) -> str:
    """A short text that differs when anything of the case does that somebody wrote."""
    return digest_of(case.model_dump(mode="json", exclude=MADE_UP))


def _config_of(eval_set: EvalSet, path: Path) -> Path | None:
    named = eval_set.metadata.get("config")
    if not isinstance(named, str) or named in PRESETS:
        return None
    return real(path.absolute().parent / named)


def digest_of_settings(loaded: Loaded) -> str:
    """A text that differs when what a run is asked for does, variables of `env_file` among it."""
    env_file = loaded.path("env_file")
    asked = loaded.values.model_dump(mode="json", include=OF_RUNS)
    return digest_of([asked, fingerprint(env_file) if env_file is not None else None])
