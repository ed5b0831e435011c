"""Eval-set files: what loads, and the one line that a bad one gets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenxgraph_tui.errors import EvalSetError, EvalSetNotFound
from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet, Invocation, ToolCall
from tenxgraph_tui.evaluation.formats import Loaded, read_eval_set, write_json


def load(folder: Path, content: str | bytes) -> Loaded:
    return read_eval_set(_file(folder, content))


def refusal(folder: Path, content: str | bytes) -> str:
    """The message for a file, which must be one line that begins with its path."""
    path = _file(folder, content)
    with pytest.raises(EvalSetError) as caught:
        read_eval_set(path)
    message = str(caught.value)
    assert message.startswith(f"{path}:")
    assert "\n" not in message
    return message.removeprefix(f"{path}:").strip()


def case(**fields: object) -> str:
    return json.dumps({"eval_cases": [fields]}, ensure_ascii=False)


def turn(**fields: object) -> str:
    asked = {"user_content": {"role": "user", "content": "q"}}
    return case(eval_id="tokyo", conversation=[asked | fields])


def _file(folder: Path, content: str | bytes) -> Path:
    path = folder / "weather.evalset.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


class TestWhatLoads:
    def test_a_set_as_it_is_documented(self, tmp_path: Path) -> None:
        loaded = load(tmp_path, turn(expected_tool_trajectory=[{"name": "f", "args": {"x": 1}}]))

        (only,) = loaded.eval_set.eval_cases
        assert only.expected_calls() == [ToolCall(name="f", args={"x": 1})]
        assert loaded.warnings == []

    def test_b02_a_scenario_is_kept_and_a_null_session_is_absent(self, tmp_path: Path) -> None:
        scenario = {"starting_prompt": "Hello", "conversation_plan": "ask for a refund"}

        loaded = load(
            tmp_path, case(eval_id="c1", conversation_scenario=scenario, session_input=None)
        )

        (only,) = loaded.eval_set.eval_cases
        assert only.session_input.user_id == "test_user"
        assert only.model_dump()["conversation_scenario"] == scenario
        assert ["eval_cases[0].conversation_scenario" in line for line in loaded.warnings] == [True]

    def test_b03_an_empty_set(self, tmp_path: Path) -> None:
        assert load(tmp_path, '{"eval_set_id":"e","eval_cases":[]}').eval_set.eval_cases == []

    @pytest.mark.parametrize(
        "response",
        [
            pytest.param(None, id="null"),
            pytest.param({"role": "assistant", "content": ""}, id="an empty text"),
            pytest.param({"role": "assistant", "content": []}, id="no blocks"),
            pytest.param({"role": "assistant", "content": [{"text": None}]}, id="a null text"),
        ],
    )
    def test_b04_no_text_is_no_expectation(self, tmp_path: Path, response: object) -> None:
        (only,) = load(tmp_path, turn(expected_final_response=response)).eval_set.eval_cases

        assert only.conversation[0].expected_text() is None

    def test_b06_other_scripts_whatever_the_locale(self, tmp_path: Path) -> None:
        text = "你好，请问订单 42 在哪？ 🚚"

        loaded = load(tmp_path, turn(user_content={"role": "user", "content": text}))

        assert loaded.eval_set.eval_cases[0].conversation[0].user_content.get_text() == text

    def test_b07_a_byte_order_mark_changes_nothing(self, tmp_path: Path) -> None:
        plain = turn().encode()

        with_mark = load(tmp_path, b"\xef\xbb\xbf" + plain).eval_set

        assert with_mark.eval_cases[0].eval_id == "tokyo"

    def test_b09_ids_are_kept_verbatim(self, tmp_path: Path) -> None:
        content = '{"eval_set_id": "../../tmp/x", "eval_cases": [{"eval_id": "tests/a/b.json"}]}'

        loaded = load(tmp_path, content)

        assert loaded.eval_set.eval_set_id == "../../tmp/x"
        assert loaded.eval_set.eval_cases[0].eval_id == "tests/a/b.json"

    def test_b21_arguments_as_json_text_are_parsed_once(self, tmp_path: Path) -> None:
        calls = [{"name": "f", "args": '{"cmd": "true", "n": 2}'}]

        (only,) = load(tmp_path, turn(expected_tool_trajectory=calls)).eval_set.eval_cases

        assert only.expected_calls()[0].args == {"cmd": "true", "n": 2}

    def test_ids_that_are_missing_are_the_same_for_every_reader(self, tmp_path: Path) -> None:
        content = '{"eval_cases": [{}, {"eval_id": "b"}, {}]}'

        first, second = load(tmp_path, content).eval_set, load(tmp_path, content).eval_set

        assert first.eval_set_id == second.eval_set_id == "weather"
        assert [each.eval_id for each in first.eval_cases] == ["case-1", "b", "case-3"]
        assert [each.eval_id for each in second.eval_cases] == ["case-1", "b", "case-3"]

    def test_an_unknown_key_is_a_warning_and_survives_a_save(self, tmp_path: Path) -> None:
        loaded = load(tmp_path, turn(mood="cheerful"))

        (warning,) = loaded.warnings
        assert "unknown key eval_cases[0].conversation[0].mood" in warning
        assert "mood" in loaded.eval_set.model_dump()["eval_cases"][0]["conversation"][0]

    @pytest.mark.parametrize(
        ("key", "meant"),
        [
            ("expected_tools", "expected_tool_trajectory"),
            ("expected_response", "expected_final_response"),
            ("expected_nodes", "expected_node_order"),
        ],
    )
    def test_another_name_for_an_expectation_never_switches_it_off(
        self, tmp_path: Path, key: str, meant: str
    ) -> None:
        with pytest.raises(EvalSetError, match=f"'{key}': did you mean '{meant}'"):
            load(tmp_path, turn(**{key: []}))

    def test_metadata_that_resembles_a_key_of_ours_is_told(self, tmp_path: Path) -> None:
        case = '{"eval_id": "a", "metadata": {"xfial": "bug 12", "owner": "ada"}}'
        loaded = load(tmp_path, f'{{"metadata": {{"taget": "a.py:b"}}, "eval_cases": [{case}]}}')

        first, second = loaded.warnings
        assert "metadata.taget has no effect: did you mean 'target'?" in first
        assert "eval_cases[0].metadata.xfial has no effect: did you mean 'xfail'?" in second

    def test_b10_a_doubled_key_is_a_warning_with_its_line(self, tmp_path: Path) -> None:
        loaded = load(tmp_path, '{"eval_set_id": "x",\n "eval_set_id": "y",\n "eval_cases": []}')

        (warning,) = loaded.warnings
        assert loaded.eval_set.eval_set_id == "y"
        assert "weather.evalset.json:2: key 'eval_set_id' stands twice" in warning


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(
            '{"eval_cases":[{"metadata":\n{"p": NaN}}]}',
            "2:7: NaN is no number that JSON knows: write a finite one, or null",
            id="B10: NaN",
        ),
        pytest.param(
            '{"eval_cases":[{"metadata":{"text": "NaN", "p": -Infinity}}]}',
            "1:49: -Infinity is no number that JSON knows: write a finite one, or null",
            id="B10: infinity, and a text that looks like it",
        ),
        pytest.param(
            '{"eval_cases":[1e999]}',
            "1:16: 1e999 is no number that JSON knows: write a finite one, or null",
            id="B10: a number too large for a float",
        ),
        pytest.param(
            '{"eval_cases": [\n  {"eval_id": "a"',
            "2:18: no JSON: expecting ',' delimiter; the file ends too early or a quote is missing",
            id="B10: cut off in the middle",
        ),
        pytest.param(
            '{"eval_cases": [}',
            "1:17: no JSON: expecting value",
            id="a bracket is missing",
        ),
        pytest.param("", "the file is empty", id="B10: an empty file"),
        pytest.param(" \n", "the file is empty", id="B10: a blank file"),
        pytest.param(
            '"a text"',
            'an eval set is an object like {"eval_set_id": "…", "eval_cases": […]}, not a text',
            id="B10: a bare text",
        ),
        pytest.param(
            "[1]",
            'an eval set is an object like {"eval_set_id": "…", "eval_cases": […]}, not a list',
            id="a list",
        ),
        pytest.param("[" * 100_000, "nested too deeply to be read", id="nested without end"),
        pytest.param(
            '{"eval_cases": []}'.encode("utf-16"),
            "not UTF-8 but UTF-16: save the file as UTF-8",
            id="B07: UTF-16",
        ),
        pytest.param(
            b'{"eval_cases":\n["caf\xe9"]}',
            "2: not UTF-8 (byte 0xe9): save the file as UTF-8",
            id="B06: Latin-1",
        ),
        pytest.param(
            '{\n"evl_cases": []}',
            "2: eval_cases is missing: rename 'evl_cases' to 'eval_cases'",
            id="B11: a misspelt required key",
        ),
        pytest.param(
            '{"cases": []}',
            "1: eval_cases is missing: rename 'cases' to 'eval_cases'",
            id="D44: another word for it",
        ),
        pytest.param(
            '{"name": "x"}',
            "eval_cases is missing: add 'eval_cases', a list of cases",
            id="no cases at all",
        ),
        pytest.param(
            '[{"query": "hi", "expected_tool_use": [], "reference": "hello"}]',
            "this is a Google ADK test file (a list of turns): such files are not read yet",
            id="B01: the older ADK generation",
        ),
        pytest.param(
            '[{"name": "s", "data": [], "initial_session": {}}]',
            "this is a Google ADK test file (a list of turns): such files are not read yet",
            id="B01: several sets of it",
        ),
        pytest.param(
            '{"evalSetId": "a", "evalCases": []}',
            "this is a Google ADK eval set (camelCase keys): such files are not read yet",
            id="B11: camelCase",
        ),
        pytest.param(
            turn(user_content={"role": "user", "parts": [{"text": "hi"}]}),
            "this is a Google ADK eval set (contents with parts): such files are not read yet",
            id="B04: the newer ADK generation",
        ),
        pytest.param(
            '{"eval_cases": [\n{"eval_id": "a"},\n{"eval_id": "a"}]}',
            "1: eval_id 'a' stands twice: eval_cases[0] and eval_cases[1]",
            id="the same id twice",
        ),
        pytest.param(
            case(eval_id="tokyo", conversaton=[]),
            "1: eval_cases[0] (case 'tokyo'): unknown key 'conversaton': "
            "did you mean 'conversation'?",
            id="a misspelt key",
        ),
        pytest.param(
            case(eval_id="tokyo", conversation=[{"user_content": "hi"}]),
            "1: eval_cases[0].conversation[0].user_content (case 'tokyo') must be an object, "
            'not a text, e.g. {"role": "user", "content": "…"}',
            id="a text instead of a message",
        ),
        pytest.param(
            turn(user_content={"role": "user"}),
            "1: eval_cases[0].conversation[0].user_content.content (case 'tokyo') is missing, "
            'e.g. "…"',
            id="a message without text",
        ),
        pytest.param(
            turn(user_content={"role": "user", "content": [7]}),
            "1: eval_cases[0].conversation[0].user_content.content[0] (case 'tokyo') "
            "must be an object, not a number",
            id="one of two possible kinds, told once",
        ),
        pytest.param(
            turn(expected_tool_trajectory=[{"name": "f", "args": "{bad"}]),
            "1: eval_cases[0].conversation[0].expected_tool_trajectory[0].args (case 'tokyo'): "
            "arguments given as text are no JSON: Expecting property name enclosed in double "
            "quotes: line 1 column 2 (char 1)",
            id="B21: arguments that are no JSON",
        ),
        pytest.param(
            turn(expected_tool_trajectory=[{"name": "f", "args": [1]}]),
            "1: eval_cases[0].conversation[0].expected_tool_trajectory[0].args (case 'tokyo'): "
            "arguments must be an object of names and values, not [1]",
            id="arguments as a list",
        ),
        pytest.param(
            case(eval_id=7),
            "1: eval_cases[0].eval_id must be a text, not a number",
            id="a number as an id",
        ),
        pytest.param(
            case(eval_id="tokyo", metadata={"criteria": {"ruge_match": 0.3}}),
            "1: eval_cases[0] (case 'tokyo'): metadata.criteria: unknown criterion 'ruge_match': "
            "did you mean 'rouge_match'?",
            id="B59: a misspelt criterion of a case",
        ),
        pytest.param(
            case(eval_id="tokyo", metadata={"criteria": {"rouge_match": 3}}),
            "1: eval_cases[0] (case 'tokyo'): metadata.criteria.rouge_match.threshold: "
            "threshold must be between 0.0 and 1.0, not 3.0",
            id="a threshold of a case that is out of range",
        ),
        pytest.param(
            '{"eval_cases": [\n{"name": "\\ud83d\\ude80", "eval_id": "a \\ud83d b"}]}',
            r"2:40: \ud83d is half a character: write both halves, or another one",
            id="half a character",
        ),
    ],
)
def test_a_bad_file_gets_one_line(tmp_path: Path, content: str | bytes, message: str) -> None:
    assert refusal(tmp_path, content) == message


def test_several_mistakes_are_told_at_once_each_with_its_line(tmp_path: Path) -> None:
    content = (
        '{"eval_cases": [\n{"eval_id": 1},\n{"eval_id": "b", "tags": "x"},\n{"eval_id": 3},\n7]}'
    )

    assert refusal(tmp_path, content) == (
        "2: eval_cases[0].eval_id must be a text, not a number; "
        "line 3: eval_cases[1].tags (case 'b') must be a list, not a text, e.g. [\"…\"]; "
        "line 4: eval_cases[2].eval_id must be a text, not a number; and 1 more"
    )


def test_many_doubled_keys_are_counted(tmp_path: Path) -> None:
    doubled = ",".join('"a": 1' for _ in range(9))

    warnings = load(tmp_path, f'{{"metadata": {{{doubled}}}, "eval_cases": []}}').warnings

    assert len(warnings) == 6
    assert warnings[-1].endswith("3 more doubled keys")


def test_a_missing_file_is_both_kinds_of_error(tmp_path: Path) -> None:
    with pytest.raises(EvalSetNotFound, match=r"nope\.json: there is no such file") as caught:
        read_eval_set(tmp_path / "nope.json")

    assert isinstance(caught.value, FileNotFoundError)
    assert caught.value.exit_code == 2


def test_a_device_is_no_file(tmp_path: Path) -> None:
    endless = tmp_path / "endless.evalset.json"
    endless.symlink_to("/dev/zero")

    with pytest.raises(EvalSetError, match="this is a device, not a file"):
        read_eval_set(endless)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(EvalSetError, match="this is a folder, not a file"):
        read_eval_set(tmp_path)


names = st.text(max_size=8)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
tool_calls = st.builds(ToolCall, name=names, args=st.dictionaries(names, values, max_size=3))
turns = st.builds(
    Invocation.simple,
    names,
    st.none() | names,
    st.lists(tool_calls, max_size=2),
    st.lists(names, max_size=2),
)
cases = st.builds(
    EvalCase, name=names, conversation=st.lists(turns, max_size=2), tags=st.lists(names, max_size=2)
)


@settings(max_examples=60, deadline=None)
@given(eval_cases=st.lists(cases, max_size=3), set_id=names)
def test_what_is_written_reads_back_the_same(
    tmp_path_factory: pytest.TempPathFactory, eval_cases: list[EvalCase], set_id: str
) -> None:
    path = tmp_path_factory.mktemp("round") / "x.evalset.json"
    before = EvalSet(eval_set_id=set_id, eval_cases=eval_cases)

    before.to_file(str(path))

    assert EvalSet.from_file(str(path)).model_dump() == before.model_dump()


def test_b92_no_expectation_stays_none_on_a_round_trip(tmp_path: Path) -> None:
    path = str(tmp_path / "x.evalset.json")
    EvalSet(eval_cases=[EvalCase.single_turn("c", "q")]).save(path)

    (only,) = EvalSet.from_file(path).eval_cases

    assert not only.has_expectation()


def test_a_file_that_was_written_by_hand_in_another_order_reads_the_same(tmp_path: Path) -> None:
    path = tmp_path / "x.evalset.json"
    written = EvalSet(eval_set_id="s", eval_cases=[EvalCase(eval_id="a")]).model_dump(mode="json")
    write_json(path, dict(reversed(written.items())))

    assert read_eval_set(path).eval_set.model_dump(mode="json") == written
