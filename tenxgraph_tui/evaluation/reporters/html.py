"""The report to open and to share: one HTML file that needs no network and runs no agent text."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from tenxgraph_tui.evaluation.reporters.case_view import CaseView
from tenxgraph_tui.evaluation.reporters.file import FileReporter
from tenxgraph_tui.evaluation.reporters.included import Included
from tenxgraph_tui.evaluation.reporters.page import Page
from tenxgraph_tui.evaluation.results import EvalReport, ReportSource
from tenxgraph_tui.evaluation.visible import visible

if TYPE_CHECKING:
    from jinja2 import Template

PIECES = 64
"""Pieces of the template that are joined before they are written."""


class HTMLReporter(FileReporter):
    """Writes a self-contained page: summary, criteria, and every case with what led to it.

    It loads nothing, works without scripts (but for the filter), and its security policy lets only
    its own script run. Very long texts are cut; the JSON report has them whole.
    """

    ending = ".html"

    def __init__(
        self,
        include_details: bool = True,
        include_actual_response: bool = True,
        include_tool_call_details: bool = True,
        include_node_responses: bool = True,
        include_trajectory: bool = True,
        *,
        timestamp_files: bool = True,
    ) -> None:
        super().__init__(timestamp_files=timestamp_files)
        self._included = Included(
            details=include_details,
            trajectory=include_trajectory,
            node_responses=include_node_responses,
            actual_response=include_actual_response,
            tool_call_details=include_tool_call_details,
        )

    @classmethod
    def quick_save(cls, report: EvalReport, path: str) -> None:
        """Write a page with everything in it."""
        cls().save(report, path)

    def to_html(self, report: ReportSource) -> str:
        """The whole page as one text."""
        return "".join(self.chunks(report))

    def chunks(self, report: ReportSource) -> Iterator[str]:
        """The text of the file, a few pieces at a time; the results are read once."""
        template, assets = page_template()
        page = Page.of(report)
        cases = (
            CaseView.of(self._included.of(result), page.criteria)
            for result in report.iter_results()
        )
        stream = template.stream(page=page, cases=cases, **assets)
        stream.enable_buffering(PIECES)
        yield from stream


@cache
def page_template() -> tuple[Template, dict[str, Any]]:
    """The template and what it inlines. Jinja2 is imported here, on first use."""
    import jinja2
    from markupsafe import Markup

    def shown(value: Any) -> Any:
        """Every text that is put in is made visible; escaping it is Jinja's part."""
        if isinstance(value, str) and not hasattr(value, "__html__"):
            return visible(value, multiline=True)
        return value

    folder = files("tenxgraph_tui.evaluation.reporters") / "templates"
    environment = jinja2.Environment(
        autoescape=True,
        finalize=shown,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style, script = (
        (folder / name).read_text(encoding="utf-8") for name in ("report.css", "report.js")
    )
    template = environment.from_string((folder / "report.html.j2").read_text(encoding="utf-8"))
    return template, {
        "style": Markup(style),
        "script": Markup(script),
        "policy": (
            f"default-src 'none'; style-src {_source(style)}; script-src {_source(script)}; "
            "base-uri 'none'; form-action 'none'"
        ),
    }


def _source(text: str) -> str:
    """How a security policy names an inline text: by its hash."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
