"""A game is one value: each member of the toy's is seen from outside, and missed if empty."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from events.kernel import Event
from games.contract import JsonValue
from games.drawing import DrawnPosition
from games.game_registry import GameRegistry
from games.package import GamePackage
from games.published import Refusal
from games.registry import GAMES
from games.rulebooks import RulebookInfo, lacking
from games.rules import RULES
from games.sentences import Spell
from games.texts import TurnWord
from games.words import ENGLISH, LANGUAGES
from replay.chronicle import chronicle
from replay.scenario.engine import EngineTable
from replay.scenario.files import read_scenarios
from replay.scenario.performance import perform
from replay.source import read_file
from replay.verify import audit
from replay.viewing import Show
from runtime.table_service import TableService
from service.contract.rulebook_answers import RulebookAnswers
from service.http.problems import kinds_of, sections_of
from tests.games.publishing import PublishedPlainly
from tests.games.telling import ToldPlainly
from tests.games.toy import TOY, Play
from tests.games.toy_package import TOY_FILE, TOY_GAME, TOY_WORDS, PublishedToy, ToyRulebook
from tests.service.stage import Player, Stage, ok, problem, stage
from workers.advance import play_all

Check = Callable[[Stage], Awaitable[None]]
WISH = {"game": TOY.id, "rulebook": "toybook", "mode": "plain", "seats": 2}
SAID = {
    "en": (r"Ada writes a number down: 3\.", r"Round \d: the die shows ●+\."),
    "fr": (r"Ada note un nombre\u00a0: 3\.", r"Manche \d\u00a0: le dé montre ●+\."),
    "pl": (r"Ada zapisuje liczbę: 3\.", r"Runda \d: kostka pokazuje ●+\."),
}
"""How two of its events are told in a log, by language."""

REFUSED = {"/v1/games": True, "/v1/games/{game}/seats": False}
"""Which operations are refused because the toy is played otherwise."""

TITLES = {language: f"problem.bad-toy in {language}" for language in LANGUAGES}


async def begun(on: Stage, bot: str = "random") -> tuple[Player, str]:
    """A game of a person and a house bot."""
    ada = await on.player("Ada")
    game = ok(await ada.post("/v1/games", WISH), 201)["game"]
    ok(await ada.post(f"/v1/games/{game}/seats", {}), 201)
    ok(await ada.post(f"/v1/games/{game}/seats", {"bot": bot}), 201)
    return ada, game


async def advanced(on: Stage, game: str) -> None:
    """A worker of its own lets the bots play."""
    tables = on.service.app_context.tables
    worker = TableService(tables.log, tables.keys, on.clock, game_registry=tables.game_registry)
    await play_all(worker, [game])


async def played(on: Stage) -> tuple[Player, str]:
    """The same, played to its end."""
    ada, game = await begun(on)
    while ok(await ada.get(f"/v1/games/{game}"))["state"]["phase"] == "live":
        on.clock.now += 1000
        asked = ok(await ada.get(f"/v1/games/{game}/decisions"))["decisions"]
        mine = [d for d in asked if not d["optional"] and not d["answered"]]
        for each in mine[:1]:
            option = {"option": each["options"][-1]["id"]}
            ok(await ada.post(f"/v1/games/{game}/decisions/{each['id']}", option))
        if not mine:
            await advanced(on, game)
    return ada, game


async def recorded(on: Stage, game: str) -> bytes:
    answer = await on.stranger.get(f"/v1/games/{game}/record")
    assert answer.status_code == 200, answer.text
    return answer.content


# --- what is seen of each member ---


async def see_events(on: Stage) -> None:
    ada, game = await begun(on)
    lines = ok(await ada.get(f"/v1/games/{game}/events", limit=200))["events"]
    assert "toy-began" in {line["event"]["type"] for line in lines}


async def see_tags(on: Stage) -> None:
    _, game = await played(on)
    assert b'"table/1 toy/1"' in await recorded(on, game)


async def see_decider(on: Stage) -> None:
    """Its record is judged by it again."""
    _, game = await played(on)
    found = audit(read_file(await recorded(on, game)), on.service.app_context.tables.game_registry)
    assert {finding.status for finding in found.findings} == {"ok"}, found.lines()


async def see_rejections(on: Stage) -> None:
    ada = await on.player("Ada")
    refused = await ada.post("/v1/games", WISH | {"mode": "grim"})
    body = problem(refused, "bad-toy")
    assert (body["status"], body["title"]) == (422, "The toy is played otherwise")


async def see_waits(on: Stage) -> None:
    ada = await on.player("Ada")
    game = ok(await ada.post("/v1/games", WISH), 201)["game"]
    shown = ok(await ada.get(f"/v1/games/{game}"))["state"]["time"]["limits_s"]
    assert shown == {"programming": 120, "decision": 60}


async def see_bots(on: Stage) -> None:
    """One that waves is listed, seated and heard."""
    assert "eager" in ok(await on.stranger.get("/v1/rulebooks"))["bots"]
    ada, game = await begun(on, "eager")
    await advanced(on, game)
    lines = ok(await ada.get(f"/v1/games/{game}/events", limit=200))["events"]
    assert "waved" in {line["event"]["type"] for line in lines}


async def see_sentences(on: Stage) -> None:
    _, game = await played(on)
    source, games = read_file(await recorded(on, game)), on.service.app_context.tables.game_registry
    for language, (chosen, rolled) in SAID.items():
        told = "\n".join(chronicle(Show(source, games, "full", language)))
        assert re.search(chosen, told), told
        assert len(re.findall(rolled, told)) == 2
    served = ok(await on.stranger.get("/v1/rulebooks/toybook", game="toy", lang="pl"))["words"]
    assert served["toy/event.waved"] == TOY_WORDS["pl"]["toy/event.waved"]
    assert "event.seat-taken" in served


async def see_spelling(on: Stage) -> None:
    """A kind of holes of its own, filled with what the state before the event tells."""
    _, game = await played(on)
    games = on.service.app_context.tables.game_registry
    told = "\n".join(chronicle(Show(read_file(await recorded(on, game)), games, "public")))
    assert re.search(r"Round 1: the die shows ●{1,3}\.", told)


async def see_phase_words(on: Stage) -> None:
    _, game = await played(on)
    games = on.service.app_context.tables.game_registry
    told = list(chronicle(Show(read_file(await recorded(on, game)), games, "public", "fr")))
    assert "Tour 1, écriture" in told


async def see_phases(on: Stage) -> None:
    ada, game = await begun(on)
    picture = await ada.get(f"/v1/games/{game}/state", {"accept": "image/svg+xml"})
    assert "number writing" in picture.text


async def see_words(on: Stage) -> None:
    assert ok(await on.stranger.get("/problems/bad-toy"))["titles"] == TITLES


async def see_drawing(on: Stage) -> None:
    ada, game = await begun(on)
    picture = await ada.get(f"/v1/games/{game}/preview.svg")
    assert "Turn 1 of 2" in picture.text
    picture = await ada.get(f"/v1/games/{game}/state", {"accept": "image/svg+xml"})
    assert "turn 1 of 2" in picture.text
    assert "seat 1 counts 0 points" in picture.text


async def see_rulebooks(on: Stage) -> None:
    (listed,) = ok(await on.stranger.get("/v1/rulebooks", lang="fr"))["rulebooks"]
    assert listed["about"] == "Everybody writes a number down (fr)"
    told = ok(await on.stranger.get("/v1/rulebooks/toybook", game="toy", lang="pl"))
    assert (told["game"], told["about"]) == ("toy", "Everybody writes a number down (pl)")


async def see_description(on: Stage) -> None:
    """Its rulebook is served with what it alone has, and described so."""
    told = ok(await on.stranger.get("/v1/rulebooks/toybook", game="toy"))
    assert told["numbers"] == ["1", "2", "3"]
    document = ok(await on.stranger.get("/v1/openapi.json"))
    answer = document["paths"]["/v1/rulebooks/{rulebook}"]["get"]["responses"]["200"]
    schema = answer["content"]["application/json"]["schema"]
    assert schema == {"$ref": "#/components/schemas/ToyRulebook"}
    shown = document["components"]["schemas"]["ToyRulebook"]["properties"]
    assert shown.keys() == told.keys()
    assert not any("Room" in name for name in document["components"]["schemas"])


async def see_refusals(on: Stage) -> None:
    (kind,) = (
        kind
        for kind in ok(await on.stranger.get("/problems"))["problems"]
        if kind["type"] == "/problems/bad-toy"
    )
    assert kind["meaning"] == "It is played in one way, by 2 to 5."
    document = ok(await on.stranger.get("/v1/openapi.json"))
    told = {path: document["paths"][path]["post"]["x-problems"] for path in REFUSED}
    assert {path: "bad-toy" in codes for path, codes in told.items()} == REFUSED


async def ends(on: Stage) -> dict[str, Any]:
    """How the seat of a person finished."""
    _, game = await played(on)
    await on.list_up()
    (row,) = ok(await on.stranger.get("/v1/games", status="finished"))["games"]
    assert row["id"] == game
    found: dict[str, Any] = row["seats"][0]["finish"]
    return found


async def see_finishes(on: Stage) -> None:
    assert (await ends(on))["party"] == "seat-1"


async def see_sides(on: Stage) -> None:
    """Each side of a game has a name, and is one that a seat may have."""
    (listed,) = ok(await on.stranger.get("/v1/rulebooks", lang="fr"))["rulebooks"]
    assert (await ends(on))["side"] in listed["sides"]


async def see_scenarios(on: Stage) -> None:
    """A file of it is read and played, with a check and a step of its own."""
    games = on.service.app_context.tables.game_registry.games
    for _, told in read_scenarios([TOY_FILE], games):
        (report,) = perform(
            told, lambda: EngineTable(on.service.app_context.tables.game_registry.table)
        )
        assert report.problems == ()


async def see_state(on: Stage) -> None:
    for path in ("/v1/openapi.json", "/v1/asyncapi.json"):
        schemas = ok(await on.stranger.get(path))["components"]["schemas"]
        shown = schemas["Play"]["properties"]
        assert {"omen", "points"} <= shown.keys()
        assert shown["waved"] == {"description": "Whoever waved, in any order."}


# --- and what is there when it is empty ---


class Silent:
    """No words at all."""

    turn: TurnWord = "turn"
    spell: Mapping[str, Spell] = {}

    def beside(self, event: Event, before: Play) -> Mapping[str, JsonValue]:
        del event, before
        return {}

    def word(self, language: str, key: str) -> str:
        del language, key
        return ""

    def phase(self, state: Play) -> str:
        del state
        return ""


class Blank:
    """Nothing to be seen."""

    def position(self, state: Play, language: str = ENGLISH) -> DrawnPosition:
        del state, language
        return DrawnPosition()


class Nothing(Struct):
    """A state of which nothing is known."""


class Undescribed(PublishedToy):
    """With no description of its own."""

    description: type[Struct] = RulebookInfo


class Unlisted(PublishedToy):
    """No rulebooks."""

    def rulebooks(self, language: str) -> list[dict[str, object]]:
        del language
        return []


def published(
    kind: type[PublishedPlainly] = PublishedToy,
    state: type[Struct] = Play,
    refusals: tuple[Refusal, ...] = tuple(TOY_GAME.published.refusals),
    words: Mapping[str, Mapping[str, str]] = TOY_WORDS,
) -> GamePackage:
    """The toy with another description of it."""
    about = kind(
        game="toy",
        title="The toy",
        book="toybook",
        about="Everybody writes a number down",
        state=state,
        refusals=refusals,
        unpromised={},
        words=words,
    )
    return replace(TOY_GAME, published=about)


def without_refusals() -> GamePackage:
    """The toy, whose rules say no for no published reason."""
    bare = published(refusals=())
    return replace(bare, rules=replace(TOY, rejections=frozenset()))


MEMBERS: dict[str, tuple[Check, GamePackage]] = {
    "events": (see_events, replace(TOY_GAME, rules=replace(TOY, events=()))),
    "tags": (see_tags, replace(TOY_GAME, rules=replace(TOY, tags={}))),
    "rejections": (see_rejections, without_refusals()),
    "waits": (see_waits, replace(TOY_GAME, rules=replace(TOY, waits={}))),
    "finishes": (see_finishes, replace(TOY_GAME, rules=replace(TOY, finishes=lambda _: {}))),
    "sides": (see_sides, replace(TOY_GAME, rules=replace(TOY, sides=()))),
    "bots": (see_bots, replace(TOY_GAME, bots={"random": TOY_GAME.bots["random"]})),
    "sentences": (see_sentences, published(words={})),
    "spelling": (see_spelling, replace(TOY_GAME, texts=Silent())),
    "phase words": (see_phase_words, published(words={})),
    "phases": (see_phases, replace(TOY_GAME, texts=Silent())),
    "words": (see_words, replace(TOY_GAME, texts=Silent())),
    "drawing": (see_drawing, replace(TOY_GAME, drawing=Blank())),
    "rulebooks": (see_rulebooks, published(Unlisted)),
    "description": (see_description, published(Undescribed)),
    "refusals": (see_refusals, without_refusals()),
    "state": (see_state, published(state=Nothing)),
    "scenarios": (see_scenarios, replace(TOY_GAME, scenarios=ToldPlainly())),
}
"""What is seen of each part of the package, and the package without it."""


@pytest.mark.parametrize("member", MEMBERS)
async def test_each_member_is_seen_from_outside(store_url: str, member: str) -> None:
    check, _ = MEMBERS[member]
    async with stage(store_url, game_registry=GameRegistry({TOY.id: TOY_GAME})) as on:
        await check(on)


@pytest.mark.parametrize("member", MEMBERS)
async def test_each_member_is_missed_when_it_is_empty(store_url: str, member: str) -> None:
    check, emptied = MEMBERS[member]
    async with stage(store_url, game_registry=GameRegistry({TOY.id: emptied})) as on:
        with pytest.raises((AssertionError, KeyError, ValueError)):
            await check(on)


async def test_the_toy_is_judged_by_its_own_decider(store_url: str) -> None:
    async with stage(store_url, game_registry=GameRegistry({TOY.id: TOY_GAME})) as on:
        await see_decider(on)


def test_both_lists_of_games_name_the_same_rules() -> None:
    assert {id_: game.rules for id_, game in GAMES.items()} == RULES
    assert all(rules.id == id_ for id_, rules in RULES.items())


def test_rules_reject_for_the_published_reasons_and_no_other() -> None:
    with pytest.raises(ValueError, match="the rules of toy do not reject"):
        kinds_of([published(refusals=())])


def another(refusal: Refusal) -> GamePackage:
    """Another game, which refuses for the toy's reason or for one of its own."""
    found = published(refusals=(refusal,))
    assert isinstance(found.published, PublishedPlainly)
    found.published.title = "Another toy"
    rejections = frozenset({refusal.code})
    return replace(found, rules=replace(TOY, id="another", rejections=rejections))


def test_a_reason_that_two_games_have_in_common_is_one_problem() -> None:
    (refusal,) = TOY_GAME.published.refusals
    kinds = kinds_of([TOY_GAME, another(refusal)])
    assert kinds == kinds_of([TOY_GAME])
    assert kinds[refusal.code].game == TOY.id
    assert [k.code for k in sections_of([another(refusal)])["Another toy"]] == [refusal.code]


@pytest.mark.parametrize("otherwise", [{"status": 409}, {"title": "Not so"}, {"meaning": "No."}])
def test_a_code_with_two_meanings_is_refused(otherwise: dict[str, Any]) -> None:
    (refusal,) = TOY_GAME.published.refusals
    with pytest.raises(ValueError, match=f"{refusal.code} has two meanings"):
        kinds_of([TOY_GAME, another(msgspec.structs.replace(refusal, **otherwise))])


def test_no_game_gives_a_code_of_the_table_a_meaning_of_its_own() -> None:
    seat = kinds_of([])["seat-taken"]
    same = Refusal(code=seat.code, status=seat.status, title=seat.title, meaning=seat.meaning)
    with pytest.raises(ValueError, match="seat-taken has two meanings"):
        kinds_of([another(same)])


def test_a_game_with_two_rulebooks_of_one_id_is_refused() -> None:
    class Doubled(PublishedToy):
        def rulebooks(self, language: str) -> list[dict[str, object]]:
            return [*super().rulebooks(language), *super().rulebooks(language)]

    with pytest.raises(ValueError, match="The toy has two rulebooks with the same id"):
        RulebookAnswers(GameRegistry({TOY.id: published(Doubled)}))


def test_a_description_without_what_every_rulebook_has_is_refused() -> None:
    class Bare(Struct):
        id: str
        modes: tuple[ToyRulebook, ...]

    class Half(PublishedToy):
        description: type[Struct] = Bare

    with pytest.raises(ValueError, match=r"The toy lacks game, name, .*, modes\.seats, .*words"):
        RulebookAnswers(GameRegistry({TOY.id: published(Half)}))
    assert list(lacking(ToyRulebook)) == []


def test_a_description_in_another_form_is_refused() -> None:
    class Short(PublishedToy):
        def rulebook(self, rulebook: str, language: str) -> dict[str, object]:
            return {**super().rulebook(rulebook, language), "numbers": "two"}

    with pytest.raises(msgspec.ValidationError, match="numbers"):
        RulebookAnswers(GameRegistry({TOY.id: published(Short)})).book("toy", "toybook")
