"""One local server for all tests of the sources, and the table of what became of every fault."""

from collections import Counter

import pytest
from replay import Server, ToLoopback

OUTCOMES = Counter()


@pytest.fixture(scope="session")
def _server():
    server = Server()
    yield server
    server.stop()


@pytest.fixture
def replay(_server):
    _server.replay.reset()
    return _server.replay


@pytest.fixture
def transport(_server):
    _server.replay.reset()
    transport = ToLoopback(_server.server_port)
    yield transport
    transport.close()


@pytest.fixture
def outcomes():
    return OUTCOMES


def pytest_terminal_summary(terminalreporter):
    if OUTCOMES:
        faults = sorted({fault for fault, _, _ in OUTCOMES})
        terminalreporter.section(f"faults × sources: {len(faults)} faults, {sum(OUTCOMES.values())} cases")
        terminalreporter.write_line(f"{'fault':44} {'source failed':>14} {'row accounted':>14} {'accepted':>9}")
        for fault in faults:
            counts = Counter(outcome for name, _, outcome in OUTCOMES.elements() if name == fault)
            cells = [counts["failure"], counts["row"], counts["accepted"]]
            terminalreporter.write_line(f"{fault:44} {cells[0]:14} {cells[1]:14} {cells[2]:9}")
