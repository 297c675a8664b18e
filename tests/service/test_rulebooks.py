"""``/v1/rulebooks`` describes the rulebooks of all games, in three languages."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from games.contract import TableOpening
from games.package import GamePackage
from games.registry import GAMES
from games.room25 import EVENTS, ROOM25, RULEBOOKS
from games.room25.model.catalogue import ROOM_KINDS
from games.room25.rules.choices import CHOICES
from games.room25.words import WORDS
from games.table.events import TABLE_EVENTS
from games.words import LANGUAGES
from tests.service.stage import Json, Stage, ok, problem

ROOT = Path(__file__).resolve().parents[2]
BOOKS = list(RULEBOOKS)


async def read(on: Stage, name: str, **queries: Any) -> Json:
    """A rulebook as anybody gets it."""
    return ok(await on.stranger.get(f"/v1/rulebooks/{name}", **queries))


def by_id(items: list[Json]) -> dict[str, Json]:
    """A list of things by their ids, which differ."""
    found = {item["id"]: item for item in items}
    assert len(found) == len(items)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_list_names_all_rulebooks(on: Stage, language: str) -> None:
    answer = ok(await on.stranger.get("/v1/rulebooks", lang=language))
    assert answer["language"] == language
    assert answer["languages"] == list(LANGUAGES)
    assert [(book["game"], book["id"]) for book in answer["rulebooks"]] == [
        (id_, short["id"])
        for id_, game in GAMES.items()
        for short in game.published.rulebooks(language)
    ]
    books = by_id([book for book in answer["rulebooks"] if book["game"] == "room25"])
    assert {name: (books[name]["name"], books[name]["about"]) for name in BOOKS} == {
        name: (
            WORDS.word(language, f"room25/rulebook.{name}.name"),
            WORDS.word(language, f"room25/rulebook.{name}.about"),
        )
        for name in BOOKS
    }
    assert {name: books[name]["modes"] for name in BOOKS} == {
        name: list(book.modes) for name, book in RULEBOOKS.items()
    }


async def test_the_language_is_negotiated_and_named(on: Stage) -> None:
    path = "/v1/rulebooks/prototype"
    tags = set()
    for wish, language in (("pl, fr;q=0.5", "pl"), ("de, fr-CA;q=0.5", "fr"), ("de", "en")):
        answer = await on.stranger.get(path, {"accept-language": wish})
        assert ok(answer)["language"] == language
        assert answer.headers["content-language"] == language
        assert answer.headers["vary"] == "accept-language, accept-encoding, origin"
        tags.add(answer.headers["etag"])
        kept = {"accept-language": wish, "if-none-match": answer.headers["etag"]}
        again = await on.stranger.get(path, kept)
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["content-language"] == language
        assert again.headers["vary"] == "accept-language, accept-encoding, origin"
    assert len(tags) == 3


async def test_one_languages_copy_is_no_good_for_another(on: Stage) -> None:
    polish = await on.stranger.get("/v1/rulebooks", lang="pl")
    headers = {"if-none-match": polish.headers["etag"], "accept-language": "fr"}
    assert ok(await on.stranger.get("/v1/rulebooks", headers))["language"] == "fr"


async def test_the_address_goes_before_the_header(on: Stage) -> None:
    answer = await on.stranger.get("/v1/rulebooks/bga", {"accept-language": "fr"}, lang="pl")
    assert ok(answer)["name"] == "Room 25 na Board Game Arena"
    assert answer.headers["content-language"] == "pl"


@pytest.mark.parametrize("language", ["de", "EN", "en-GB", "", "*", "pl,fr"])
async def test_no_other_language_is_asked_for_by_address(on: Stage, language: str) -> None:
    for path in ("/v1/rulebooks", "/v1/rulebooks/bga"):
        problem(await on.stranger.get(path, lang=language), "invalid-parameter")


@pytest.mark.parametrize("name", BOOKS)
async def test_the_languages_differ_in_words_only(on: Stage, name: str) -> None:
    texts = {"name", "about", "effect", "type", "text", "language", "words"}

    def facts(node: Any) -> Any:
        if isinstance(node, list):
            return [facts(each) for each in node]
        if isinstance(node, dict):
            return {key: facts(each) for key, each in node.items() if key not in texts}
        return node

    first, *others = [await read(on, name, lang=language) for language in LANGUAGES]
    assert all(facts(other) == facts(first) for other in others)
    assert all(set(other["words"]) == set(first["words"]) for other in others)


async def test_a_rulebook_names_a_turn_as_logs_and_pictures_do(on: Stage) -> None:
    found = {}
    for listed in ok(await on.stranger.get("/v1/rulebooks"))["rulebooks"]:
        book = await read(on, listed["id"], game=listed["game"])
        assert listed["turn"] == book["turn"] == GAMES[book["game"]].texts.turn
        found[book["game"]] = book["turn"]
    assert found == {"room25": "turn", "cerveauuu": "round"}


async def test_the_paces_of_every_game_are_complete_and_within_its_bounds(on: Stage) -> None:
    """Whoever opens a table with one is not refused, and the usual one is what is set without."""
    for listed in ok(await on.stranger.get("/v1/rulebooks"))["rulebooks"]:
        book = await read(on, listed["id"], game=listed["game"])
        waits = by_id(book["waits"])
        for pace in by_id(book["paces"]).values():
            assert pace["name"]
            assert pace["limits_s"].keys() == waits.keys()
            for wait, limit in pace["limits_s"].items():
                assert waits[wait]["least_s"] <= limit <= waits[wait]["most_s"]
        usual = book["paces"][0]["limits_s"]
        assert usual == {name: wait["default_s"] for name, wait in waits.items()}


@pytest.mark.parametrize("name", BOOKS)
async def test_rooms_and_compositions_are_those_of_the_box(on: Stage, name: str) -> None:
    book, said = RULEBOOKS[name], await read(on, name)
    rooms = by_id(said["rooms"])
    assert {kind: room["copies"] for kind, room in rooms.items()} == book.box
    for kind, room in rooms.items():
        assert room["color"] == ROOM_KINDS[kind].color
        assert room["name"] == WORDS.word("en", f"room25/room.{kind}.name")
        assert room["effect"] == WORDS.word("en", f"room25/room.{kind}.effect", book.words)
    for composition in said["compositions"]:
        assert set(composition["rooms"]) | set(composition["never"]) <= set(rooms)
        assert sum(composition["rooms"].values()) + sum(composition["fill"].values()) == 25
        left = Counter[str]()
        for kind, room in rooms.items():
            if kind not in composition["rooms"] and kind not in composition["never"]:
                left[room["color"]] += room["copies"]
        assert all(count <= left[color] for color, count in composition["fill"].items())


@pytest.mark.parametrize("name", BOOKS)
async def test_whatever_a_mode_offers_opens_a_table(on: Stage, name: str) -> None:
    """A client that goes by the description alone is never refused."""
    said = await read(on, name)
    options, compositions = by_id(said["options"]), by_id(said["compositions"])
    for mode in said["modes"]:
        assert mode["about"]
        assert set(mode["options"]) <= set(options)
        for seats in mode["seats"]:
            at = str(seats)
            wish = TableOpening(rulebook=name, mode=mode["id"], seats=seats, options={})
            usual = ROOM25.open(wish).options
            assert mode["compositions"][at] == usual["composition"]
            assert mode["id"] in compositions[str(usual["composition"])]["modes"]
            assert mode["turns"][at] > 0
            assert mode["characters"][at] * seats <= len(said["characters"])
            for option in mode["options"]:
                for value in options[option]["values"]:
                    if option in {"composition", "guards"}:
                        continue
                    ROOM25.open(msgspec.structs.replace(wish, options={option: value}))
            for found in compositions.values():
                fits = found["guards"] in {None, usual.get("guards")}
                if mode["id"] in found["modes"] and fits:
                    chosen = {"composition": found["id"]}
                    ROOM25.open(msgspec.structs.replace(wish, options=chosen))


@pytest.mark.parametrize("name", BOOKS)
async def test_the_words_name_whatever_a_game_says(on: Stage, name: str) -> None:
    words = (await read(on, name, lang="fr"))["words"]
    for kind in (*TABLE_EVENTS, *EVENTS):
        key = f"event.{kind.__struct_config__.tag}"
        assert words[key if kind in TABLE_EVENTS else f"room25/{key}"]
        assert (key in words) != (f"room25/{key}" in words)
    assert all(words[f"room25/decision.{kind}.title"] for kind in CHOICES)
    assert words["problem.option-not-offered"] == WORDS.word("fr", "problem.option-not-offered")
    assert words["room25/problem.bad-option"] == WORDS.word("fr", "room25/problem.bad-option")
    assert words["room25/outcome.prisoners"]


async def test_ultimate_has_abilities_robots_and_cards(on: Stage) -> None:
    said = await read(on, "ultimate", lang="en")
    abilities = {c["id"]: [a["id"] for a in c["abilities"]] for c in said["characters"]}
    assert abilities == {
        "emmett": ["reactivate", "lock", "pin"],
        "kevin": ["hack_building", "hack_robot"],
        "franck": ["vitality"],
        "jennifer": ["summon"],
        "max": ["carry"],
        "alice": ["invisibility", "android"],
        "sarah": ["sabotage_room", "sabotage_robot"],
        "bruce": ["mimic"],
    }
    passive = {a["id"] for c in said["characters"] for a in c["abilities"] if a["passive"]}
    assert passive == {"pin", "android"}
    assert (said["robots"], said["locks"]) == (2, 2)
    cards = by_id(said["cards"])
    assert Counter(card["kind"] for card in cards.values()) == {
        "movement": 32,
        "penalty": 7,
        "madness": 19,
    }
    assert cards["M02"] == {
        "id": "M02",
        "kind": "movement",
        "name": "Double movement (first row, to the left)",
        "effect": WORDS.word("en", "room25/card.movement_twice.effect"),
        "line": "row0",
        "way": "left",
        "steps": 2,
        "again": False,
    }
    assert cards["P4"]["name"] == "Penalty for Kevin and Franck (Control)"
    assert (cards["P4"]["action"], cards["P4"]["characters"]) == ("control", ["kevin", "franck"])
    assert cards["Z19"]["effect_id"] == "panic"
    assert [action["id"] for action in said["actions"]][4:] == ["special", "adrenaline"]


async def test_the_others_have_none_of_these(on: Stage) -> None:
    for name in ("prototype", "first_edition"):
        said = await read(on, name)
        assert (said["cards"], said["robots"], said["locks"]) == ([], 0, 0)
        assert [len(c["abilities"]) for c in said["characters"]] == [0] * 6
        assert [action["id"] for action in said["actions"]] == ["look", "move", "push", "control"]


async def test_the_guards_of_the_prototype_have_identities(on: Stage) -> None:
    roles = {name: [r["id"] for r in (await read(on, name))["roles"]] for name in BOOKS}
    assert roles["prototype"][1:] == ["hacker", "brute", "architect", "killer", "traitor"]
    assert roles["ultimate"] == roles["bga"] == roles["first_edition"] == ["prisoner", "guard"]


async def test_the_rules_say_how_the_rulebooks_differ(on: Stage) -> None:
    rules = {name: by_id((await read(on, name))["rules"]) for name in BOOKS}
    assert {name: rules[name]["clue"]["value"] for name in BOOKS} == {
        "prototype": False,
        "first_edition": True,
        "bga": True,
        "ultimate": True,
    }
    assert rules["first_edition"]["outer"]["value"] == ["room25", "vision"]
    assert rules["first_edition"]["outer"]["text"].endswith("Room 25, Vision Chamber.")
    assert rules["prototype"]["masks"]["value"] == "masks_of_three"
    assert rules["ultimate"]["robots"]["value"] == 2


async def test_a_rulebook_is_what_the_document_says(on: Stage) -> None:
    """Every field is described, and none is missing."""
    document = msgspec.json.decode((ROOT / "openapi/openapi.json").read_bytes())
    schemas = document["components"]["schemas"]
    for schema in schemas.values():
        if schema.get("type") == "object" and "properties" in schema:
            schema["additionalProperties"] = False
    own = "Room25RulebookDescription"
    for path, kind in [("", "RulebookList"), *((f"/{name}", own) for name in BOOKS)]:
        whole = {"components": {"schemas": schemas}, "$ref": f"#/components/schemas/{kind}"}
        answer = ok(await on.stranger.get(f"/v1/rulebooks{path}", lang="pl"))
        jsonschema.Draft202012Validator(whole).validate(answer)


async def test_problems_have_a_title_in_every_language(on: Stage) -> None:
    one = ok(await on.stranger.get("/problems/seat-taken"))
    assert one["titles"] == {lang: WORDS.word(lang, "problem.seat-taken") for lang in LANGUAGES}
    own = ok(await on.stranger.get("/problems/bad-option"))
    assert own["titles"] == {
        lang: WORDS.word(lang, "room25/problem.bad-option") for lang in LANGUAGES
    }
    for code, (first, *others) in refused_alike().items():
        for language in LANGUAGES:
            words = {
                game.texts.word(language, f"{game.rules.id}/problem.{code}") for game in others
            }
            assert words <= {first.texts.word(language, f"{first.rules.id}/problem.{code}")}, code
    for kind in ok(await on.stranger.get("/problems"))["problems"]:
        assert list(kind["titles"]) == list(LANGUAGES)
        assert kind["titles"]["en"] == kind["title"]


def refused_alike() -> dict[str, list[GamePackage]]:
    """The reasons for which several games refuse, and these games."""
    codes = Counter(code for game in GAMES.values() for code in game.rules.rejections)
    return {
        code: [game for game in GAMES.values() if code in game.rules.rejections]
        for code, count in codes.items()
        if count > 1
    }


def test_the_document_tells_of_languages() -> None:
    document = msgspec.json.decode((ROOT / "openapi/openapi.json").read_bytes())
    for path in ("/v1/rulebooks", "/v1/rulebooks/{rulebook}"):
        said = document["paths"][path]["get"]
        queries = {each["name"]: each for each in said["parameters"] if "name" in each}
        assert queries["lang"]["schema"]["enum"] == list(LANGUAGES)
        assert {"$ref": "#/components/parameters/AcceptLanguage"} in said["parameters"]
        assert {"Content-Language", "Vary"} <= set(said["responses"]["200"]["headers"])
