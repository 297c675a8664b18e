"""Cerveauuu! over HTTP, beside Room 25: opened, played blindly, shown, recorded and verified."""

from __future__ import annotations

import asyncio
import random
import re
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import msgspec
import pytest
import redis
import structlog
from msgspec import Struct

from events import seal
from replay.__main__ import main
from runtime.embedded.store import Store
from runtime.table_service import TableService
from tests.service.stage import Json, Player, Stage, Still, ok, problem, stage
from tests.service.walking import answer
from tests.unlimited import unlimited
from workers.advance import play_all

pytestmark = pytest.mark.slow

WISH = {"game": "cerveauuu", "rulebook": "prototype", "mode": "standard", "seats": 2}
QUICK = {"placement": "random", "wander_goes": 0}
THEN_MS = 1_760_000_000_000
"""With the same time and keys, games have the same ids and so the same draws: these are short."""

ARCHIVE = re.compile(rb'id="archive">(.*?)</script>', re.DOTALL)
CARD = re.compile(rb"\bc\d{3}\b")
SVG = {"accept": "image/svg+xml"}
NDJSON = {"accept": "application/x-ndjson"}
"""As live streams have it."""


Heard = tuple[dict[int, set[bytes]], dict[int, bytes]]
"""The cards in each hand by seat, and all bytes that each seat and the public (0) were sent."""


class Played(Struct, frozen=True):
    """A finished game.

    ``heard`` are, of moments before any card was played, the hands by seat and all bytes that each
    seat and the public were sent; ``rows`` the list of tables at the end;
    ``told`` all events as each seat's view and the full one have them once the game is over;
    ``logged`` all that the service has logged meanwhile, and its access log.
    """

    seats: int
    record: bytes
    heard: tuple[Heard, ...]
    svg: str
    rows: list[Json]
    told: tuple[Json, ...]
    logged: str


async def hands_and_bytes(on: Stage, game: str, players: dict[int, Player]) -> Heard:
    """The cards that each player holds, and whatever each is sent; the public is seat 0."""
    hands, heard = {}, {}
    for seat, player in {0: on.stranger, **players}.items():
        parts = [
            await player.get(f"/v1/games/{game}"),
            await player.get(f"/v1/games/{game}/state", SVG),
            await player.get(f"/v1/games/{game}/preview.svg"),
            await player.get(f"/v1/games/{game}/events", limit=1000),
            await player.get(f"/v1/games/{game}/events", NDJSON, limit=1000),
            await player.get(f"/v1/games/{game}/log.jsonl"),
            await player.get(f"/v1/games/{game}/record"),
            await player.get(f"/v1/games/{game}/replay.html"),
        ]
        if seat:
            parts.append(await player.get(f"/v1/games/{game}/decisions"))
            held = ok(parts[0])["state"]["play"]["hands"][str(seat)].values()
            hands[seat] = {card.encode() for card in held if card is not None}
            assert len(hands[seat]) == len(held)
        refused = [part for part in parts if part.status_code != 200]
        unfinished = ["/problems/game-not-finished"] * 2  # for the record and the page of it
        assert [part.json()["type"] for part in refused] == unfinished
        heard[seat] = b"\n".join(part.content for part in parts)
    return hands, heard


async def whole_game(url: str, seats: int, people: tuple[str, ...], seed: int) -> Played:
    """A game that people play blindly, and house bots in the other seats."""
    with redis.Redis.from_url(unlimited(url)) as client:
        client.flushall()
    clock, chance = Still(), random.Random(seed)
    clock.now = THEN_MS
    keys = iter(f"{seed}-{number:020}" for number in range(10_000))
    async with stage(url, clock) as on:
        players = {}
        for seat, name in enumerate(people, 1):
            made = ok(await on.stranger.post("/v1/players", {"name": name}, next(keys)), 201)
            players[seat] = Player(on.http, made["token"]["token"], made["id"])
        ada = players[1]
        wish = {**WISH, "seats": seats, "options": QUICK}
        game = ok(await ada.post("/v1/games", wish, next(keys)), 201)["game"]
        path = f"/v1/games/{game}"
        heard: list[Heard] = []
        solo = {"rulebook": "bga", "mode": "solo", "seats": 1}
        beside = ok(await ada.post("/v1/games", solo, next(keys)), 201)
        for player in players.values():
            ok(await player.post(f"{path}/seats", {"entropy": "e"}, next(keys)), 201)
        for number in range(seats - len(people)):
            bot = {"bot": "random" if number else "steady"}
            ok(await ada.post(f"{path}/seats", bot, next(keys)), 201)
        tables = on.service.app_context.tables
        worker = TableService(tables.log, tables.keys, clock)
        while True:
            if not any([await answer(each, game, chance) for each in players.values()]):
                await play_all(worker, [game])
            state = ok(await ada.get(path))["state"]
            if state["phase"] != "live":
                break
            play = state["play"]
            if play["round"] == 1 and not any(play["played"].values()) and len(heard) < 2:
                heard.append(await hands_and_bytes(on, game, players))
        views = [f"seat:{seat}" for seat in range(1, seats + 1)] + ["full"]
        told = []
        for view, who in product(views, (on.stranger, ada)):
            log = (await who.get(f"{path}/log.jsonl", as_=view)).content.splitlines()
            kept = ARCHIVE.findall((await who.get(f"{path}/replay.html", as_=view)).content)
            lines = msgspec.json.decode(kept[0])["lines"]
            told += [msgspec.json.decode(line) for line in (*log, *lines)]
        await on.list_up()
        rows = ok(await on.stranger.get("/v1/games"))["games"]
        assert {row["id"] for row in rows} == {game, beside["game"]}
        return Played(
            seats=seats,
            record=(await on.stranger.get(f"{path}/record")).content,
            heard=tuple(heard),
            svg=(await on.stranger.get(f"{path}/state", SVG, as_="seat:1")).text,
            rows=rows,
            told=tuple(told),
            logged=str(on.lines),
        )


@pytest.fixture(scope="module", params=[(2, ("Ada", "Bob"), 7), (3, ("Ada",), 2)], ids=["2", "3"])
def played(request: pytest.FixtureRequest, store: Store) -> Played:
    """A game of each number of seats, played once for all tests here."""
    # In a thread, whose loop is nobody else's.
    with ThreadPoolExecutor(1) as thread, structlog.testing.capture_logs() as lines:
        made = thread.submit(asyncio.run, whole_game(store.url, *request.param)).result()
    return msgspec.structs.replace(made, logged=made.logged + str(lines))


@pytest.fixture
def record(played: Played, tmp_path: Path) -> str:
    """Its record as a file."""
    path = tmp_path / "record.jsonl"
    path.write_bytes(played.record)
    return str(path)


# --- a whole game ---


def test_a_game_played_blindly_ends_and_its_record_passes_every_check(
    played: Played, record: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", record]) == 0
    told = capsys.readouterr().out
    assert told.count("ok ") == 8, told
    header = msgspec.json.decode(played.record.split(b"\n", 1)[0])
    assert (header["game"], header["rulebook"]) == ("cerveauuu", "prototype")


def test_a_changed_play_is_found(
    played: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "changed.jsonl"
    path.write_bytes(played.record.replace(b'"round":2', b'"round":3', 1))
    assert path.read_bytes() != played.record
    assert main(["verify", str(path)]) == 1
    assert "FAILED" in capsys.readouterr().out


def test_it_is_listed_beside_a_table_of_the_other_game(played: Played) -> None:
    rows = {row["game"]: row for row in played.rows}
    assert rows.keys() == {"cerveauuu", "room25"}
    row = rows["cerveauuu"]
    assert (row["status"], row["seat_count"]) == ("finished", played.seats)
    assert row["result"]["winners"]
    assert rows["room25"]["status"] == "open"


def test_it_is_shown_told_stepped_through_and_compared(
    played: Played, record: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(*arguments: str) -> str:
        assert main(list(arguments)) == 0
        return capsys.readouterr().out

    board = said("show", record, "--as", "full")
    assert board.count("+") > 100  # the corners of the cells
    assert "cards in hand" in board
    for language, ended in (("en", "The end"), ("fr", "Fin"), ("pl", "Koniec")):
        told = said("log", record, "--as", "full", "--lang", language)
        assert ended in told
        assert "Ada" in told
        assert "{" not in told
    assert said("diff", record, "10", "60", "--as", "public")
    typed = iter(["n", "q"])
    monkeypatch.setattr("replay.__main__.typed_commands", lambda _: typed)
    assert "version 2" in said("step", record)
    assert played.svg.startswith("<svg")
    assert "as seat:1" in played.svg


# --- secrets ---


def leaks(played: Played) -> list[str]:
    """Whose card was sent to whom, before any card was played."""
    found = []
    for hands, heard in played.heard:
        for owner, cards in hands.items():
            for viewer, sent in heard.items():
                if viewer != owner and (seen := cards & set(CARD.findall(sent))):
                    found.append(f"seat {viewer} was sent {seen} of seat {owner}")
    return found


def test_no_card_in_hand_is_in_another_seats_bytes(played: Played) -> None:
    assert any(hand for hands, _ in played.heard for hand in hands.values())
    assert leaks(played) == []


def test_a_planted_card_is_found(played: Played) -> None:
    """A control: the owner's own bytes, as if they were sent to the public."""
    faulty = [(hands, {**heard, 0: heard[1]}) for hands, heard in played.heard]
    assert leaks(msgspec.structs.replace(played, heard=tuple(faulty)))


def logged_secrets(played: Played) -> list[str]:
    """What a log says of cards, and of how they were played."""
    return re.findall(r"\bc\d{3}\b|\bplay\.k\d", played.logged)


def test_no_log_says_which_cards_there_are(played: Played) -> None:
    assert "'route'" in played.logged
    assert logged_secrets(played) == []


def test_a_card_in_a_log_is_found(played: Played) -> None:
    """A control: a line that has the option that was chosen."""
    planted = msgspec.structs.replace(played, logged=f"{played.logged} option=play.k3.0.h04")
    assert logged_secrets(planted)


# --- answers that never counted (§5.3.3, C75) ---


def answers(played: Played, *, opened: bool) -> list[tuple[int, Json]]:
    """The lines of a record in which an answer is given, by number: opened ones, or the others."""
    lines = [msgspec.json.decode(line) for line in played.record.split(b"\n")[:-1]]
    return [
        (number, line)
        for number, line in enumerate(lines)
        if line.get("event", {}).get("type") == "answer-given"
        and ("event.choice" in line.get("opened", {})) == opened
    ]


def edited(played: Played, number: int, line: Json, folder: Path) -> str:
    """The record with one line that somebody has changed."""
    lines = played.record.split(b"\n")
    lines[number] = seal.canonical(line)
    path = folder / "edited.jsonl"
    path.write_bytes(b"\n".join(lines))
    return str(path)


def test_a_void_answer_is_opened_to_nobody_and_an_answer_that_counted_is(played: Played) -> None:
    void, counted = answers(played, opened=False), answers(played, opened=True)
    assert void
    assert counted
    for _, line in void:
        assert "choice" in line["seals"]
        assert "command.option" not in line.get("opened", {})
    assert len(played.told) > 100
    for line in played.told:
        own = {"event.choice"} if line["event"]["type"] == "answer-given" else set()
        if line.get("batch", {}).get("command", {}).get("type") == "choose-sealed":
            own.add("command.option")
        assert own.isdisjoint(line.get("opened", {}))


def test_the_published_key_opens_no_void_answer(played: Played) -> None:
    """A pass is soon guessed: with a salt that follows from the key, everybody could."""
    key = bytes.fromhex(msgspec.json.decode(played.record.split(b"\n")[-2])["seal"]["key"])
    for _, line in answers(played, opened=False) + answers(played, opened=True):
        salt = seal.salt(key, line["v"], "event.choice")
        assert seal.commitment("event.choice", salt, "pass") != line["seals"]["choice"]
    counted = answers(played, opened=True)
    guessed = [  # a control: with the salts that are told, passes open
        line
        for _, line in counted
        if seal.commitment(
            "event.choice", seal.bytes_of(line["opened"]["event.choice"]["salt"]), "pass"
        )
        == line["seals"]["choice"]
    ]
    assert guessed


def test_an_answer_that_counted_may_not_be_withheld(
    played: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    number, line = answers(played, opened=True)[0]
    del line["opened"]["event.choice"]
    if not line["opened"]:
        del line["opened"]
    assert main(["verify", edited(played, number, line, tmp_path)]) == 1
    assert "event.choice is not opened" in capsys.readouterr().out


def test_a_void_answer_may_not_be_opened(
    played: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    number, line = answers(played, opened=False)[0]
    line["opened"] = {**line.get("opened", {}), "event.choice": {"salt": "AA", "value": "pass"}}
    assert main(["verify", edited(played, number, line, tmp_path)]) == 1
    assert "is opened, though it has never counted" in capsys.readouterr().out


def test_another_answer_than_the_one_that_counted_is_found(
    played: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Even by who may choose the salt: the command has committed to another choice."""
    number, line = next(
        (number, line)
        for number, line in answers(played, opened=True)
        if line["opened"]["event.choice"]["value"] != "pass"
    )
    line["opened"]["event.choice"]["value"] = "pass"
    assert main(["verify", edited(played, number, line, tmp_path)]) == 1
    told = capsys.readouterr().out
    assert "event.choice: value and salt do not open the commitment" in told
    assert "re-adjudication FAILED" in told


# --- opening ---


async def test_a_seat_plays_a_colour_that_nobody_else_has(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    game = ok(await ada.post("/v1/games", WISH), 201)["game"]
    seats = f"/v1/games/{game}/seats"
    problem(await ada.post(seats, {"characters": ["mauve"]}), "unknown-colour")
    ok(await ada.post(seats, {"characters": ["purple"]}), 201)
    problem(await bob.post(seats, {"characters": ["purple"]}), "colour-taken")
    assert ok(await bob.post(seats, {}), 201)["events"][0]["event"]["characters"] == ["green"]


async def test_it_refuses_an_opening_under_the_codes_that_every_game_may_have(on: Stage) -> None:
    ada = await on.player("Ada")
    for change, code in (
        ({"rulebook": "first_edition"}, "unknown-rulebook"),
        ({"mode": "competition"}, "unknown-mode"),
        ({"seats": 7}, "bad-seat-count"),
        ({"options": {"fog": 1}}, "unknown-option"),
        ({"options": {"wander_goes": 9}}, "bad-option"),
        ({"time": {"limits_s": {"programming": 9}}}, "bad-time-control"),
    ):
        problem(await ada.post("/v1/games", {**WISH, **change}), code)


# --- bad input ---

FIELD = "\n".join(
    ["+-+-+-+-+-+", *["|. . . . .|", "+         +"] * 3, "|. . . . .|", "+-+-+-+-+-+"]
)
SLOW = {"limits_s": {"response": 3600, "decision": 3600}}
PIECES = {
    "h01": {"cell": "r0c4"},
    "z01": {"cell": "r3c0", "seat": 1},
    "z02": {"cell": "r3c4", "seat": 2},
}


async def refusals(on: Stage, hand: str) -> list[Json]:
    """What is answered to bad input at a table whose fourth seat holds some card.

    Each is sent where it is wrong, by a player who cannot know that hand, and the game stays as it
    is. The first two seats hold a stumble and an energy drink.
    """
    players = [await on.player(name) for name in ("Ada", "Bob", "Cleo", "Dan")]
    ada, bob, cleo, dan = players
    eve = await on.player("Eve")  # the fifth
    hands = {"1": ["c109"], "2": ["c082"], "3": ["c055"], "4": [hand]}
    position = {"map": FIELD, "stage": "zombies", "pieces": PIECES, "hands": hands}
    kind: Json = {"game": "cerveauuu", "rulebook": "prototype", "mode": "standard"}
    game = await on.table(ada, seats=4, time=SLOW, scenario=position, **kind)
    await on.sit(game, *players)
    path = f"/v1/games/{game}/decisions"
    found = []

    async def open_for(player: Player) -> str:
        (one,) = [d for d in ok(await player.get(path))["decisions"] if not d["optional"]]
        return str(one["id"])

    async def refused(player: Player, code: str, decision: str, option: str) -> None:
        before = ok(await ada.get(f"/v1/games/{game}", as_="public"))["version"]
        answer = await player.post(f"{path}/{decision}", {"option": option})
        problem(answer, code)
        assert ok(await ada.get(f"/v1/games/{game}", as_="public"))["version"] == before
        found.append(answer.json())

    async def unlisted(player: Player, code: str, decision: str, option: str) -> None:
        answer = await player.get(f"{path}/{decision}/options/{option}")
        problem(answer, code)
        found.append(answer.json())

    go = await open_for(ada)
    await refused(ada, "option-is-a-branch", go, "z01")
    await refused(ada, "option-is-a-branch", go, "z01.r3c2")
    await refused(ada, "option-is-a-leaf", go, "z01.end.r3c2")
    await unlisted(ada, "option-is-a-leaf", go, "z01.end")
    for unknown in ("z01.r9c9.end", "z02.end", "eat", "play.k2"):  # the last: not in the hand
        await refused(ada, "option-not-offered", go, unknown)
        await unlisted(ada, "option-not-found", go, unknown)
    ok(await ada.post(f"{path}/{go}", {"option": "z01.r3c2.end"}))
    own, first, third, theirs = [await open_for(each) for each in players]
    await refused(bob, "option-not-offered", first, "play.k7.0.z01")
    await refused(bob, "option-not-offered", first, "play.k1.9.z01")
    await refused(cleo, "decision-not-open", theirs, "pass")  # of a hand that she may not know
    await unlisted(cleo, "decision-not-open", theirs, "play")
    await refused(eve, "not-seated", theirs, "pass")
    await unlisted(eve, "not-seated", theirs, "play")
    passes = ((ada, own), (cleo, third), (dan, theirs))
    for player, decision, option in (
        *((*each, "pass") for each in passes),
        (bob, first, "play.k1.0.z01"),
    ):
        ok(await player.post(f"{path}/{decision}", {"option": option}))
    await refused(cleo, "decision-not-open", third, "pass")  # it has been judged
    late = await open_for(ada)  # she may go on otherwise
    on.clock.now += 3_600_001
    await refused(ada, "deadline-passed", late, "keep")
    await refused(ada, "decision-not-open", own, "play.k1.0.z01")  # its window is over
    return [{name: text for name, text in each.items() if name != "instance"} for each in found]


async def test_bad_input_has_its_problem_and_no_word_of_a_hand(on: Stage) -> None:
    """The same is answered whatever the others hold, and each case has its own code."""
    told = await refusals(on, "c031")
    assert await refusals(on, "c054") == told


async def test_each_game_has_its_own_prototype(on: Stage) -> None:
    path = "/v1/rulebooks/prototype"
    own, first = await on.stranger.get(path, game="cerveauuu"), await on.stranger.get(path)
    assert (ok(own)["game"], ok(first)["game"]) == ("cerveauuu", "room25")
    assert "cards" in ok(own)
    assert "rooms" in ok(first)
    problem(await on.stranger.get("/v1/rulebooks/ultimate", game="cerveauuu"), "rulebook-not-found")
