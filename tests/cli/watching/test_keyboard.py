"""Keys come one by one, and the terminal is as it was afterwards."""

from __future__ import annotations

import os
import pty
import queue
import signal
import termios
from collections.abc import Iterator

import pytest

from tenxgraph_tui.cli.watching.keyboard import Keyboard
from tenxgraph_tui.cli.watching.messages import EOF


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    main, line = pty.openpty()
    yield main, line
    for end in (main, line):
        try:
            os.close(end)
        except OSError:
            continue


def is_plain(line: int) -> bool:
    """Whether it waits for whole lines and shows what is typed."""
    return bool(termios.tcgetattr(line)[3] & (termios.ICANON | termios.ECHO))


def test_each_character_is_a_key_and_arrows_are_none(terminal: tuple[int, int]) -> None:
    main, line = terminal
    typed: queue.SimpleQueue[str] = queue.SimpleQueue()
    with Keyboard(typed.put, lambda: None, source=line) as keyboard:
        assert keyboard.is_there
        assert not is_plain(line)
        os.write(main, "aé".encode())
        os.write(main, b"\x1b[A\x1bOP\x1b[1;5Cq")
        assert [typed.get(timeout=20) for _ in range(3)] == ["a", "é", "q"]
    assert is_plain(line)


def test_the_terminal_is_given_back_when_something_is_raised(terminal: tuple[int, int]) -> None:
    before = termios.tcgetattr(terminal[1])
    with pytest.raises(ValueError, match="crash"), Keyboard(print, print, source=terminal[1]):
        raise ValueError("crash")
    assert termios.tcgetattr(terminal[1]) == before


def test_the_end_of_the_terminal_is_told(terminal: tuple[int, int]) -> None:
    main, line = terminal
    typed: queue.SimpleQueue[str] = queue.SimpleQueue()
    with Keyboard(typed.put, lambda: None, source=line):
        os.close(main)
        assert typed.get(timeout=20) == EOF


def test_after_a_while_in_the_background_keys_come_one_by_one_again(
    terminal: tuple[int, int],
) -> None:
    returned: list[bool] = []
    with Keyboard(print, lambda: returned.append(True), source=terminal[1]):
        plain = termios.tcgetattr(terminal[1])
        plain[3] |= termios.ICANON | termios.ECHO
        termios.tcsetattr(terminal[1], termios.TCSANOW, plain)
        os.kill(os.getpid(), signal.SIGCONT)
        assert returned == [True]
        assert not is_plain(terminal[1])
    assert signal.getsignal(signal.SIGCONT) in {signal.SIG_DFL, None}
    assert signal.getsignal(signal.SIGTSTP) in {signal.SIG_DFL, None}


def test_without_a_terminal_there_are_no_keys() -> None:
    source, sink = os.pipe()
    with Keyboard(print, print, source=source) as keyboard:
        assert not keyboard.is_there
    os.close(source)
    os.close(sink)
