"""The agents of the sample eval sets: real graphs and real tools, with a script instead of a model.

What the model says stands in `NAME.script.json`; the tools look things up in `world.json` and
`handbook.md`. So the samples run without a key and without a network, and always do the same.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scripted_model import ScriptedModel

from tenxgraph_tui.graph import END, AgentState, StateGraph, ToolNode

FOLDER = Path(__file__).parent
WORLD = json.loads((FOLDER / "world.json").read_text(encoding="utf-8"))


def wants_tools(state: AgentState) -> str:
    return "TOOL" if state.context[-1].tools_calls else END


def agent(name: str, *tools: Callable[..., Any]) -> StateGraph[AgentState]:
    """MAIN asks for tools until it knows the answer; TOOL runs what it asked for."""
    graph: StateGraph[AgentState] = StateGraph()
    graph.add_node("MAIN", ScriptedModel(name))
    graph.add_node("TOOL", ToolNode(list(tools)))
    graph.add_conditional_edges("MAIN", wants_tools, {"TOOL": "TOOL", END: END})
    graph.add_edge("TOOL", "MAIN")
    graph.set_entry_point("MAIN")
    return graph


# --- weather ------------------------------------------------------------------------------------


def place(city: str) -> dict[str, Any]:
    if city not in WORLD["weather"]:
        raise LookupError(f"no weather station in {city}")
    found: dict[str, Any] = WORLD["weather"][city]
    return found


async def get_weather(city: str) -> dict[str, Any]:
    """The weather of this moment."""
    await asyncio.sleep(0.12)
    return {key: place(city)[key] for key in ("sky", "celsius", "wind_kmh")}


async def get_forecast(city: str, days: int = 1) -> list[str]:
    """The coming days, tomorrow first."""
    await asyncio.sleep(0.2)
    if "forecast" not in place(city):
        raise ConnectionError(f"the forecast service does not answer for {city}")
    forecast: list[str] = place(city)["forecast"]
    return forecast[:days]


async def get_air(city: str) -> dict[str, Any]:
    """Pollen and ultraviolet light."""
    await asyncio.sleep(0.15)
    return dict(place(city)["air"])


def get_alerts(city: str) -> list[str]:
    """Official warnings that are in force. It blocks, as many clients do: it gets a thread."""
    time.sleep(0.1)
    return list(place(city).get("alerts", []))


def convert_temperature(celsius: float) -> float:
    """Degrees Fahrenheit."""
    return round(celsius * 9 / 5 + 32, 1)


def wind_chill(celsius: float, wind_kmh: float) -> float:
    """What the temperature feels like, in degrees Celsius."""
    v: float = wind_kmh**0.16
    return round(13.12 + 0.6215 * celsius - 11.37 * v + 0.3965 * celsius * v)


WEATHER = (get_weather, get_forecast, get_air, get_alerts, convert_temperature, wind_chill)


def weather() -> StateGraph[AgentState]:
    return agent("weather", *WEATHER)


def broken() -> StateGraph[AgentState]:
    return agent("broken", *WEATHER)


# --- support of a shop: these tools answer as the shop would and change nothing -------------------


RETURN_DAYS = 30


async def find_order(order_id: str) -> dict[str, Any]:
    await asyncio.sleep(0.15)
    if order_id not in WORLD["orders"]:
        raise LookupError(f"there is no order {order_id}")
    return {"order_id": order_id, **WORLD["orders"][order_id]}


async def find_orders(email: str) -> list[str]:
    await asyncio.sleep(0.18)
    return [key for key, order in WORLD["orders"].items() if order["email"] == email]


async def update_address(order_id: str, address: str) -> dict[str, str]:
    order = await find_order(order_id)
    if order["status"] != "packing":
        raise ValueError(f"{order_id} has left the warehouse")
    return {"order_id": order_id, "address": address}


async def cancel_order(order_id: str) -> dict[str, str]:
    order = await find_order(order_id)
    return {"order_id": order_id, "status": "cancelled", "was": order["status"]}


async def return_window(order_id: str) -> dict[str, Any]:
    days = (await find_order(order_id))["days_since_delivery"]
    return {"order_id": order_id, "days_since_delivery": days, "open": days <= RETURN_DAYS}


async def create_return(order_id: str, reason: str) -> dict[str, str]:
    await asyncio.sleep(0.2)
    return {"order_id": order_id, "reason": reason, "label": f"R-{order_id[2:]}"}


async def issue_refund(order_id: str, amount: float) -> dict[str, Any]:
    await asyncio.sleep(0.25)
    return {"order_id": order_id, "refunded": amount}


async def check_stock(sku: str) -> int:
    await asyncio.sleep(0.08)
    stock: int = WORLD["stock"][sku]
    return stock


async def escalate(order_id: str, priority: str) -> dict[str, str]:
    await asyncio.sleep(0.1)
    return {"ticket": f"T-{order_id[2:]}", "priority": priority}


def support() -> StateGraph[AgentState]:
    orders = (find_order, find_orders, update_address, cancel_order, return_window)
    return agent("support", *orders, create_return, issue_refund, check_stock, escalate)


# --- questions about a handbook ------------------------------------------------------------------


def sections() -> dict[str, str]:
    """The handbook by the key of each section."""
    text = (FOLDER / "handbook.md").read_text(encoding="utf-8")
    parts = re.findall(r"^## (\w+): (.+?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return {key: body.strip() for key, body in parts}


def words(text: str) -> set[str]:
    """The words of four letters and more; shorter ones say little."""
    return set(re.findall(r"\w{4,}", text.casefold()))


async def search(query: str) -> list[str]:
    """The keys of the three sections that share the most words with the query."""
    await asyncio.sleep(0.15)
    hits = {key: len(words(query) & words(f"{key} {body}")) for key, body in sections().items()}
    best = sorted((key for key in hits if hits[key]), key=lambda key: -hits[key])
    return best[:3]


async def read_section(section: str) -> str:
    await asyncio.sleep(0.08)
    return sections()[section]


def library() -> StateGraph[AgentState]:
    return agent("library", search, read_section)


# --- trains, in Japanese -------------------------------------------------------------------------


async def find_route(origin: str, destination: str, avoid: str = "") -> dict[str, Any]:
    await asyncio.sleep(0.2)
    suffix = f" ({avoid}以外)" if avoid else ""
    return dict(WORLD["routes"][f"{origin} → {destination}{suffix}"])


async def get_last_train(station: str, line: str) -> str:
    await asyncio.sleep(0.12)
    departs: str = WORLD["last_trains"][station][line]
    return departs


async def get_delays(line: str) -> dict[str, Any]:
    await asyncio.sleep(0.1)
    return dict(WORLD["delays"][line])


def trains() -> StateGraph[AgentState]:
    return agent("trains", find_route, get_last_train, get_delays)
