"""An eval module: the agent, its eval sets and what is checked, made by code in one file."""

from __future__ import annotations

from tenxgraph_tui.evaluation import EvalCase, EvalConfig, EvalPresets, EvalSet

FACTORS = {"miles": ("kilometres", 1.609344), "pounds": ("kilograms", 0.45359237)}


def app(messages: list[dict[str, str]]) -> str:
    """Converts what it is asked for: `26.2 miles`."""
    amount, unit = messages[-1]["content"].split()
    if unit not in FACTORS:
        return f"I cannot convert {unit}."
    metric, factor = FACTORS[unit]
    return f"{amount} {unit} are {float(amount) * factor:.1f} {metric}."


def asked(eval_id: str, question: str, answer: str) -> EvalCase:
    return EvalCase.single_turn(eval_id, question, expected_response=answer)


def get_eval_config() -> EvalConfig:
    return EvalPresets.quick_check()


def lengths() -> EvalSet:
    distances = {"5": "8.0", "26.2": "42.2", "100": "160.9"}
    cases = [
        asked(f"{miles}_miles", f"{miles} miles", f"{miles} miles are {km} kilometres.")
        for miles, km in distances.items()
    ]
    return EvalSet(eval_set_id="lengths", name="Lengths", eval_cases=cases)


def weights() -> EvalSet:
    cases = [
        asked("flour", "2 pounds", "2 pounds are 0.9 kilograms."),
        asked("heavy_coat", "3 stones", "3 stones are 19.1 kilograms."),  # it knows no stones
    ]
    return EvalSet(eval_set_id="weights", name="Weights", eval_cases=cases)
