"""Ids of messages and runs, made without asking the system for randomness each time."""

from __future__ import annotations

import random

# a generator of our own: an agent that calls random.seed() must not make ids repeat
_bits = random.Random()


def new_id() -> str:
    """32 hex digits that no other call gives."""
    return f"{_bits.getrandbits(128):032x}"
