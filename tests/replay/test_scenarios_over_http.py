"""The same files hold over HTTP, against a service with its workers, and broken ones do not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from msgspec import Struct

from replay.scenario import cli
from replay.scenario.engine import EngineTable
from replay.scenario.format import Scenario
from replay.scenario.http import (
    MOVED_S,
    STEP_LIMIT_S,
    RemoteService,
    ServerError,
    lets_time_pass,
)
from replay.scenario.performance import Performance, perform
from replay.scenario.tables import TableRefusal
from runtime.embedded.store import Store
from runtime.settings import NO_MARKS, Secret, Settings, environment
from tests.homes import passing_home
from tests.prefork import Prefork
from tests.replay.ahead import Ahead, ring
from tests.scenario_files import FILES, all_scenarios

pytestmark = [pytest.mark.slow, pytest.mark.system]

ROOT = Path(__file__).parents[2]
CHOSEN = {
    "setup": ("X-R119", "X-R010", "X-R004C", "S-013", "S-015", "S-001"),
    "slots": ("S-019", "S-031", "S-033", "S-034"),
    "actions": ("S-037", "S-040", "S-056", "S-057"),
    "shifts": ("S-062", "S-065"),
    "rooms": ("S-079", "S-118", "S-124a", "X-R051E"),
    "identity": ("S-130", "S-135", "S-143"),
    "modes": ("S-144", "S-151", "S-219", "S-236"),
    "time": ("S-217", "S-218", "X-H19E"),
    "refused": ("X-G07",),
    "refused_more": ("X-G22", "X-G96"),
    "knowledge": ("X-DECKITSELF",),
    "edges": ("X-R061G", "X-R012G", "X-R068M"),
    "prototype": ("S-010d", "S-032", "S-149", "S-215", "S-216", "X-P06C"),
    "prototype_guards": ("S-206", "S-208", "S-209", "S-230", "S-232", "X-R118J"),
    "prototype_shared": ("S-062p", "S-130p"),
    "ultimate_more": ("X-R014W", "X-R063V"),
    "ultimate_setup": ("S-011", "S-015u", "X-D20C"),
    "ultimate_slots": ("S-025", "S-035u", "X-R014U"),
    "ultimate_rooms": ("S-083u", "S-109", "S-110", "S-122", "X-R068B"),
    "ultimate_suspicion": ("S-134", "S-136", "S-139"),
    "characters": ("S-164", "S-173", "S-250", "X-HIDE"),
    "robots": ("S-180", "S-187", "S-221"),
    "cards": ("S-192", "S-204", "S-254a", "X-DECKSECRET"),
    "situations": ("X-NAMED", "X-RETURNED", "X-KNOWN", "X-STACK", "X-NAMEDG1"),
    "madness": ("S-195", "S-198", "S-253", "X-JAMCARDa", "X-CHAOSPUSH"),
}
"""Set-up and situation, every mode, step and check, secrets, refusals, time-outs, ends."""

OURS = "X-"
"""What the id of a scenario begins with that is none of the rules' own."""


@cache
def scenario_called(name: str) -> Scenario:
    """The scenario of an id."""
    return next(scenario for _, scenario in all_scenarios() if scenario.id == name)


@cache
def to_be_played() -> tuple[Scenario, ...]:
    """What is played over HTTP: some of the files above, of others all that the rules ask of them.

    All scenarios of the rules of Cerveauuu! take six seconds of processor time.
    """
    return tuple(
        scenario
        for path, scenario in all_scenarios()
        if (
            scenario.id in CHOSEN[path.stem]
            if path.stem in CHOSEN
            else not scenario.id.startswith(OURS)
        )
    )


AHEAD = "tests.replay.ahead"

PEEKED = {"type": "room-peeked", "kind": "mortal"}


@contextmanager
def _process(module: list[str], environ: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    started = Prefork(
        [sys.executable, "-m", *module],
        cwd=ROOT,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with started:
        try:
            yield started
        finally:
            started.send_signal(signal.SIGTERM)


class Running(Struct, frozen=True):
    """A service, with its clock and a worker, whose time can be moved on."""

    url: str
    move_on: Callable[[int], None]


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    """A service on a store of its own."""
    with ExitStack() as stack:
        home = stack.enter_context(passing_home())
        store = stack.enter_context(Store(home / "store", "appendfsync no"))
        settings = Settings(
            store_url=store.url,
            rq_url=store.url,
            keys={"k1": Secret(b"1" * 32)},
            current_key="k1",
            naming_key="k1",
            port=0,
            marks=NO_MARKS,
            allow_lossy_store=True,
            reads_per_minute=10**6,
            commands_per_minute=10**6,
            registrations_per_minute=10**6,
            clock_tolerance_ms=0,  # its time and the store's are two
        )
        path = home / "ahead"
        ahead = Ahead(path)

        def move_on(seconds: int) -> None:
            ahead.go_on(seconds)
            ring(settings)

        environ = {**os.environ, **environment(settings)}
        service = stack.enter_context(_process([AHEAD, str(path), "service"], environ))
        for what in ("clock", "work"):
            stack.enter_context(_process([AHEAD, str(path), "workers", what], environ))
        assert service.stdout is not None
        yield Running(service.stdout.readline().split()[-1], move_on)


@pytest.fixture
def url(running: Running) -> str:
    """The address of a service."""
    return running.url


def _changed(name: str, **more: Any) -> Scenario:
    plain = msgspec.to_builtins(scenario_called(name))
    own = type(scenario_called(name))  # that of its game
    return msgspec.convert(plain | {"rulebooks": ["first_edition"]} | more, own)


def test_the_files_hold_over_http(running: Running) -> None:
    chosen = [
        msgspec.structs.replace(scenario, seeds=1, sometimes=(), rulebooks=scenario.rulebooks[:1])
        for scenario in to_be_played()
    ]
    # Where time is moved on, it is so for all: those tables come one after the other.
    late = [scenario for scenario in chosen if lets_time_pass(scenario)]
    others = [scenario for scenario in chosen if not lets_time_pass(scenario)]
    assert len(late) * 2 * MOVED_S < STEP_LIMIT_S
    lots = [late, *(others[start::3] for start in range(3))]

    def played(lot: list[Scenario]) -> list[Performance]:
        with RemoteService(running.url, move_on=running.move_on) as server:
            return [report for scenario in lot for report in perform(scenario, server.table)]

    with ThreadPoolExecutor(len(lots)) as pool:
        reports = [report for found in pool.map(played, lots) for report in found]
    assert [(r.scenario, r.problems) for r in reports if r.problems] == []
    assert sorted(r.scenario for r in reports) == sorted(scenario.id for scenario in chosen)


@pytest.mark.parametrize(
    ("name", "check", "what"),
    [
        ("S-037", {"check": "tile", "at": "r0c2", "viewer": "full", "kind": "acid"}, "mortal"),
        ("S-037", {"check": "tile", "at": "r0c2", "viewer": "seat:1", "kind": None}, "mortal"),
        ("S-037", {"check": "game", "turn": 3}, "turn is 4"),
        ("S-037", {"check": "no_decision", "seat": 1}, "t4-program-emmett is open"),
        (
            "S-037",
            {"check": "events", "viewer": "full", "exclude": [PEEKED]},
            "it has happened",
        ),
    ],
    ids=["full", "seat", "public", "decision", "events"],
)  # fmt: skip
def test_a_false_claim_is_found_over_http(
    url: str, name: str, check: dict[str, Any], what: str
) -> None:
    with RemoteService(url) as server:
        (report,) = perform(_changed(name, then=[check]), server.table)
    (problem,) = report.problems
    assert problem.startswith("at the end: ")
    assert what in problem


def test_there_are_some_of_every_file() -> None:
    assert set(CHOSEN) <= {path.stem for path in FILES}
    assert {name for names in CHOSEN.values() for name in names} <= {
        each.id for each in to_be_played()
    }
    wanted = {path for path, each in all_scenarios() if not each.id.startswith(OURS)}
    assert {path for path, each in all_scenarios() if each in to_be_played()} >= wanted


def test_what_was_seen_then_is_judged_by_what_was_then(url: str) -> None:
    """The full view is looked at after the end, at the version of the check."""
    early = {"check": "rooms", "viewer": "full", "up": False, "count": 2}
    late = {"check": "rooms", "viewer": "full", "up": False, "count": 1}
    steps = msgspec.to_builtins(scenario_called("S-043").when)
    steps = [{"do": "look", "then": [early]}, *steps]
    with RemoteService(url) as server:
        (report,) = perform(_changed("S-043", when=steps, then=[late]), server.table)
        assert report.problems == ()
        (report,) = perform(_changed("S-043", when=steps, then=[early]), server.table)
        assert len(report.problems) == 1


def test_a_problem_is_known_by_its_code(url: str) -> None:
    with RemoteService(url) as server, pytest.raises(TableRefusal) as refused:
        server.table().open(_changed("S-037", mode="hide-and-seek"), "first_edition", 0)
    assert refused.value.code == "unknown-mode"


def test_the_command_line_plays_over_http(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(ROOT / "tests" / "scenarios" / "actions.json")
    assert cli.main([path, "--url", url, "--id", "S-043"]) == 0
    assert capsys.readouterr().out.endswith("3 of 3 scenarios hold\n")


def test_a_service_whose_time_nobody_moves_is_waited_for(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(ROOT / "tests" / "scenarios" / "cerveauuu_setup.json")
    assert cli.main([path, "--url", url, "--id", "S05"]) == 0
    assert capsys.readouterr().out.endswith("1 of 1 scenarios hold\n")


def test_what_is_no_service_is_named() -> None:
    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, text="hello")

    client = httpx.Client(transport=httpx.MockTransport(answer), base_url="http://test")
    with (
        RemoteService("http://test", client) as server,
        pytest.raises(ServerError, match="not JSON"),
    ):
        server.token(1)


def test_too_many_requests_are_sent_again_later() -> None:
    answers = [
        httpx.Response(429, headers={"Retry-After": "0"}),
        httpx.Response(201, json={"token": {"token": "t"}}),
    ]
    client = httpx.Client(
        transport=httpx.MockTransport(lambda _: answers.pop(0)), base_url="http://test"
    )
    with RemoteService("http://test", client) as server:
        assert server.token(1) == "t"
    assert answers == []


@pytest.mark.parametrize(("code", "closes"), [("game-over", True), ("seat-not-yours", False)])
def test_a_game_may_end_by_its_clock_while_its_seats_resign(*, code: str, closes: bool) -> None:
    asked = {"id": "resign-s1", "kind": "resign", "seat": 1, "options": [{"id": "resign"}]}

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/decisions"):
            return httpx.Response(200, json={"decisions": [asked]})
        if "/decisions/" in request.url.path:
            return httpx.Response(409, json={"type": f"/problems/{code}", "detail": "No."})
        return httpx.Response(201, json={"token": {"token": "t"}, "game": "g"})

    client = httpx.Client(transport=httpx.MockTransport(answer), base_url="http://test")
    with RemoteService("http://test", client) as server:
        table = server.table()
        table.open(scenario_called("S-037"), "first_edition", 1)
        with nullcontext() if closes else pytest.raises(TableRefusal, match=code):
            table.close()


def test_a_forced_choice_is_named_over_http_as_in_the_engine(url: str) -> None:
    """The service tells nothing of it, but the record's commands do, carried out again."""
    only_way = {"r0c1": {"kind": "flooded", "seal": True}}
    figures = {
        "emmett": {"seat": 1, "role": "prisoner", "cell": "r0c0"},
        "kevin": {"seat": 2, "role": "prisoner"},
        "franck": {"seat": 3, "role": "prisoner"},
        "jennifer": {"seat": 4, "role": "guard"},
    }
    steps = [
        {"do": "program", "seat": 1, "tokens": ["move"]},
        {"do": "choose", "seat": 1, "kind": "move_target", "option": "r1c0"},
    ]
    given = {"characters": figures, "tiles": only_way, "turn": 9}
    told = _changed("S-037", given=given, when=steps, then=[])
    (here,) = perform(told, EngineTable)
    with RemoteService(url) as server:
        (there,) = perform(told, server.table)
    (problem,) = there.problems
    assert "had one option, r1c0, which was settled without asking in step 2 (Choose)" in problem
    assert there.problems == here.problems
