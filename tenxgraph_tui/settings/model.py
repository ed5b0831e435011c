"""The settings there are, and where the value of each came from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.evaluation.target_options import HttpOptions, ModelOptions, without_user

Text = Annotated[str, Field(min_length=1, pattern=r"^[^\x00]*$")]
"""No file, program or model is called by nothing, or by a name with a zero byte in it."""
Url = Annotated[Text, AfterValidator(without_user)]
Report = Literal["json", "html", "junit", "markdown"]
Notify = Literal["bell", "desktop"]


def position(file: Path, line: int | None = None) -> str:
    """A place as errors begin with it, as seen from the working directory."""
    here = Path.cwd()
    shown = file.relative_to(here) if file.is_relative_to(here) else file
    return str(shown) if line is None else f"{shown}:{line}"


class Layer(StrEnum):
    """From weak to strong."""

    DEFAULT = "default"
    PROJECT = "project file"
    ENVIRONMENT = "environment"
    FLAG = "command line"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value came from: `source` is `pyproject.toml`, `TENXGRAPH_TUI_TIMEOUT`, `--timeout`.

    `file` and `line` lead to the place in a file; `line` is None where it was not found.
    """

    layer: Layer = Layer.DEFAULT
    source: str = "default"
    file: Path | None = None
    line: int | None = None

    @property
    def where(self) -> str:
        """`pyproject.toml line 12`, or the source alone."""
        return self.source if self.line is None else f"{self.source} line {self.line}"

    @property
    def position(self) -> str:
        """`pyproject.toml:12`, as errors begin, or the source alone."""
        if self.file is None:
            return self.source
        return position(self.file, self.line)


class Settings(BaseModel):
    """Every setting, valid; None leaves the choice to what the description says.

    Relative paths are as they were written: `Loaded.path` knows from where they go.
    """

    model_config = ConfigDict(frozen=True, defer_build=True)

    paths: tuple[Text, ...] = Field(
        default=(), description="eval sets and folders to look in, instead of the whole project"
    )
    target: Text | None = Field(
        default=None,
        description="the agent under test, for sets that name none",
        examples=["agents.py:a"],
    )
    preset: Text | None = Field(
        default=None, description="what is checked in sets that name no config (else offline)"
    )
    config: Text | None = Field(
        default=None, description="the same, as a config file", examples=["ci.evalconfig.json"]
    )
    http: dict[Url, HttpOptions] = Field(
        default={}, description="how agents behind HTTP are asked, by their URLs"
    )
    model: ModelOptions | None = Field(
        default=None, description="prompt, tools and limits of targets like model:gpt-4o"
    )
    python: Text | None = Field(
        default=None, description="the interpreter that runs the agents (else the project's own)"
    )
    env_file: Text | None = Field(
        default=None, description="variables for the agents; those that are set already win"
    )
    judge_model: Text | None = Field(
        default=None,
        description="the model that judged criteria ask (else each its own)",
        examples=["gpt-4o"],
    )
    judge_base_url: Text | None = Field(
        default=None,
        description="an OpenAI-compatible server that judges are asked at (else their provider's)",
        examples=["http://localhost:8000/v1"],
    )
    prompts_dir: Text | None = Field(
        default=None,
        description="a folder with prompts for judges that take the place of ours",
        examples=["prompts"],
    )
    judge_cache: bool | None = Field(
        default=None,
        description="whether judges' answers are kept and used again (else in watch and dashboard)",
    )
    timeout: float | None = Field(
        default=None,
        gt=0,
        allow_inf_nan=False,
        description="seconds for all turns of a case (else the config's)",
        examples=[60],
    )
    max_concurrency: int | None = Field(
        default=None, ge=1, description="cases at once (else the config's)", examples=[8]
    )
    threshold: float = Field(
        default=1.0,
        ge=0,
        le=1,
        allow_inf_nan=False,
        description="share of cases that must pass in run",
        examples=[0.9],
    )
    report: tuple[Report, ...] = Field(
        default=(), description="files that run writes: json, html, junit, markdown"
    )
    output_dir: Text | None = Field(
        default=None, description="where they go (else the config's)", examples=["eval_reports"]
    )
    timestamp_files: bool | None = Field(
        default=None, description="whether their names have the time (else the config's)"
    )
    theme: Text | None = Field(
        default=None, description="colours of the dashboard", examples=["tenx-dark"]
    )
    ascii: bool | None = Field(
        default=None, description="draw with ASCII signs alone (else as the terminal can)"
    )
    editor: Text | None = Field(
        default=None, description="opens files (else $VISUAL, $EDITOR)", examples=["code -w"]
    )
    columns: tuple[Text, ...] = Field(
        default=(),
        description="columns of the case table (else as many as fit)",
        examples=[["tokens", "time"]],
    )
    watch: bool | None = Field(
        default=None, description="whether a save starts a run (else as it was last time)"
    )
    confirm_above: float = Field(
        default=0.0,
        ge=0,
        allow_inf_nan=False,
        description="US dollars that a run may cost by estimate before watch mode asks",
        examples=[0.5],
    )
    notify: Notify | None = Field(
        default=None,
        description="what tells of a run that a save started: bell or desktop (else nothing)",
        examples=["bell"],
    )
    keys: dict[Text, Text] = Field(
        default={},
        description="other keys for actions, by the action's id",
        examples=[{"run.start": "f9"}],
    )

    @model_validator(mode="after")
    def _one_config(self) -> Self:
        if self.preset is not None and self.config is not None:
            raise ValueError("preset and config are both set: keep one of them")
        return self


def defaults() -> dict[str, Origin]:
    """An origin for every setting that nobody set."""
    return dict.fromkeys(Settings.model_fields, Origin())


@dataclass(frozen=True, slots=True)
class Loaded:
    """The merged settings of the project at `root`; `origins` has an entry for every setting.

    `warnings` are lines about what has no effect.
    """

    root: Path
    values: Settings = field(default_factory=Settings)
    origins: Mapping[str, Origin] = field(default_factory=defaults)
    warnings: tuple[str, ...] = ()

    def is_flag(self, name: str) -> bool:
        """Whether the value was said on the command line, and so holds for everything."""
        return self.origins[name].layer is Layer.FLAG

    def is_said_now(self, name: str) -> bool:
        """Whether the value is for this start alone: a flag's, or the environment's."""
        return self.origins[name].layer in {Layer.ENVIRONMENT, Layer.FLAG}

    def named(self, name: str) -> str:
        """How errors call a setting: `--python`, `pyproject.toml line 12: python`."""
        origin = self.origins[name]
        return f"{origin.where}: {name}" if origin.layer is Layer.PROJECT else origin.where

    def base(self, name: str) -> Path:
        """From where the relative paths of a setting go: a flag was typed in the current folder."""
        return Path.cwd() if self.is_flag(name) else self.root

    def path(self, name: str) -> Path | None:
        """A setting that is one path, absolute; None if it is not set."""
        written = getattr(self.values, name)
        return None if written is None else self.base(name) / Path(written).expanduser()

    def places(self) -> list[Path]:
        """Where to look for eval sets, absolute; empty for the whole project.

        Raises:
            ConfigError: one of them does not exist.
        """
        found = [self.base("paths") / Path(written).expanduser() for written in self.values.paths]
        for place in found:
            if not os.path.lexists(place):
                position = self.origins["paths"].position
                raise ConfigError(f"{position}: paths: there is no file or folder {place}")
        return found

    @property
    def python(self) -> str | None:
        """The interpreter: a bare name is looked for on `PATH`, by whoever starts it."""
        written = self.values.python
        if written is None or Path(written).name == written:
            return written
        return str(self.path("python"))
