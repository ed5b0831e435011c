"""The prompts of judged criteria: found, checked and filled in; what agents said is fenced.

A prompt is a Jinja2 template. A value is written between tags that carry the run's random marker,
wherever a template writes it, and every prompt begins with the rule that such text is data.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.evaluation.criterion_config import JUDGED_SLOTS
from tenxgraph_tui.evaluation.judging.context import bench
from tenxgraph_tui.evaluation.models import meant_or, nearest

if TYPE_CHECKING:
    from jinja2 import Environment, Template

OURS = Path(__file__).parent / "prompts"
SUFFIX = ".j2"
DECLARED = "declared.j2"
ANSWER, HISTORY = "answer", "history"

VARIABLES = {
    "question": "what the user said in this turn",
    ANSWER: "what the agent answered",
    "expected": "the expected answer, empty if there is none",
    HISTORY: "the turns before, each with `question` and `answer`",
    "tools": "the tool calls until here, each with arguments and result",
    "context": "`metadata.context` of the case",
    "reference_facts": "`metadata.reference_facts` of the case",
    "rubrics": "the rubrics of the config, each with `id` and `content`",
    "goals": "the goals of a simulated user",
    "metadata": "the metadata of the case, as they stand in the file",
    "marker": "the random text that fences data",
}
"""What a template can write, by name."""


class _Data(str):
    """A text from outside, what it is called in the tags around it, and their marker."""

    __slots__ = ("called", "marker")
    called: str
    marker: str


class Trusted(str):
    """A text of whoever wrote the config: a prompt writes it as it is."""

    __slots__ = ()


def fenced(text: str, called: str, marker: str) -> str:
    """`text` between two tags that nobody can write who does not know the marker."""
    return f"<{called} {marker}>\n{text}\n</{called} {marker}>"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A template by the name that errors call it, and where it was found."""

    name: str
    template: Template

    def fill(self, values: Mapping[str, Any], marker: str) -> str:
        """The text for the judge, without how to answer.

        Raises:
            ConfigError: the template asks for something that is not there.
        """
        import jinja2

        try:
            return self.template.render(_told(values, marker))
        except jinja2.TemplateError as error:
            raise ConfigError(f"prompt {self.name}: {error.message or error}") from error
        except (TypeError, ValueError, ArithmeticError, LookupError) as error:
            told = f"{type(error).__name__}: {error}"
            raise ConfigError(f"prompt {self.name} cannot be filled in: {told}") from error


def declared(text: str, marker: str) -> str:
    """A prompt behind the rule that what is fenced in it is data."""
    rule = _environment(None).get_template(DECLARED).render(marker=Trusted(marker))
    return f"{rule}\n{text.strip()}\n"


def prompt_for(
    slot: str, own: str | None = None, folder: str | None = None, cwd: Path | None = None
) -> Prompt:
    """The prompt of a slot: the criterion's `own`, else the one in `folder`, else ours.

    `own` is a template, or the path of one that ends with `.j2`; it is also looked for in `folder`.
    Paths go from `cwd`, or from the current folder.

    Raises:
        ConfigError: it cannot be read, or is no template that shows the judge an answer; the
            message has file and line.
    """
    if own is not None and not is_file(own):
        return _made(f"of {slot}", own, folder)
    file = (cwd or Path()) / _file_of(slot, own, folder)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        told = f"prompt {file} of {slot} cannot be read: {error.strerror or error}"
        raise ConfigError(told) from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"prompt {file} of {slot} is not UTF-8: {error.reason}") from error
    return _made(str(file), text, folder)


def check_folder(folder: str) -> None:
    """Find out that a folder of prompts is none, or holds one that nobody would look for.

    Raises:
        ConfigError: it says what was probably meant.
    """
    place = Path(folder)
    if not place.is_dir():
        raise ConfigError(f"prompts_dir {folder}: there is no such folder")
    for file in sorted(place.glob(f"*{SUFFIX}")):
        meant = nearest(file.stem, JUDGED_SLOTS)
        if meant is not None and meant != file.stem:
            raise ConfigError(f"prompt {file}: did you mean {meant}{SUFFIX}?")


def is_file(own: str) -> bool:
    """Whether what a config says of a prompt is a path, not the template itself."""
    return own.endswith(SUFFIX) and "\n" not in own and "{" not in own


def _file_of(slot: str, own: str | None, folder: str | None) -> Path:
    if own is not None:
        beside = Path(folder) / own if folder is not None else None
        return beside if beside is not None and beside.is_file() else Path(own)
    name = f"{slot}{SUFFIX}"
    if folder is not None and (Path(folder) / name).is_file():
        return Path(folder) / name
    return OURS / name


@cache
def _made(name: str, text: str, folder: str | None) -> Prompt:
    import jinja2
    from jinja2 import meta

    environment = _environment(folder)
    try:
        tree = environment.parse(text)
        template = environment.from_string(text)
    except jinja2.TemplateSyntaxError as error:
        raise ConfigError(f"prompt {name}:{error.lineno}: {error.message}") from error
    used = meta.find_undeclared_variables(tree)
    for unknown in sorted(used - VARIABLES.keys()):
        hint = meant_or(unknown, VARIABLES, f"there are {', '.join(VARIABLES)}")
        line = _line_of(text, unknown)
        raise ConfigError(f"prompt {name}:{line}: there is no variable {unknown!r}: {hint}")
    includes = any(True for _ in meta.find_referenced_templates(tree))
    if not includes and not used & {ANSWER, HISTORY}:
        raise ConfigError(f"prompt {name} shows the judge no answer: write {{{{ answer }}}} in it")
    return Prompt(name, template)


def _line_of(text: str, word: str) -> int:
    return next((n for n, line in enumerate(text.splitlines(), start=1) if word in line), 1)


@cache
def _environment(folder: str | None) -> Environment:
    import jinja2

    folders = [*([folder] if folder is not None else []), str(OURS)]
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folders),
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        finalize=_written,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _written(value: Any) -> Any:
    """What a template writes of a value: a text that it made of data is data too."""
    if isinstance(value, _Data):
        return fenced(str(value), value.called, value.marker)
    if isinstance(value, Trusted) or not isinstance(value, str) or not value:
        return value
    return fenced(value, "data", bench().marker)


def _told(values: Mapping[str, Any], marker: str) -> dict[str, Any]:
    told = {name: _marked(value, name, marker) for name, value in values.items()}
    return {**dict.fromkeys(VARIABLES, Trusted()), **told, "marker": Trusted(marker)}


def _marked(value: Any, called: str, marker: str) -> Any:
    """Texts as data, also those within lists and mappings."""
    if isinstance(value, Trusted):
        return value
    if isinstance(value, str):
        made = _Data(value)
        made.called, made.marker = called, marker
        return made
    if isinstance(value, Mapping):
        return {key: _marked(item, str(key), marker) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [_marked(item, called.removesuffix("s"), marker) for item in value]
    return value


def as_text(value: Any) -> str:
    """What a person wrote, or a tool returned, as a text: JSON unless it is one."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)
