"""Tables that were closed before their game began, over HTTP: lists and views say so."""

from __future__ import annotations

from tests.service.stage import Player, Stage, ok


async def closed_tables(on: Stage, ada: Player, bob: Player) -> tuple[set[str], set[str]]:
    """Tables that are over: those whose game never began, and those whose game did."""
    called_off = await on.table(ada)
    ok(await ada.post(f"/v1/games/{called_off}/close"))
    full = await on.table(ada, start="host")
    await on.sit(full, ada, bob)
    # In its set-up, before its first round.
    wish = {"game": "cerveauuu", "rulebook": "prototype", "mode": "standard"}
    set_up = await on.game(ada, bob, **wish)
    begun = await on.game(ada, bob)
    for game in (full, set_up, begun):
        ok(await on.operator.post(f"/v1/games/{game}/annul", {"reason": "other"}))
    return {called_off, full}, {set_up, begun}


async def test_rows_and_views_tell_which_games_never_began(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    unbegun, begun = await closed_tables(on, ada, bob)
    await on.list_up()
    rows = {row["id"]: row for row in ok(await on.stranger.get("/v1/games"))["games"]}
    assert rows.keys() == unbegun | begun
    assert {row["turn"] for game, row in rows.items() if game in begun} == {0}
    views = {game: ok(await on.stranger.get(f"/v1/games/{game}"))["state"] for game in rows}
    for told in (rows, views):
        assert {game for game, each in told.items() if each.get("unbegun") is True} == unbegun
        assert {game for game, each in told.items() if "unbegun" in each} == unbegun


async def test_a_table_that_is_not_over_says_nothing_of_it(on: Stage) -> None:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    games = (await on.table(ada), await on.game(ada, bob))
    await on.list_up()
    rows = ok(await on.stranger.get("/v1/games"))["games"]
    views = [ok(await on.stranger.get(f"/v1/games/{game}"))["state"] for game in games]
    assert len(rows) == 2
    assert not any("unbegun" in each for each in (*rows, *views))
