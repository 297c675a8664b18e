"""Every forgery is found by the check that is there for it, at the event that was forged."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from events.signing import verifier_key
from games.room25 import RULES
from replay.source import examine
from replay.verify import audit
from runtime.signed import Signer
from simulator.golden_files import SIGNER
from tests.replay.forging import Forger, audited, begun, failures, finding, original, played
from tests.replay.mending import registry_of

pytestmark = pytest.mark.slow

CHECKS = (
    "form",
    "chain",
    "signature",
    "commitments",
    "seed",
    "draws",
    "fold",
    "re-adjudication",
)


def test_a_true_record_passes_every_check_by_name() -> None:
    found = audited(original(), SIGNER.verifier)
    assert [f.name for f in found.findings] == list(CHECKS)
    assert {f.status for f in found.findings} == {"ok"}
    assert found.passed
    assert found.divergence is None
    assert found.lines()[-1] == "verified"
    assert len(found.lines()) == len(CHECKS) + 1


def test_an_unfinished_game_is_checked_as_far_as_it_goes() -> None:
    found = audited(begun().record())
    assert found.passed
    assert finding(found, "signature").status == "not checked"
    assert "without a result" in finding(found, "fold").detail
    assert "still secret" in finding(found, "seed").detail
    assert found.lines()[-1] == "verified, but for signature"


# --- somebody changed a file ---


def test_a_changed_public_field() -> None:
    forger = Forger()
    version = forger.version_of("room-revealed", lambda e: e["kind"] != "empty")
    forger.event(version)["kind"] = "empty"
    found = audited(forger.content())
    wrong = failures(found)
    assert wrong.keys() >= {"chain", "re-adjudication"}
    assert wrong["re-adjudication"] == version
    assert found.divergence is not None
    assert found.divergence.version == version
    line = next(line for line in found.lines() if line.startswith("first diverging event"))
    assert f"version {version}, room-revealed: " in line
    assert 'event.kind is "empty"' in line


def test_a_changed_commitment() -> None:
    forger = Forger()
    version = forger.version_of("program-submitted")
    seals = forger.lines[version]["seals"]
    seals["tokens"] = "A" + seals["tokens"][1:] if seals["tokens"][0] != "A" else "B"
    wrong = failures(audited(forger.content()))
    assert wrong["commitments"] == version
    assert wrong["re-adjudication"] == version
    assert "chain" in wrong


def test_a_changed_opening() -> None:
    forger = Forger()
    version = forger.version_of("role-dealt")
    opening = forger.lines[version]["opened"]["event.role"]
    opening["value"] = "guard" if opening["value"] == "prisoner" else "prisoner"
    wrong = failures(audited(forger.content()))
    assert wrong["commitments"] == version
    assert "chain" not in wrong, "openings are not hashed"


def test_swapped_salts() -> None:
    forger = Forger()
    first = forger.version_of("role-dealt")
    one, other = (forger.lines[first + i]["opened"]["event.role"] for i in (0, 1))
    one["salt"], other["salt"] = other["salt"], one["salt"]
    found = audited(forger.content())
    assert failures(found) == {"commitments": first}
    assert "event.role" in finding(found, "commitments").detail


def test_a_missing_opening() -> None:
    forger = Forger()
    version = forger.version_of("room-peeked")
    del forger.lines[version]["opened"]
    found = audited(forger.content())
    assert failures(found)["commitments"] == version
    assert "not opened" in finding(found, "commitments").detail


def test_an_opening_without_a_commitment() -> None:
    forger = Forger()
    version = forger.version_of("room-peeked")
    forger.lines[version]["opened"]["event.seat"] = {"salt": "AA", "value": 1}
    assert failures(audited(forger.content()))["commitments"] == version


def test_two_events_in_the_wrong_order() -> None:
    forger = Forger()
    version = forger.version_of("room-revealed")
    lines = forger.lines
    lines[version], lines[version + 1] = lines[version + 1], lines[version]
    wrong = failures(audited(forger.content()))
    assert wrong["form"] == version
    assert "chain" in wrong


def test_a_dropped_event() -> None:
    forger = Forger()
    version = forger.version_of("room-revealed")
    del forger.lines[version]
    wrong = failures(audited(forger.content()))
    assert wrong["form"] == version
    assert "chain" in wrong


def test_a_line_spelt_otherwise() -> None:
    lines = original().split(b"\n")
    lines[5] = lines[5].replace(b'{"at":', b'{"at": ', 1)
    assert failures(audited(b"\n".join(lines))) == {"form": 5}


def test_a_header_that_says_something_else() -> None:
    forger = Forger()
    forger.lines[0]["mode"] = "cooperation"
    found = audited(forger.content())
    assert failures(found) == {"form": 0}
    assert "mode" in finding(found, "form").detail


def test_an_event_of_no_known_type() -> None:
    forger = Forger()
    version = forger.version_of("room-revealed")
    forger.event(version)["type"] = "room-demolished"
    wrong = failures(audited(forger.content()))
    assert wrong["fold"] == version
    assert "chain" in wrong


def test_a_secret_in_the_open() -> None:
    forger = Forger()
    version = forger.version_of("role-dealt")
    line = forger.lines[version]
    forger.event(version)["role"] = line.pop("opened")["event.role"]["value"]
    del line["seals"]
    found = audited(forger.content())
    assert failures(found)["commitments"] == version
    assert "in the open" in finding(found, "commitments").detail


# By day tests/replay/test_flips.py flips as many bits, and wants each to be named.
@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(n, marks=pytest.mark.nightly) for n in range(2, 10))]
)
def test_no_byte_of_a_signed_record_can_be_changed(seed: int) -> None:
    content, choice = original(), random.Random(seed)
    for _ in range(8):
        place = choice.randrange(len(content))
        changed = content[place] ^ (1 << choice.randrange(7))
        forged = content[:place] + bytes([changed]) + content[place + 1 :]
        assert is_refused(forged), (place, forged[max(place - 20, 0) : place + 20])


def is_refused(content: bytes) -> bool:
    """Whether a check fails."""
    return not audited(content).passed


# --- whoever runs the store rewrote history, chain and all ---


def test_another_outcome_of_a_rule() -> None:
    forger = Forger()
    version = forger.version_of("character-moved")
    forger.event(version)["cell"] = "r4c4"
    forger.reseal()
    found = audited(forger.content())
    wrong = failures(found)
    assert "chain" not in wrong
    assert "signature" in wrong
    assert wrong["re-adjudication"] == version
    assert 'event.cell is "r4c4"' in finding(found, "re-adjudication").detail


def test_a_history_with_an_event_cut_out() -> None:
    forger = Forger()
    version = forger.version_of("room-revealed")
    del forger.lines[version]
    forger.renumber()
    forger.unsign()
    forger.reseal()
    wrong = failures(audited(forger.content()))
    assert "chain" not in wrong
    assert "form" not in wrong
    assert wrong["re-adjudication"] == version
    assert wrong["commitments"] > version, "salts hang on versions"


def test_an_invented_event() -> None:
    forger = Forger()
    version = len(forger.lines) - 3
    forger.lines.insert(version, {**forger.lines[version], "event": {"type": "seat-left"}})
    forger.event(version)["seat"] = 1
    forger.renumber()
    forger.reseal()
    wrong = failures(audited(forger.content()))
    assert wrong["re-adjudication"] == version


def test_any_dealt_role_that_was_not_drawn() -> None:
    """One is enough, though most draws would have dealt many of them the same role."""
    lines = Forger().lines[1:-1]
    dealt = [line["v"] for line in lines if line["event"]["type"] == "role-dealt"]
    assert len(dealt) == 4
    for version in dealt:
        forger = Forger()
        role = forger.lines[version]["opened"]["event.role"]["value"]
        forger.recommit(version, "event.role", "guard" if role == "prisoner" else "prisoner")
        forger.reseal()
        found = audited(forger.content())
        wrong = failures(found)
        assert "commitments" not in wrong
        assert wrong["draws"] == version
        assert wrong["re-adjudication"] == version
        said = "the secret field role is not what the seed gives (roles)"
        assert finding(found, "draws").detail.endswith(said)


def test_a_first_player_who_was_not_drawn() -> None:
    forger = Forger()
    version = forger.version_of("game-began")
    order = forger.event(version)["order"]
    forger.event(version)["order"] = [*order[1:], order[0]]
    forger.reseal()
    found = audited(forger.content())
    assert failures(found)["draws"] == version
    said = f'order[0] is "{order[1]}", the seed gives "{order[0]}" (first-player)'
    assert finding(found, "draws").detail.endswith(said)


def test_a_tile_that_was_laid_otherwise_than_it_was_drawn() -> None:
    """Its kind is secret, so that only the name of the field and its draws are told."""
    forger = Forger()
    version = forger.version_of("complex-laid")
    kinds = forger.lines[version]["opened"]["event.kinds"]["value"]
    forger.recommit(version, "event.kinds", [kinds[-1], *kinds[1:-1], kinds[0]])
    forger.reseal()
    found = audited(forger.content())
    assert failures(found)["draws"] == version
    said = "the secret field kinds is not what the seed gives (complex/inner, complex/outer)"
    assert finding(found, "draws").detail.endswith(said)


def test_a_move_put_into_another_players_mouth() -> None:
    forger = Forger()
    version = next(
        line["v"]
        for line in forger.lines[1:-1]
        if line.get("batch", {}).get("command", {}).get("type") == "choose"
    )
    forger.lines[version]["batch"]["by"] = "player:p00-zzzz"
    forger.reseal()
    found = audited(forger.content())
    assert failures(found)["re-adjudication"] == version
    assert "refuse" in finding(found, "re-adjudication").detail


def test_a_deadline_that_was_moved() -> None:
    forger = Forger()
    version = forger.version_of("clock-started")
    forger.event(version)["due"] -= 60_000
    forger.reseal()
    assert failures(audited(forger.content()))["re-adjudication"] == version


def test_time_that_runs_backwards() -> None:
    forger = Forger()
    version = forger.version_of("turn-began")
    first = next(v for v in range(version + 1, version + 60) if "batch" in forger.lines[v])
    forger.lines[first]["at"] = 1
    forger.reseal()
    assert failures(audited(forger.content()))["fold"] == first


def test_another_result() -> None:
    forger = Forger()
    version = forger.version_of("table-closed")
    forger.event(version)["winners"] = [1]
    forger.reseal()
    wrong = failures(audited(forger.content()))
    assert "fold" in wrong
    assert wrong["re-adjudication"] == version


def test_events_that_no_command_made() -> None:
    forger = Forger()
    del forger.lines[1]["batch"]
    forger.lines[0]["commands"] -= 1
    forger.reseal()
    assert failures(audited(forger.content()))["re-adjudication"] == 1


# --- keys ---


def test_another_key_is_not_the_one_that_was_committed_to() -> None:
    forger = Forger()
    forger.lines[-1]["seal"]["key"] = "ab" * 32
    found = audited(forger.content())
    assert failures(found) == {"seed": 0}, "the first event holds the right one, by its hash"
    assert finding(found, "seed").part == "the seal"


def test_another_key_in_two_places_opens_nothing() -> None:
    forger = Forger()
    forger.lines[-1]["seal"]["key"] = "ab" * 32
    forger.lines[1]["opened"]["event.key"]["value"] = "ab" * 32
    wrong = failures(audited(forger.content()))
    assert wrong["seed"] == 1
    assert wrong["commitments"] == 1
    assert "chain" not in wrong


def test_a_key_that_is_no_key() -> None:
    forger = Forger()
    forger.lines[-1]["seal"]["key"] = "not hexadecimal"
    assert failures(audited(forger.content())) == {"seed": 0}
    forger.lines[1]["opened"]["event.key"]["value"] = "not hexadecimal"
    assert {"seed", "commitments"} <= failures(audited(forger.content())).keys()


def test_another_published_key() -> None:
    forger = Forger()
    version = forger.version_of("key-published")
    forger.event(version)["key"] = "ab" * 32
    forger.reseal()
    assert failures(audited(forger.content()))["seed"] == version


def test_entropy_that_a_player_did_not_give() -> None:
    forger = Forger()
    version = forger.version_of("seat-taken")
    forger.event(version)["entropy"] = "mine"
    forger.lines[version]["batch"]["command"]["entropy"] = "mine"
    forger.reseal()
    wrong = failures(audited(forger.content()))
    assert "draws" in wrong, "whoever picks the entropy picks the cards"


# --- signatures ---


def test_a_signature_by_somebody_else() -> None:
    other = Signer("golden.parlour.example", b"o" * 32)
    assert failures(audited(original(), other.verifier)) == {"signature": 0}
    assert failures(audited(played().record(), SIGNER.verifier)) == {"signature": 0}


def test_a_signature_of_another_head() -> None:
    forger = Forger(played().record(SIGNER))
    other = begun()
    note = SIGNER.sign(other.stream, other.version, other.head, other.now)
    forger.lines[-1]["seal"]["note"] = note
    assert failures(audited(forger.content())) == {"signature": 0}


def test_a_record_that_claims_to_be_anothers() -> None:
    forger = Forger()
    forger.lines[0]["origin"] = "somebody.else.example"
    assert failures(audited(forger.content())) == {"signature": 0}


def test_a_signature_without_a_key_is_not_checked() -> None:
    forger = Forger()
    del forger.lines[-1]["seal"]["verifier"]
    found = audited(forger.content())
    assert found.passed
    assert finding(found, "signature").status == "not checked"


@pytest.mark.parametrize(
    "verifier", ["", "x", "a+b", "a+b+c", "golden.parlour.example+00000000+AQ"]
)
def test_a_verifier_key_that_is_none(verifier: str) -> None:
    assert failures(audited(original(), verifier)) == {"signature": 0}


def test_a_verifier_key_whose_id_is_wrong() -> None:
    key = Ed25519PrivateKey.from_private_bytes(b"g" * 32).public_key()
    name, key_id, rest = verifier_key("golden.parlour.example", key).split("+", 2)
    flipped = key_id[:-1] + ("0" if key_id[-1] != "0" else "1")
    assert failures(audited(original(), f"{name}+{flipped}+{rest}")) == {"signature": 0}


# --- other rules ---


def foreign(forger: Forger) -> None:
    """The whole game under other rules."""
    for line in forger.lines[1:-1]:
        if "batch" in line:
            line["batch"]["rules"] = "rules-of-yesterday"
    forger.lines[0]["rules"] = ["rules-of-yesterday"]


def foreign_half(forger: Forger) -> None:
    """The second half under other rules."""
    lines = [line for line in forger.lines[1:-1] if "batch" in line]
    for line in lines[len(lines) // 2 :]:
        line["batch"]["rules"] = "rules-of-tomorrow"
    forger.lines[0]["rules"].append("rules-of-tomorrow")


@pytest.mark.parametrize("change", [foreign, foreign_half])
def test_a_game_judged_by_other_rules_is_not_judged_again(change: Callable[[Forger], None]) -> None:
    forger = Forger()
    change(forger)
    forger.unsign()
    forger.reseal()
    found = audited(forger.content())
    assert found.passed
    assert finding(found, "re-adjudication").status == "not checked"
    assert finding(found, "draws").status == "not checked"
    assert finding(found, "fold").status == "ok"


@pytest.mark.parametrize(("mended", "is_archived"), [("ultimate", False), ("first_edition", True)])
def test_a_mend_of_one_rulebook_leaves_the_records_of_the_others_judged(
    mended: str, *, is_archived: bool
) -> None:
    game_registry = registry_of(replace(RULES, tags={**RULES.tags, mended: f"room25.{mended}/2"}))
    found = audit(examine(original()), game_registry)
    assert found.passed
    assert finding(found, "re-adjudication").status == "ok"
    assert ("archived" in finding(found, "re-adjudication").detail) is is_archived
    assert finding(found, "fold").status == "ok"


def test_what_our_rules_judged_is_judged_again_beside_what_they_did_not() -> None:
    forger = Forger()
    foreign_half(forger)
    version = forger.version_of("character-moved")
    forger.event(version)["cell"] = "r4c4"
    forger.unsign()
    forger.reseal()
    assert failures(audited(forger.content()))["re-adjudication"] == version
