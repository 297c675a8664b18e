"""The page's check of a log (web/fold/chain.js): the hash chain, the openings, the key."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from events.kernel import FULL, Viewer
from tests.e2e.folding import Call, caller, canonical, golden, lines, named
from tests.e2e.serving import ROOT
from tools.vectors import VECTORS


@pytest.fixture
def fold(modules: Page) -> Call:
    """Calls a function of pages/fold.js."""
    return caller(modules)


@pytest.mark.parametrize("path", sorted(VECTORS.glob("*.json")), ids=named)
def test_the_chain_of_every_vector_is_computed(path: Path, fold: Call) -> None:
    vector = json.loads(path.read_text(encoding="utf-8"))
    found = fold("heads", vector["stream"], vector["lines"])
    assert found == {"genesis": vector["genesis"], "heads": vector["heads"]}
    assert fold("headLineByLine", vector["stream"], vector["lines"]) == vector["heads"][-1]


def tampered(raw: list[str], version: int, how: str) -> list[str]:
    """The lines with something wrong at a version."""
    here = version - 1
    if how == "dropped":
        return [*raw[:here], *raw[here + 1 :]]
    if how == "swapped":
        return [*raw[:here], raw[here + 1], raw[here], *raw[here + 2 :]]
    if how == "doubled":
        return [*raw[: here + 1], *raw[here:]]
    changed = re.sub(r'"at":(\d+)', lambda at: f'"at":{int(at[1]) + 1}', raw[here], count=1)
    assert changed != raw[here]
    return [*raw[:here], changed, *raw[here + 1 :]]


@pytest.mark.parametrize("version", [1, 2, 63, 64, 65, 200])
def test_a_changed_byte_is_found_where_it_is(version: int, fold: Call) -> None:
    told = golden("bga-S-121")
    raw, right = lines(told, FULL), list(told.heads())
    found = fold("heads", told.stream, tampered(raw, version, "changed"))["heads"]
    agree = [mine == theirs for mine, theirs in zip(found, right, strict=True)]
    assert agree == [True] * (version - 1) + [False] * (len(raw) - version + 1)


@pytest.mark.parametrize(("how", "due"), [("dropped", 0), ("swapped", 0), ("doubled", 1)])
@pytest.mark.parametrize("version", [1, 2, 64, 200])
def test_a_line_out_of_place_is_found(how: str, due: int, version: int, fold: Call) -> None:
    told = golden("bga-S-121")
    raw = tampered(lines(told), version, how)
    assert fold("heads", told.stream, raw) == {"due": version + due}


def test_a_chain_belongs_to_one_game(fold: Call) -> None:
    told = golden("bga-X-U22")
    other = fold("heads", "g00-" + "0" * 26, lines(told))["heads"]
    assert not set(other) & set(told.heads())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r'"value":"r.c."', '"value":"r9c9"'),
        (r'"salt":"..', '"salt":"--'),
        (r"event\.cell", "event.seat"),
        (r"event\.cell", "event.toString"),
        (r"event\.cell", "secret.cell"),
    ],
    ids=["value", "salt", "public", "inherited", "elsewhere"],
)
def test_a_false_opening_is_found(old: str, new: str, fold: Call) -> None:
    raw = lines(golden("suspicion-4"), Viewer(kind="seat", seat=1))
    version = next(v for v, line in enumerate(raw, 1) if '"event.cell"' in line)
    public, mark, opened = raw[version - 1].partition(',"opened":')
    forged = public + mark + re.sub(old, new, opened, count=1)
    path = new if "." in new else "command.option" if "command.option" in opened else "event.cell"
    assert forged != raw[version - 1]
    assert fold("openings", raw)["wrong"] == []
    found = fold("openings", [*raw[: version - 1], forged, *raw[version:]])
    assert found["wrong"] == [[version, path]]


def test_salts_and_the_key_follow_from_what_is_published(modules: Page) -> None:
    told = golden("suspicion-4")
    full = [json.loads(line) for line in lines(told, FULL)]
    key = next(line["event"]["key"] for line in full if line["event"]["type"] == "key-published")
    promised = full[0]["event"]["key_hash"]
    check = "async (given) => (await import('/web/fold/chain.js')).checkKey(...given)"
    assert modules.evaluate(check, [key, promised]) is True
    assert modules.evaluate(check, ["00" * 32, promised]) is False
    salt = "async (given) => (await import('/web/fold/chain.js')).saltOf(...given)"
    checked = 0
    for line in full[:60]:
        for path, opening in line.get("opened", {}).items():
            assert modules.evaluate(salt, [key, line["v"], path]) == opening["salt"]
            checked += 1
    assert checked > 10


def test_the_vectors_of_the_audit_page_hold(modules: Page) -> None:
    page = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    given = json.loads(re.findall(r"```json\n(.*?)```", page, re.DOTALL)[-1])
    found = modules.evaluate(
        """async ({ key, stream, chain, commitments }) => {
            const all = await import("/web/fold/chain.js");
            const genesis = await all.genesis(stream);
            const heads = [];
            for (const { v, public: text } of chain) {
                heads.push(await all.extend(heads.at(-1) ?? genesis, v, text));
            }
            const salts = [], held = [];
            for (const { v, path, value, salt, commitment } of commitments) {
                salts.push(await all.saltOf(key, v, path));
                held.push(await all.checkOpening(commitment, path, { salt, value }));
            }
            return { genesis, heads, salts, held, available: all.available() };
        }""",
        given,
    )
    assert found == {
        "genesis": given["genesis"],
        "heads": [step["head"] for step in given["chain"]],
        "salts": [each["salt"] for each in given["commitments"]],
        "held": [True] * len(given["commitments"]),
        "available": True,
    }


@pytest.mark.parametrize(
    "value",
    [
        {"b": [1, {"d": None, "c": True}], "a": 'é \u2028 😀 " \\ / \b\f\n\r\t \u0001 \u007f'},
        {"10": 1, "9": 2, "a": 3, "_": 4, "B": 5},
        [],
        {},
        -9007199254740991,
    ],
    ids=["nested", "sorted", "list", "object", "number"],
)
def test_the_canonical_text_is_that_of_the_service(value: Any, modules: Page) -> None:
    text = "async (value) => (await import('/web/fold/chain.js')).canonical(value)"
    assert modules.evaluate(text, value) == canonical(value)
