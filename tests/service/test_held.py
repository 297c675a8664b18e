"""A game that is held because the store has lost a part of it, as its players meet it."""

from __future__ import annotations

from events.kernel import Actor
from games.table.events import HoldTable
from tests.service.stage import Player, Stage, ok, problem

STORE = Actor("director", "store")


async def hold(on: Stage, game: str, lost: int = 9) -> int:
    """Say that so many versions of a game are lost; the version that this leads to."""
    tables = on.service.app_context.tables
    kept = (await tables.load(game)).version
    command = HoldTable(known=kept + lost, kept=kept, epoch=2)
    receipt = await tables.command(
        game, command, actor=STORE, command_id=f"restored:{game}:2", digest="restored"
    )
    return receipt.version


async def held(on: Stage) -> tuple[str, Player, Player]:
    """A held game of two, its host, and the same person with a director's token."""
    ada, ben = await on.player("Ada"), await on.player("Ben")
    game = await on.game(ada, ben)
    await hold(on, game)
    return f"/v1/games/{game}", ada, await on.with_scopes(ada, "organise")


async def test_nobody_chooses_and_everybody_is_told_why(on: Stage) -> None:
    at, ada, director = await held(on)
    problem(await ada.post(f"{at}/decisions/clue-s1", {"option": "r1c2"}), "game-held")
    problem(await director.post(f"{at}/pause", {}), "game-held")
    problem(await director.post(f"{at}/extend", {"seconds": 5}), "game-held")
    asked = ok(await ada.get(f"{at}/decisions"))
    assert (asked["status"], asked["decisions"]) == ("held", [])
    state = ok(await on.stranger.get(f"{at}/state"))["state"]
    kept = state["restored"]["to_version"]
    lost = {"from_version": kept + 9, "to_version": kept, "epoch": 2}
    assert state["restored"] == lost | {"held": True}
    told = ok(await on.stranger.get(f"{at}/events", after=kept))["events"]
    expected = {"type": "store-restored", "at": on.clock.now} | lost
    assert [line["event"] for line in told] == [expected]


async def test_its_director_has_it_go_on(on: Stage) -> None:
    at, ada, director = await held(on)
    on.clock.now += 86_400_000
    problem(await ada.post(f"{at}/resume"), "scope-missing")
    ok(await director.post(f"{at}/resume"))
    asked = ok(await ada.get(f"{at}/decisions"))
    assert asked["status"] == "live"
    clue = next(each for each in asked["decisions"] if not each["optional"])
    assert clue["deadline"] > on.clock.now
    option = {"option": clue["options"][0]["id"]}
    ok(await ada.post(f"{at}/decisions/{clue['id']}", option))
    state = ok(await on.stranger.get(f"{at}/state"))["state"]
    assert state["restored"]["held"] is False


async def test_its_director_annuls_it(on: Stage) -> None:
    at, ada, director = await held(on)
    ok(await director.post(f"{at}/annul", {"reason": "other"}))
    assert ok(await ada.get(f"{at}/decisions"))["status"] == "finished"
    assert ok(await on.stranger.get(f"{at}/state"))["state"]["restored"]["held"] is False


async def test_the_same_game_unheld_takes_the_choice(on: Stage) -> None:
    """The control."""
    ada, ben = await on.player("Ada"), await on.player("Ben")
    game = await on.game(ada, ben)
    ok(await ada.post(f"/v1/games/{game}/decisions/clue-s1", {"option": "r1c2"}))
