"""One local server for all tests of the sources, and the table of what became of every fault."""

from collections import Counter

import pytest
from faults import ACCEPTED, FAILURE, ROW, outcome, rows_of
from replay import ROUTES, Server, ToLoopback

from generator.sources.failure import SourceError

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


@pytest.fixture(scope="session")
def right(_server):
    transport = ToLoopback(_server.server_port)
    _server.replay.reset()
    found = {source: outcome(source, transport) for source in ROUTES}
    transport.close()
    return found


@pytest.fixture
def judge(right):
    """Notes what became of a fault, and asserts that it is what had to."""

    def judge(fault, source, expected, found):
        same = not isinstance(found, SourceError) and rows_of(found) == rows_of(right[source])
        seen = FAILURE if isinstance(found, SourceError) else ACCEPTED if same else ROW
        OUTCOMES[fault, source, seen] += 1
        assert seen == expected, str(found)[:500]
        assert seen != FAILURE or (found.problem and found.todo)

    return judge


def pytest_terminal_summary(terminalreporter):
    if OUTCOMES:
        faults = sorted({fault for fault, _, _ in OUTCOMES})
        terminalreporter.section(f"faults × sources: {len(faults)} faults, {sum(OUTCOMES.values())} cases")
        terminalreporter.write_line(f"{'fault':44} {'source failed':>14} {'row accounted':>14} {'accepted':>9}")
        for fault in faults:
            counts = Counter(outcome for name, _, outcome in OUTCOMES.elements() if name == fault)
            cells = [counts["failure"], counts["row"], counts["accepted"]]
            terminalreporter.write_line(f"{fault:44} {cells[0]:14} {cells[1]:14} {cells[2]:9}")
