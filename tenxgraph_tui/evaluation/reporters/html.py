"""The report to open and to share: one HTML file that needs no network and runs no agent text."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from tenxgraph_tui.evaluation.reporters.file import FileReporter
from tenxgraph_tui.evaluation.reporters.included import Included
from tenxgraph_tui.evaluation.results import EvalReport, ReportSource
from tenxgraph_tui.evaluation.visible import visible

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

    from tenxgraph_tui.evaluation.reporters.case_view import CaseView


class HTMLReporter(FileReporter):
    """Writes a self-contained page: summary, criteria, and every case with what led to it.

    It loads nothing, can be read without scripts, and its security policy lets only its own script
    run. Very long texts are cut; the JSON report has them whole.
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
        """Write a page with everything in it to exactly that path; the folder must exist."""
        cls().save(report, path)

    def to_html(self, report: ReportSource) -> str:
        """The whole page as one text."""
        return "".join(self.chunks(report))

    def chunks(self, report: ReportSource) -> Iterator[str]:
        """The text of the page, a case at a time; the results are read once."""
        from tenxgraph_tui.evaluation.reporters.case_view import CaseView
        from tenxgraph_tui.evaluation.reporters.page import Page

        templates = page_templates()
        page = Page.of(report)
        results = map(self._included.of, report.iter_results())
        cases = (templates.case(CaseView.of(result, page.criteria)) for result in results)
        yield from templates.page.generate(page=page, cases=cases, **templates.inlined)


class Templates(NamedTuple):
    """The page, one case of it, and the texts that stand in the page as they are."""

    page: Template
    of_case: Template
    inlined: Mapping[str, Any]

    def case(self, view: CaseView) -> Markup:
        """The markup of one case, which the page need not escape again."""
        from markupsafe import Markup

        return Markup(self.of_case.render(case=view))


@cache
def page_templates() -> Templates:
    """Compile the templates; Jinja2 is imported here, on first use."""
    import jinja2
    from markupsafe import Markup

    environment = jinja2.Environment(
        autoescape=True,
        finalize=_shown,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style, script = _file("report.css"), _file("report.js")
    policy = (
        f"default-src 'none'; style-src {_source(style)}; script-src {_source(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    return Templates(
        environment.from_string(_file("report.html.j2")),
        environment.from_string(_file("case.html.j2")),
        {"style": Markup(style), "script": Markup(script), "policy": policy},
    )


def _file(name: str) -> str:
    from importlib.resources import files

    folder = files("tenxgraph_tui.evaluation.reporters") / "templates"
    return (folder / name).read_text(encoding="utf-8")


def _shown(value: Any) -> Any:
    """Every text that is put in is made visible; escaping it is Jinja's part."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return visible(value, multiline=True)
    return value


def _source(text: str) -> str:
    """How a security policy names an inline text: by its hash."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
