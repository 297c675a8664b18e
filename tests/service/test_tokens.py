"""The list of one's tokens: what they are called, where they come from, when they were used."""

from __future__ import annotations

from tests.service.stage import Json, Player, Stage, fresh, ok, problem


async def listed(who: Player) -> dict[str, Json]:
    """A player's tokens by id."""
    return {token["id"]: token for token in ok(await who.get("/v1/tokens"))["tokens"]}


async def test_the_list_says_where_tokens_come_from_and_which_one_asks(on: Stage) -> None:
    ada = await on.player()
    bot = ok(await ada.post("/v1/tokens", {"scopes": ["bot"]}), 201)
    shown = list((await listed(ada)).values())
    assert [token["origin"] for token in shown] == ["registration", "request"]
    assert [token["current"] for token in shown] == [True, False]
    program = Player(on.http, bot["token"])
    assert [token["current"] for token in (await listed(program)).values()] == [False, True]
    owned = ok(await on.operator.get("/v1/tokens", player=ada.id))["tokens"]
    assert not any(token["current"] for token in owned)


async def test_a_use_is_told_to_the_hour_and_written_once_an_hour(on: Stage) -> None:
    ada = await on.player()
    bot = ok(await ada.post("/v1/tokens", {"scopes": ["bot"]}), 201)
    uses, hour = on.service.app_context.token_uses, on.clock.now // 3_600_000 * 3_600_000
    shown = await listed(ada)
    assert shown.pop(bot["id"])["last_used_at"] is None
    assert [token["last_used_at"] for token in shown.values()] == [hour]
    await uses.write()
    key = on.service.app_context.tables.log.layout.stream(ada.id).uses
    assert await on.store.pttl(key) > 0
    await on.store.delete(key)
    await listed(ada)
    await uses.write()
    assert not await on.store.exists(key), "the same hour is written again"
    on.clock.now += 3_600_000
    await listed(ada)
    await uses.write()
    assert [int(value) for value in (await on.store.hgetall(key)).values()] == [hour + 3_600_000]


async def test_the_uses_of_a_deleted_account_are_erased(on: Stage) -> None:
    ada = await on.player()
    uses = on.service.app_context.token_uses
    await listed(ada)
    await uses.write()
    assert (await ada.delete(f"/v1/players/{ada.id}")).status_code == 204
    await uses.write()
    assert await uses.of(ada.id) == {}


async def test_a_token_is_given_another_label(on: Stage) -> None:
    ada, key = await on.player(), fresh()
    (first,) = await listed(ada)
    path = f"/v1/tokens/{first}/label"
    for _ in range(2):
        assert (await ada.post(path, {"label": "the kitchen"}, key)).status_code == 204
    problem(await ada.post(path, {"label": "another"}, key), "idempotency-key-reused")
    assert (await listed(ada))[first]["label"] == "the kitchen"
    assert (await ada.post(path, {"label": ""})).status_code == 204
    assert (await listed(ada))[first]["label"] == ""


async def test_labels_that_will_not_do_change_nothing(on: Stage) -> None:
    ada, eve = await on.player("Ada"), await on.player("Eve")
    (first,) = await listed(ada)
    path = f"/v1/tokens/{first}/label"
    problem(await ada.post(path, {"label": "\x07"}), "bad-label")
    problem(await ada.post(path, {"label": "x" * 81}), "invalid-body")
    problem(await ada.post("/v1/tokens/t0/label", {"label": "x"}), "unknown-token")
    problem(await eve.post(f"{path}?player={ada.id}", {"label": "x"}), "not-your-account")
    problem(await on.stranger.post(path, {"label": "x"}), "token-needed")
    assert (await listed(ada))[first]["label"] == ""


async def test_all_others_are_revoked_at_once(on: Stage) -> None:
    ada = await on.player()
    problem(await ada.delete("/v1/tokens"), "no-other-tokens")
    spare = ok(await ada.post("/v1/tokens", {"scopes": ["play"]}), 201)
    bot = ok(await ada.post("/v1/tokens", {"scopes": ["bot"]}), 201)
    key = {"idempotency-key": fresh()}
    for _ in range(2):
        assert (await ada.delete("/v1/tokens", key)).status_code == 204
    for gone in (spare, bot):
        problem(await Player(on.http, gone["token"]).get("/v1/tokens"), "token-invalid")
    live = [t for t in (await listed(ada)).values() if t["revoked_at"] is None]
    assert [token["current"] for token in live] == [True]
