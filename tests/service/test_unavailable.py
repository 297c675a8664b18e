"""What a decision does not offer, over HTTP: to whom it is told, when, and in which language."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import NamedTuple

import pytest

from games.game_registry import GameRegistry
from games.room25.model.reasons import Why
from tests.games.toy import TOY
from tests.games.toy_package import TOY_GAME
from tests.service.stage import Json, Player, Stage, ok, problem, stage

REGISTRY = GameRegistry({TOY.id: TOY_GAME})


class Writing(NamedTuple):
    """A game of two in which both must write down a number."""

    on: Stage
    game: str
    ada: Player
    bob: Player
    eve: Player

    def path(self, decision: str) -> str:
        return f"/v1/games/{self.game}/decisions/{decision}/unavailable"


async def begun(*players: Player, **wish: object) -> str:
    game: str = ok(await players[0].post("/v1/games", wish), 201)["game"]
    for player in players:
        ok(await player.post(f"/v1/games/{game}/seats", {}), 201)
    return game


@pytest.fixture
async def writing(store_url: str) -> AsyncIterator[Writing]:
    async with stage(store_url, game_registry=REGISTRY) as on:
        ada, bob, eve = [await on.player(name) for name in ("Ada", "Bob", "Eve")]
        game = await begun(ada, bob, game=TOY.id, rulebook="toybook", mode="plain", seats=2)
        yield Writing(on, game, ada, bob, eve)


async def test_the_decisions_own_seat_is_told_what_is_not_offered(writing: Writing) -> None:
    answer = await writing.ada.get(writing.path("number-t1-s1"))
    body = ok(answer)
    told = ok(await writing.ada.get(f"/v1/games/{writing.game}/decisions"))
    assert (body["game"], body["version"]) == (writing.game, told["version"])
    assert body["decision"] == "number-t1-s1"
    text = "cannot.number in en unavailable.too-high in en"
    assert body["unavailable"] == [{"meaning": {"number": "7"}, "code": "too-high", "text": text}]
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["ratelimit"].startswith('"reads"')


@pytest.mark.parametrize(
    ("query", "header", "language"),
    [("", "fr-CH, en;q=0.5", "fr"), ("?lang=pl", "fr", "pl"), ("", "de", "en")],
)
async def test_it_is_told_in_the_readers_language(
    query: str, header: str, language: str, writing: Writing
) -> None:
    path = f"{writing.path('number-t1-s1')}{query}"
    answer = await writing.ada.get(path, {"accept-language": header})
    (told,) = ok(answer)["unavailable"]
    assert answer.headers["content-language"] == language
    assert told["text"].endswith(f"in {language}")


async def test_a_branch_says_what_it_does_not_lead_to(writing: Writing) -> None:
    """Of what is no branch nothing is told, as its options are not; nor to anybody else."""
    _, game, ada, bob, eve = writing
    for seat, player in ((1, ada), (2, bob)):
        choice = f"/v1/games/{game}/decisions/number-t1-s{seat}"
        ok(await player.post(choice, {"option": "2"}))
    pick = f"/v1/games/{game}/decisions/pick-t1"
    assert ok(await ada.get(f"{pick}/unavailable"))["unavailable"] == []
    answer = await ada.get(f"{pick}/options/favour/unavailable?lang=fr")
    body = ok(answer)
    options = ok(await ada.get(f"{pick}/options/favour"))
    assert [body[name] for name in ("game", "version", "decision", "option")] == [
        options[name] for name in ("game", "version", "decision", "option")
    ]
    text = "cannot.pick.party in fr unavailable.twice in fr"
    assert body["unavailable"] == [{"meaning": {"party": "s1-s1"}, "code": "twice", "text": text}]
    assert answer.headers["content-language"] == "fr"
    assert answer.headers["cache-control"] == "no-store"
    deeper = ok(await ada.get(f"{pick}/options/favour.s1/unavailable"))
    assert (deeper["option"], deeper["unavailable"]) == ("favour.s1", [])
    for option, code in (("single", "option-is-a-leaf"), ("favour.s1-s1", "option-not-found")):
        for path in (f"{pick}/options/{option}", f"{pick}/options/{option}/unavailable"):
            problem(await ada.get(path), code)
    refusals = [
        await bob.get(f"{pick}/options/{option}/unavailable")
        for option in ("favour", "x", "single")
    ]
    for refusal in refusals:
        problem(refusal, "decision-not-open")
    assert len({refusal.content for refusal in refusals}) == 1
    problem(await eve.get(f"{pick}/options/favour/unavailable"), "not-seated")


async def test_a_decision_that_offers_all_that_there_is_has_no_reasons(writing: Writing) -> None:
    for decision in ("wave-t1-s1", "resign-s1"):
        assert ok(await writing.ada.get(writing.path(decision)))["unavailable"] == []


async def test_nobody_else_is_told(writing: Writing) -> None:
    """Others are answered alike, whether there is such a decision or not."""
    on, _, ada, bob, eve = writing
    other, none = [
        await bob.get(writing.path(decision)) for decision in ("number-t1-s1", "number-t9-s1")
    ]
    problem(other, "decision-not-open")
    assert other.content == none.content
    problem(await eve.get(writing.path("number-t1-s1")), "not-seated")
    problem(await on.stranger.get(writing.path("number-t1-s1")), "token-needed")
    for seat, player in ((1, ada), (2, bob)):
        choice = f"/v1/games/{writing.game}/decisions/number-t1-s{seat}"
        ok(await player.post(choice, {"option": "2"}))
    problem(await ada.get(writing.path("number-t1-s1")), "decision-not-open")


async def test_nothing_is_told_of_a_game_that_stands_still(writing: Writing) -> None:
    on, game, ada, _, _ = writing
    ok(await on.operator.post(f"/v1/games/{game}/pause", {}))
    problem(await ada.get(writing.path("number-t1-s1")), "table-paused")
    ok(await on.operator.post(f"/v1/games/{game}/annul", {"reason": "other"}))
    problem(await ada.get(writing.path("number-t1-s1")), "game-over")


async def test_nothing_is_told_before_a_game_or_of_one_that_is_not_known(store_url: str) -> None:
    async with stage(store_url, game_registry=REGISTRY) as on:
        ada, eve = await on.player("Ada"), await on.player("Eve")
        wish = {"game": TOY.id, "rulebook": "toybook", "mode": "plain", "seats": 2}
        game = await begun(ada, **wish, visibility="private")
        path = f"/v1/games/{game}/decisions/number-t1-s1/unavailable"
        problem(await ada.get(path), "game-not-live")
        problem(await eve.get(path), "game-not-found")


async def test_a_room_says_in_three_languages_why_it_is_no_clue(store_url: str) -> None:
    async with stage(store_url) as on:
        ada = await on.player("Ada")
        game = await begun(ada, rulebook="first_edition", mode="solo", seats=1)
        path = f"/v1/games/{game}/decisions"
        (decision,) = [d for d in await asked(ada, path) if not d["optional"]]
        texts = set()
        for language in ("en", "fr", "pl"):
            body = ok(await ada.get(f"{path}/{decision['id']}/unavailable?lang={language}"))
            offered = [option["meaning"] for option in decision["options"]]
            told = [each["meaning"] for each in body["unavailable"]]
            assert len(told) + len(offered) == 25
            assert [meaning for meaning in told if meaning in offered] == []
            assert {each["code"] for each in body["unavailable"]} == {Why.NOT_A_CLUE}
            texts.add(body["unavailable"][0]["text"])
        assert len(texts) == 3
        english = "This room cannot be your starting clue: "
        assert any(text.startswith(english) and text.endswith(".") for text in texts)


async def asked(player: Player, path: str) -> list[Json]:
    """All decisions that are open to somebody."""
    found: list[Json] = ok(await player.get(path))["decisions"]
    return found


async def test_a_level_of_a_tree_says_in_three_languages_what_it_does_not_offer(
    store_url: str,
) -> None:
    position = {
        "stage": "zombies",
        "pieces": {
            "h01": {"cell": "r4c4"},
            "z01": {"cell": "r5c4", "seat": 1},
            "z02": {"cell": "r9c9", "seat": 2},
        },
    }
    async with stage(store_url) as on:
        ada, bob = await on.player("Ada"), await on.player("Bob")
        table = {"game": "cerveauuu", "rulebook": "prototype", "mode": "standard", "seats": 2}
        game = await begun(ada, bob, **table, scenario=position)
        path = f"/v1/games/{game}/decisions"
        (go,) = [d for d in await asked(ada, path) if not d["optional"]]
        way = f"{path}/{go['id']}/options/z01"
        offered = [option.get("meaning", {}) for option in ok(await ada.get(way))["options"]]
        texts = set()
        for language in ("en", "fr", "pl"):
            body = ok(await ada.get(f"{way}/unavailable?lang={language}"))
            told = {tuple(each["meaning"].items()): each for each in body["unavailable"]}
            assert len(told) == len(body["unavailable"])
            assert [meaning for meaning in offered if tuple(meaning.items()) in told] == []
            far = told[(("attack", "z02"),)]
            assert far["code"] == "not-adjacent"
            texts.add(far["text"])
        assert len(texts) == 3
        assert "You cannot choose this in your go: it is not adjacent." in texts
