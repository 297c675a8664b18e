"""Heads: the chain as anybody can compute it, signed, and nothing beyond the horizon."""

from __future__ import annotations

from base64 import b64decode

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from events import seal
from events.signing import verify_head
from tests.service.stage import Player, Stage, ok, problem

NDJSON = {"accept": "application/x-ndjson"}


async def pair(on: Stage, **more: object) -> tuple[Player, Player, str]:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    return ada, bob, await on.game(ada, bob, **more)


async def test_a_head_is_what_the_public_bytes_lead_to(on: Stage) -> None:
    ada, _, game = await pair(on)
    lines = (await on.stranger.get(f"/v1/games/{game}/events", NDJSON)).content.splitlines()
    head, answer = seal.genesis(game), None
    for version, line in enumerate(lines, 1):
        head = seal.chain(head, version - 1, [line])
        answer = ok(await on.stranger.get(f"/v1/games/{game}/head", at=version))
        assert (answer["version"], answer["head"]) == (version, seal.text_of(head))
    newest = ok(await ada.get(f"/v1/games/{game}/head"))
    assert newest == answer, "the newest by default, and the same for all viewers"
    assert ok(await ada.get(f"/v1/games/{game}"))["links"]["head"] == f"/v1/games/{game}/head"


async def test_a_head_is_signed(on: Stage) -> None:
    _, _, game = await pair(on)
    answer = ok(await on.stranger.get(f"/v1/games/{game}/head", at=5))
    key = b64decode(answer["verifier"].rpartition("+")[2])[1:]
    said = verify_head(answer["note"], Ed25519PublicKey.from_public_bytes(key))
    assert (said.stream, said.version, said.at) == (game, 5, answer["time"])
    assert seal.text_of(said.head) == answer["head"]


async def test_a_signed_head_says_where_in_the_store_it_stands(on: Stage) -> None:
    _, _, game = await pair(on)
    log = on.service.app_context.tables.log
    (pointers,) = [await log.feed(s, 0, 100) for s in range(4) if f"g{s:02x}-" == game[:4]]
    for pointer in pointers:
        if pointer.stream != game:
            continue
        answer = ok(await on.stranger.get(f"/v1/games/{game}/head", at=pointer.version))
        key = b64decode(answer["verifier"].rpartition("+")[2])[1:]
        said = verify_head(answer["note"], Ed25519PublicKey.from_public_bytes(key))
        assert said.place is not None
        assert (said.place.epoch, said.place.seq) == (1, pointer.seq)


async def test_a_head_that_is_known_is_not_sent_again(on: Stage) -> None:
    _, _, game = await pair(on)
    for path in (f"/v1/games/{game}/head", f"/v1/games/{game}/head?at=3"):
        first = await on.stranger.get(path)
        again = await on.stranger.get(path, {"if-none-match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


async def test_there_is_no_head_of_what_one_does_not_see(on: Stage) -> None:
    ada, _, game = await pair(on)
    path = f"/v1/games/{game}/head"
    problem(await ada.get(path, at=99), "version-not-found")
    problem(await ada.get(path, {"if-none-match": '"99-head"'}, at=99), "version-not-found")
    problem(await ada.get(path, at=0), "invalid-parameter")
    problem(await ada.get(path, as_="seat:2"), "view-not-yours")
    problem(await on.stranger.get("/v1/games/g00-nothing/head"), "game-not-found")
    ada, _, hidden = await pair(on, delay={"turns": 1})
    path = f"/v1/games/{hidden}/head"
    seen = ok(await on.stranger.get(path))["version"]
    newest = ok(await ada.get(f"/v1/games/{hidden}"))["version"]
    assert seen < newest
    detail = problem(await on.stranger.get(path, at=newest), "version-not-found")["detail"]
    assert detail == f"the newest version is {seen}"
