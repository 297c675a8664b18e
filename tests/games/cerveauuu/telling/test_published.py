"""What is published of Cerveauuu!: complete, of the published form, and true of the game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, get_args, get_type_hints

import jsonschema
import msgspec
import pytest
from msgspec.structs import replace

from events.kernel import Rejected
from games.cerveauuu import CERVEAUUU, EVENTS, RULES, Code
from games.cerveauuu.board import DEFAULT20, parse_map, print_map
from games.cerveauuu.deck import CARDS
from games.cerveauuu.model.language import WINDOWS, CardType
from games.cerveauuu.opening.options import VALUES
from games.cerveauuu.package import GAME
from games.cerveauuu.telling.published import PublishedCerveauuu
from games.cerveauuu.words import WORDS
from games.contract import TableOpening
from games.game_registry import GameRegistry
from games.rulebooks import lacking
from games.table.events import TABLE_EVENTS
from games.words import ENGLISH, LANGUAGES
from service.contract.bodies import NewGame, encode
from service.contract.rulebook_answers import RulebookAnswers, described
from service.contract.schema_names import published_name
from service.contract.schemas import components
from service.http.problems import kinds_of
from simulator.cerveauuu.bare_game import BareGame

PUBLISHED = PublishedCerveauuu()
TEXTS = {"name", "about", "effect", "language", "words"}
"""What differs between languages."""


def book(language: str = ENGLISH) -> dict[str, Any]:
    """The rulebook as it is served."""
    found: dict[str, Any] = msgspec.json.decode(encode(described(PUBLISHED, "prototype", language)))
    return found


def by_id(items: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """A list of things by their ids, which differ."""
    found = {item["id"]: item for item in items}
    assert len(found) == len(items)
    return found


def facts(node: Any) -> Any:
    """Whatever is no text."""
    if isinstance(node, list | tuple):
        return [facts(each) for each in node]
    if isinstance(node, dict):
        return {key: facts(each) for key, each in node.items() if key not in TEXTS}
    return node


def test_the_description_has_what_every_rulebook_has_and_is_served() -> None:
    assert list(lacking(PUBLISHED.description)) == []
    answers = RulebookAnswers(GameRegistry({RULES.id: GAME}))
    assert set(answers.book(RULES.id, "prototype").bodies) == set(LANGUAGES)
    (short,) = PUBLISHED.rulebooks("pl")
    assert {key: book("pl")[key] for key in ("id", "game", "name", "about")} == {
        key: short[key] for key in ("id", "game", "name", "about")
    }
    assert list(short["modes"]) == list(by_id(book()["modes"]))
    with pytest.raises(KeyError):
        PUBLISHED.rulebook("first_edition", ENGLISH)


def test_the_languages_differ_in_words_only() -> None:
    first, *others = map(book, LANGUAGES)
    for other in others:
        assert facts(other) == facts(first)
        assert other["words"].keys() == first["words"].keys()
        assert other["name"] != first["name"] or other["about"] != first["about"]
        same = sum(
            a["effect"] == b["effect"] for a, b in zip(other["cards"], first["cards"], strict=True)
        )
        assert same == 0


def test_the_published_schemas_describe_the_rulebook() -> None:
    """Every field is described, none is missing, and all names are the game's."""
    kinds: list[type] = [PUBLISHED.description, PUBLISHED.state, *EVENTS]
    schemas = components([NewGame], kinds, GameRegistry({RULES.id: GAME}))
    for schema in schemas.values():
        if schema.get("type") == "object" and "properties" in schema:
            schema["additionalProperties"] = False
    name = published_name(PUBLISHED.description)
    assert name == "CerveauuuRulebookDescription"
    assert {published_name(kind) for kind in kinds} <= schemas.keys()
    assert "CerveauuuSituation" in schemas
    whole = {"components": {"schemas": schemas}, "$ref": f"#/components/schemas/{name}"}
    for language in LANGUAGES:
        jsonschema.Draft202012Validator(whole).validate(book(language))
    lacks = book() | {"maps": [{"id": "default20"}]}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(whole).validate(lacks)


def test_refusals_are_the_rejections_and_called_as_in_the_words() -> None:
    kinds = {code: kind for code, kind in kinds_of([GAME]).items() if kind.game == RULES.id}
    assert kinds.keys() == RULES.rejections == set(Code)
    for code, kind in kinds.items():
        assert kind.title == WORDS.word(ENGLISH, f"cerveauuu/problem.{code}")
        assert kind.status in {409, 422}
        assert not kind.title.endswith(".")
        assert kind.meaning.endswith(".")


def test_rejections_without_a_meaning_are_found() -> None:
    class Mute(PublishedCerveauuu):
        refusals = PUBLISHED.refusals[1:]

    with pytest.raises(ValueError, match="the rules of cerveauuu do not reject"):
        kinds_of([replace(GAME, published=Mute())])


def test_all_cards_are_described() -> None:
    said, words = by_id(book()["cards"]), book()["words"]
    assert list(said) == list(CARDS)
    assert Counter(card["type"] for card in said.values()) == {
        "end_credits": 8,
        "weather": 10,
        "media": 12,
        "firearm": 12,
        "weapon": 16,
        "vehicle": 10,
        "object": 20,
        "character": 20,
        "event": 32,
    }
    assert said["c031"] == {
        "id": "c031",
        "type": "firearm",
        "name": "Rifle",
        "windows": list(WINDOWS),
        "targets": ["human", "zombie"],
        "effect": "A human kills a zombie in sight at range 8 or less.",
    }
    assert said["c001"]["windows"] == said["c001"]["targets"] == []
    assert said["c074"]["targets"] == ["door"]
    assert said["c021"]["targets"] == ["seat"]
    for card in said.values():
        assert words[f"cerveauuu/card_type.{card['type']}"]
        assert all(words[f"cerveauuu/window.{window}"] for window in card["windows"])
        assert all(words[f"cerveauuu/term.{target}"] for target in card["targets"])


def test_the_map_is_the_one_that_is_played_on_and_its_buildings_have_names() -> None:
    for language in LANGUAGES:
        (said,) = book(language)["maps"]
        assert (said["id"], said["width"], said["height"]) == ("default20", 20, 20)
        assert said["text"] == DEFAULT20
        assert print_map(parse_map(said["text"])) == DEFAULT20
        names = {building["letter"]: building["name"] for building in said["buildings"]}
        assert set(names) == set(re.findall("[a-z]", DEFAULT20)) == set("mpshiockg")
        assert len(set(names.values())) == len(said["buildings"]) == 9


def test_whatever_a_mode_offers_opens_a_table() -> None:
    """A client that goes by the description alone is never refused."""
    options, (mode,) = by_id(book()["options"]), book()["modes"]
    assert mode["seats"] == [2, 3, 4, 5, 6]
    assert mode["options"] == list(options) == list(VALUES)
    assert {name: option["default"] for name, option in options.items()} == {
        "first_chief": 0,
        "map": "default20",
        "placement": "alternate",
        "wander_goes": 3,
        "credits": "shuffled",
    }
    assert sorted(options["first_chief"]["values"]) == [0, 1, 2, 3, 4, 5, 6]
    assert sorted(options["wander_goes"]["values"]) == [0, 1, 2, 3, 4, 5, 6]
    for seats in mode["seats"]:
        wish = TableOpening(rulebook="prototype", mode=mode["id"], seats=seats, options={})
        usual = CERVEAUUU.open(wish).options
        for name, option in options.items():
            assert option["default"] == option["values"][0] == usual[name]
            assert option["about"]
            for value in option["values"]:
                if name != "first_chief" or value <= seats:
                    CERVEAUUU.open(replace(wish, options={name: value}))
        with pytest.raises(Rejected):
            CERVEAUUU.open(replace(wish, options={"wander_goes": 7}))


@pytest.mark.parametrize("seats", [2, 4])
def test_the_figures_of_the_mode_are_those_of_the_game(seats: int) -> None:
    (mode,) = book()["modes"]
    sitting = BareGame(seats, {"placement": "random"}).begin()
    while sitting.truth.round == 0:
        sitting.choose(sitting.pending()[0], "random")
    state = sitting.truth
    at = str(seats)
    assert len(list(state.humans())) == mode["humans"][at]
    numbers = range(1, mode["humans"][at] + 1)
    assert {human.id for human in state.humans()} == {f"h{number:02}" for number in numbers}
    assert len(list(state.zombies())) == mode["zombies"][at]
    assert state.credits_need == mode["credits"][at]


def test_the_waits_are_those_of_the_rules_and_have_words() -> None:
    said = book()
    assert [wait["id"] for wait in said["waits"]] == ["response", "decision"]
    for wait in said["waits"]:
        assert wait["least_s"] <= wait["default_s"] <= wait["most_s"]
        assert said["words"][f"cerveauuu/wait.{wait['id']}"]
        assert wait["strikes"] == "wait"
    paces = {pace["id"]: list(pace["limits_s"].values()) for pace in said["paces"]}
    assert paces == {"live": [12, 45], "blitz": [6, 20], "days": [12 * 3600, 24 * 3600]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_name_whatever_the_game_says(language: str) -> None:
    words: Mapping[str, str] = book(language)["words"]
    for kind in (*TABLE_EVENTS, *EVENTS):
        key = f"event.{kind.__struct_config__.tag}"
        assert words[key if kind in TABLE_EVENTS else f"cerveauuu/{key}"]
    served = {key for key in words if key.startswith("cerveauuu/")}
    listed = ("building", "card", "colour", "mode", "option", "pace", "phrase", "rulebook")
    answered = ("cannot", "unavailable")  # said by the service when somebody asks
    assert served == {
        key
        for key in WORDS.texts(language)
        if key.startswith("cerveauuu/")
        and key.removeprefix("cerveauuu/").partition(".")[0] not in {*listed, *answered}
    }
    assert all(words[f"cerveauuu/card_type.{kind}"] for kind in get_args(CardType))
    assert words["cerveauuu/outcome.bloodiest"]
    assert words["cerveauuu/decision.wander_batch.title"]
    assert words["problem.option-not-offered"]


def test_the_colours_are_what_a_seat_may_ask_for() -> None:
    opening = TableOpening(rulebook="prototype", mode="standard", seats=6, options={})
    taken: dict[int, tuple[str, ...]] = {}
    for seat, colour in enumerate(reversed(book()["characters"]), 1):
        taken[seat] = CERVEAUUU.cast(opening, taken, seat, (colour["id"],))
    assert len(taken) == 6
    assert [colour["name"] for colour in book("fr")["characters"]][:2] == ["vert", "violet"]


def test_the_examples_are_of_this_game() -> None:
    body = msgspec.convert(PUBLISHED.examples["NewGame"], NewGame)
    assert body.game == RULES.id
    assert body.time.limits_s.keys() == RULES.waits.keys()
    CERVEAUUU.open(
        TableOpening(rulebook=body.rulebook, mode=body.mode, seats=body.seats, options=body.options)
    )
    seat: Any = PUBLISHED.examples["NewSeat"]
    assert set(seat["characters"]) <= set(by_id(book()["characters"]))
    choice: Any = PUBLISHED.examples["Choice"]
    assert re.fullmatch(r"z\d\d(\.r\d+c\d+)+\.attack-h\d\d", choice["option"])


def test_the_showcase_is_a_table_of_this_game() -> None:
    shown = PUBLISHED.showcase
    CERVEAUUU.open(
        TableOpening(rulebook=shown.rulebook, mode=shown.mode, seats=shown.seats, options={})
    )
    assert shown.bot in GAME.bots


def test_what_is_not_promised_is_a_field_of_its_type() -> None:
    for kind, fields in PUBLISHED.unpromised.items():
        assert fields.keys() <= get_type_hints(kind, include_extras=True).keys()
        assert all(text.endswith(".") for text in fields.values())
    assert PUBLISHED.state in PUBLISHED.unpromised
    assert PUBLISHED.title == "Cerveauuu!"
