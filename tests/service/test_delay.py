"""A table with a delay tells nothing of what its spectators may not see yet, on any path (D0011).

The main test is non-interference over time: while the horizon stands still, every answer to who
does not play stays the same to the byte, whatever happens at the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from litestar.routes import HTTPRoute
from msgspec import Struct

from tests.service.stage import Player, Stage, ok, problem, told

pytestmark = pytest.mark.slow

CANARY: Final = "misconduct"
"""The reason of a pause, which no other command here has."""

SAID: Final = b'"reason":"misconduct"'

TOP: Final = 20
"""More versions than these games come to."""

SVG: Final = {"accept": "image/svg+xml"}
NDJSON: Final = {"accept": "application/x-ndjson"}
SECONDS: Final = {"seconds": 120}
DELAYS: Final = (SECONDS, {"turns": 1}, {"turns": 2})

COUNTERS: Final = {"/metrics": "it counts what the process does, for all games together"}
STREAMS: Final = {"/v1/stream": "an answer that does not end; see below"}


class Delayed(Struct, frozen=True):
    """A game of Ada and Bob that Hana opened and directs; Eve and the stranger look on."""

    id: str
    ada: Player
    bob: Player
    hana: Player
    eve: Player
    stranger: Player

    @property
    def path(self) -> str:
        """Where it is."""
        return f"/v1/games/{self.id}"

    @property
    def onlookers(self) -> tuple[Player, ...]:
        """All who do not play."""
        return self.hana, self.eve, self.stranger

    async def newest(self) -> int:
        """The newest version, as a seat sees it."""
        return int(ok(await self.ada.get(self.path))["version"])

    async def seen(self) -> int:
        """The newest version, as a stranger sees it."""
        return int(ok(await self.stranger.get(self.path))["version"])

    async def clues(self) -> int:
        """Both choose their clues; the version after it."""
        for who, seat in ((self.ada, 1), (self.bob, 2)):
            choice = {"option": "r1c2"}
            ok(await who.post(f"{self.path}/decisions/clue-s{seat}", choice))
        return await self.newest()

    async def interrupt(self, reason: str) -> int:
        """Hana pauses the game and lets it go on; the version after it."""
        ok(await self.hana.post(f"{self.path}/pause", {"reason": reason}))
        return int(ok(await self.hana.post(f"{self.path}/resume"))["version"])

    async def end(self) -> int:
        """Hana ends the game; its last version."""
        return int(ok(await self.hana.post(f"{self.path}/annul", {"reason": "other"}))["version"])


async def delayed(on: Stage, delay: Mapping[str, int] | None, **more: Any) -> Delayed:
    """A game that has begun."""
    names = ("Ada", "Bob", "Hana", "Eve")
    ada, bob, hana, eve = [await on.player(name) for name in names]
    director = await on.with_scopes(hana, "play", "organise")
    slow = {"limits_s": {"programming": 10_000, "decision": 10_000}}
    options: dict[str, Any] = {"time": slow, "delay": delay}
    game = await on.table(hana, **options, **more)
    await on.sit(game, ada, bob)
    return Delayed(game, ada, bob, director, eve, on.stranger)


# --- every path ---


def queries_of(game: Delayed) -> dict[str, list[Any]]:
    """Values for every query parameter that a reading operation knows."""
    return {
        "as": ["public", "seat:1", "full"],
        "at": [*range(1, TOP), "turn:1", "turn:2", "turn:9"],
        "after": list(range(TOP)),
        "asked": ["true"],
        "limit": [1, 100],
        "wait": [0],
        "follow": ["false"],
        "status": ["open", "live", "finished"],
        "invited": ["me"],
        "game": ["room25"],
        "rulebook": ["first_edition"],
        "mode": ["cooperation"],
        "player": [game.hana.id, game.ada.id],
        "side": ["guard"],
        "result": ["won", "undecided"],
        "outcome": ["guards"],
        "opened_from": [1],
        "opened_before": [2**50],
        "tournament": ["spring-cup"],
        "cursor": ["MQ"],
        "lang": ["fr"],
        "url": [f"http://test/watch/{game.id}"],
        "maxwidth": [600],
        "maxheight": [400],
        "format": ["json", "xml"],
        "tables": [game.id],
    }


def tags_of(game: Delayed) -> list[tuple[str, str]]:
    """Where an entity tag is made of a version: the end of the path, and the rest of the tag."""
    return [
        ("", "public"),
        ("/state", "public"),
        ("/state", "public-svg"),
        ("/events", "public"),
        ("/log.jsonl", "public"),
        ("/preview.svg", "preview-en"),
        ("/record", "record"),
        ("/decisions", f"player:{game.eve.id}"),
    ]


def paths_of(on: Stage, game: Delayed) -> Iterator[tuple[str, frozenset[str]]]:
    """The path of every reading operation there is, and the queries that it knows."""
    connection_limits = {
        "game": game.id,
        "player": game.ada.id,
        "decision": "clue-s1",
        "option": "r1c2",
        "rulebook": "first_edition",
        "problem": "version-not-found",
        "season": "all",
        "tour": "none",
        "release": on.service.app_context.static_files().digest,
        "file": "nothing.js",
    }
    for route in on.service.app.routes:
        if not isinstance(route, HTTPRoute) or "GET" not in route.methods:
            continue
        if route.path_format in {*COUNTERS, *STREAMS}:
            continue
        handler, _ = route.route_handler_map["GET"]
        path = re.sub(r"{(\w+)}", lambda name: connection_limits[name[1]], route.path_format)
        yield path, handler.opt.get("queries", frozenset())


def requests_of(on: Stage, game: Delayed) -> Iterator[tuple[str, dict[str, Any], dict[str, str]]]:
    """Every reading request: a path, one query, and a header that changes the answer."""
    values = queries_of(game)
    for path, queries in paths_of(on, game):
        yield path, {}, {}
        for name in sorted(queries):
            for value in values[name]:
                yield path, {name: value}, {}
        if game.id in path:
            yield path, {}, NDJSON
            for at in range(1, TOP if path.endswith("/state") else 1):
                yield path, {"at": at}, SVG
    for end, name in tags_of(game):
        for version in range(1, TOP):
            image = SVG if name.endswith("-svg") else {}
            yield game.path + end, {}, image | {"if-none-match": f'"{version}-{name}"'}


async def everything(on: Stage, game: Delayed) -> dict[tuple[str, ...], tuple[Any, ...]]:
    """All that those who do not play are told, by request."""
    await on.list_up()
    found: dict[tuple[str, ...], tuple[Any, ...]] = {}
    wishes = [(game.eve, *request) for request in requests_of(on, game)]
    for path, _ in paths_of(on, game):
        wishes += [(game.hana, path, {}, {}), (game.stranger, path, {}, {})]
    for who, path, query, headers in wishes:
        answer = await who.get(path, headers, **{f"{n}_": v for n, v in query.items()})
        said = told(answer)
        key = (who.id, path, str(query), str(headers))
        # With decisions the service's clock is told, which hangs on nothing in the game.
        content = re.sub(rb'"now":[0-9]+', b"", answer.content)
        found[key] = (answer.status_code, tuple(sorted(said.items())), content)
    for path, _ in paths_of(on, game):
        head = await on.http.request("HEAD", path)
        found[path, "HEAD"] = (head.status_code, head.headers.get("etag"), head.content)
    return found


# The tests below are of all three; a delay of two turns hides all that one of one turn hides.
@pytest.mark.parametrize(
    "delay", [*DELAYS[:2], pytest.param(DELAYS[2], marks=pytest.mark.nightly)], ids=str
)
async def test_while_the_horizon_stands_still_no_answer_changes(
    on: Stage, delay: dict[str, int]
) -> None:
    game = await delayed(on, delay)
    before = await everything(on, game)
    assert len(before) > 250
    shown = await game.seen()
    on.clock.now += 1000
    if delay != {"turns": 1}:  # the clues would begin a turn, and so show what was before
        await game.clues()
    newest = await game.interrupt(CANARY)
    assert shown < newest < TOP
    after = await everything(on, game)
    changed = [key for key in before if before[key] != after[key]]
    assert changed == []
    assert not any(SAID in told[-1] for told in after.values())
    last = await game.end()
    released = await everything(on, game)
    events = released[game.stranger.id, f"{game.path}/events", "{}", "{}"][-1]
    assert SAID in events
    assert f'"next":{last}'.encode() in events
    paths = {key[1] for key in before if before[key] != released[key]}
    assert paths >= {
        "/v1/games",
        "/v1/wall",
        *(f"{game.path}{each}" for each in ("", "/state", "/events", "/decisions", "/preview.svg")),
    }


async def test_without_a_delay_the_same_answers_change_at_once(on: Stage) -> None:
    game = await delayed(on, None)
    before = await everything(on, game)
    await game.interrupt(CANARY)
    after = await everything(on, game)
    paths = {key[1] for key in before if before[key] != after[key]}
    assert paths >= {"/v1/games", "/v1/wall"}
    assert paths >= {game.path, f"{game.path}/events", f"{game.path}/decisions"}
    assert any(SAID in told[-1] for told in after.values())


MAY: Final = {
    "branches.py": "after the end",
    "connections.py": "for those who play alone",
    "decisions.py": "decisions are their seat's own",
    "director.py": "commands",
    "export.py": "after the end",
    "inspections.py": "commands",
    "invitation_links.py": "commands",
    "invitations.py": "commands",
    "naming.py": "of names only",
    "rematches.py": "after the end",
    "seated.py": "commands",
    "tables.py": "commands",
}
"""The modules that may look at the truth, past the one door (``look_at``), and why."""


def looks_past(text: str) -> bool:
    """Whether a module reads a game without asking what its caller may see."""
    truth = r"(?<!def )\blook_up\(|\btables\.load\(|\blog\.read\(|\benvelopes\("
    return re.search(truth, text) is not None


def test_whoever_shows_a_game_goes_through_the_one_door() -> None:
    """Only commands, and what is the same in every version, may look at the truth."""
    folder = Path(__file__).parents[2] / "service" / "api"
    assert {path.name for path in folder.glob("*.py") if looks_past(path.read_text())} == {*MAY}
    assert looks_past("state = (await app_context.tables.load(game)).state")


# --- seats, auditors, private tables ---


@pytest.mark.parametrize("delay", DELAYS, ids=str)
async def test_who_plays_sees_everything_at_once_but_not_as_the_public(
    on: Stage, delay: dict[str, int]
) -> None:
    game = await delayed(on, delay)
    shown = await game.seen()
    newest = await game.clues()
    if delay != {"turns": 1}:
        assert await game.seen() == shown
    for who in (game.ada, game.bob):
        for path in ("", "/state"):
            view = ok(await who.get(f"{game.path}{path}"))
            assert (view["version"], view["state"]["delay"]) == (newest, delay)
        assert ok(await who.get(f"{game.path}/events"))["next"] == newest
        assert ok(await who.get(f"{game.path}/decisions"))["version"] == newest
        assert ok(await who.get(game.path, as_="public"))["version"] == await game.seen() < newest
    await on.list_up()
    [row] = ok(await game.ada.get("/v1/games"))["games"]
    assert (row["version"], row["delay"]) == (newest, delay)
    [row] = ok(await game.eve.get("/v1/games"))["games"]
    assert (row["version"], row["delay"]) == (await game.seen(), delay)


async def test_an_auditor_is_not_delayed_unless_it_looks_as_the_public(on: Stage) -> None:
    game = await delayed(on, SECONDS)
    await game.clues()
    auditor = await on.with_scopes(game.eve, "audit")
    newest = await on.inspect(auditor, game.path.rpartition("/")[2])
    for wish in ("full", "seat:2"):
        assert ok(await auditor.get(game.path, as_=wish))["version"] == newest
    for path in (game.path, f"{game.path}?as=public"):
        assert ok(await auditor.get(path))["version"] == await game.seen() < newest


async def test_a_private_table_with_a_delay_is_for_its_people_as_ever(on: Stage) -> None:
    eve = await on.player("Eve")
    game = await delayed(on, SECONDS, visibility="unlisted")
    hidden = await on.table(game.hana, visibility="private", invited=[eve.id], delay=SECONDS)
    for path in ("", "/state", "/events", "/preview.svg", "/log.jsonl"):
        problem(await game.stranger.get(f"/v1/games/{hidden}{path}"), "game-not-found")
        assert (await eve.get(f"/v1/games/{hidden}{path}")).status_code == 200


async def test_only_a_delay_that_makes_sense_is_taken(on: Stage) -> None:
    ada = await on.player("Ada")
    wish = {"rulebook": "first_edition", "mode": "cooperation", "seats": 2}
    senseless: tuple[Any, ...] = (
        {},
        {"turns": 0},
        {"seconds": 86_401},
        {"turns": 1, "seconds": 1},
    )
    for bad in senseless:
        problem(await ada.post("/v1/games", wish | {"delay": bad}), "bad-delay")
    malformed: tuple[Any, ...] = (
        2,
        {"turns": "2"},
        {"minutes": 1},
        {"seconds": 1.5},
        {"turns": None},
    )
    for bad in malformed:
        problem(await ada.post("/v1/games", wish | {"delay": bad}), "invalid-body")
    made = ok(await ada.post("/v1/games", wish | {"delay": {"turns": 2}}), 201)
    assert made["events"][0]["event"]["delay"] == {"turns": 2}
    made = ok(await ada.post("/v1/games", wish | {"delay": None}), 201)
    assert "delay" not in made["events"][0]["event"]


# --- the boundary ---


async def test_seconds_end_at_their_millisecond_in_whole_batches(on: Stage) -> None:
    game = await delayed(on, SECONDS)
    begun = on.clock.now
    assert await game.seen() == 4, "opened, two seats, the beginning"
    setup = await game.newest()
    on.clock.now += 5000
    newest = await game.clues()
    on.clock.now = begun + 119_999
    assert await game.seen() == 4
    on.clock.now += 1
    assert await game.seen() == setup
    on.clock.now += 4999
    assert await game.seen() == setup
    detail = problem(
        await game.stranger.get(f"{game.path}/state", at=setup + 1), "version-not-found"
    )["detail"]
    assert detail == f"the newest version is {setup}"
    on.clock.now += 1
    assert await game.seen() == newest
    assert ok(await game.stranger.get(f"{game.path}/state", at="turn:1"))["version"] <= newest


async def test_turns_end_before_the_first_event_of_one(on: Stage) -> None:
    game = await delayed(on, {"turns": 1})
    assert await game.seen() == 4
    await game.clues()
    first = ok(await game.ada.get(f"{game.path}/state", at="turn:1"))["version"]
    assert await game.seen() == first - 1
    problem(await game.stranger.get(f"{game.path}/state", at="turn:1"), "turn-not-found")
    problem(await game.stranger.get(f"{game.path}/state", at=first), "version-not-found")
    assert ok(await game.stranger.get(f"{game.path}/state", at=first - 1))["version"] == first - 1


# --- commands of who does not play ---


async def test_if_match_knows_no_other_version_than_the_caller(on: Stage) -> None:
    game = await delayed(on, SECONDS)
    newest, shown = await game.clues(), await game.seen()
    for version in range(1, newest + 3):
        match = {"if-match": f'"{version}-public"'}
        answer = await game.eve.post(f"{game.path}/start", headers=match)
        if version == shown:
            problem(answer, "table-not-open")
        else:
            told = problem(answer, "version-changed")
            assert told["detail"] == f"the newest version is {shown}"
    answer = await game.ada.post(f"{game.path}/start", headers={"if-match": '"1"'})
    assert str(newest) in problem(answer, "version-changed")["detail"]
    ok(await game.hana.post(f"{game.path}/pause", {}, headers={"if-match": f'"{shown}-public"'}))


async def test_who_begins_a_game_and_does_not_play_is_told_that_it_began(on: Stage) -> None:
    hana, ada, bob = [await on.player(name) for name in ("Hana", "Ada", "Bob")]
    game = await on.table(hana, delay=SECONDS, start="host")
    await on.sit(game, ada, bob)
    for _ in range(2):
        receipt = ok(await hana.post(f"/v1/games/{game}/start", key="one-and-the-same"))
        assert [each["event"]["type"] for each in receipt["events"]] == ["table-started"]
        assert receipt["version"] == receipt["events"][-1]["v"] == 4
        on.clock.now += 500_000
    table = await on.table(hana, delay=SECONDS)
    await on.sit(table, ada)
    receipt = ok(await hana.post(f"/v1/games/{table}/seats", {"bot": "random"}), 201)
    assert [each["event"]["type"] for each in receipt["events"]] == ["seat-taken", "table-started"]
    own = await on.table(ada, delay=SECONDS, start="host")
    await on.sit(own, ada, bob)
    receipt = ok(await ada.post(f"/v1/games/{own}/start"))
    assert receipt["version"] == ok(await ada.get(f"/v1/games/{own}"))["version"] > 4
