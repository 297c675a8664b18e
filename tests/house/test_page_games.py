"""The page knows its games by two lists: nothing else outside its folder names a game's things.

The ids are taken from the package of the rules, so that a room or an event that comes later is
looked for too. A word that means something else on the page is listed with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec
import pytest

from games.registry import GAMES
from games.room25 import EVENTS, RULES
from games.room25.model.state import Character, Claim, Program, State, Tile, Trap
from games.table.events import TABLE_EVENTS
from games.table.state import SeatState, TableState
from tests.games.naming import OWN_IDS
from tests.house import tree
from tests.house.scripts import Script, Scripts, imports, later, read_script, resolved

REGISTRY: Final = "web/games/registry.js"
FIRST: Final = "web/games/first.js"
"""To which game visitors are invited."""
FOLDER: Final = f"web/games/{RULES.id}/"
VALUES: Final = {
    f"{FOLDER}game.js": "GAME",
    f"{FOLDER}offer.js": "OFFER",
    f"{FOLDER}lesson.js": "LESSON",
}
"""What the page takes out of the folder: the game, what it offers to the lobby, its lesson."""
STYLES: Final = f"/{FOLDER}style.css"

PAGE: Final = [name for name in tree.tracked() if name.startswith("web/")]
SCRIPTS: Final = Scripts(PAGE)
OUTSIDE: Final = Scripts(
    name
    for name in PAGE
    if not name.startswith(tuple(f"web/games/{game}/" for game in GAMES))
    and name not in {REGISTRY, FIRST}
)
"""What belongs to no game; folders of two games may hold the same words."""

LENT: Final = {
    "web/around.js",
    "web/book.js",
    "web/dialog.js",
    "web/dom.js",
    "web/late.js",
    "web/layers.js",
    "web/mentions.js",
    "web/menu.js",
    "web/net/storage.js",
    "web/patch.js",
    "web/pictogram.js",
    "web/tag.js",
    "web/term.js",
    "web/net/documents.js",
    "web/viewer.js",
    "web/words.js",
}
"""What the page lends to the folder of a game, with what that needs; none of it knows the games."""

IDS: Final = frozenset({*OWN_IDS, RULES.id})


def members(*kinds: type) -> set[str]:
    """The names of the members of some records."""
    return {name for kind in kinds for name in kind.__struct_fields__}  # type: ignore[attr-defined]


MEMBERS: Final = members(State, Character, Tile, Trap, Claim, Program, *EVENTS) - members(
    TableState, SeatState, *TABLE_EVENTS
)
"""What only a state or an event of the game has."""

HOMONYMS: Final[Mapping[str, str]] = {
    "M11": "a line of a drawing",
    "M12": "a line of a drawing",
    "M24": "a line of a drawing",
    "cards": "a way to draw choices",
    "decision": "what every table asks",
    "empty": "a list without tables",
    "ended": "a stream that is over",
    "key": "the key of a game's secrets, and keys that are pressed",
    "program": "who plays by a program",
    "team": "whom a seat plays with",
    "timer": "what a clock is to screen readers",
}
"""Ids that stand in strings of the page, and mean something else there."""

ORDINARY: Final = frozenset({"go", "identity", "live", "open"})
"""Ids of options, decisions and paces that are ordinary words: of buttons, players, tables."""

LANGUAGE: Final = frozenset(
    {"entries", "first", "hidden", "id", "locks", "max", "now", "push", "round"}
)
"""Members of things of the language and the browser (``first``: of a run of versions)."""

OF_THE_PAGE: Final[Mapping[str, str]] = {
    "actions": "buttons of a table in a list",
    "asked": "what the address asked for, and decisions that are new",
    "card": "a part of the account's page",
    "character": "whom a seat plays, as every table has it",
    "count": "how many there are of something",
    "dark": "the squares of a code for cameras",
    "decision": "what every table asks",
    "drawn": "what has been drawn already, and a game that nobody has won",
    "empty": "a list without tables",
    "end": "how a game has come out, and the end of it",
    "entry": "what a list of a rulebook holds, and a choice on the board",
    "free": "seats and characters that nobody has",
    "guard": "against mistakes that nobody thought of",
    "key": "of a game's secrets, of an attempt, on a keyboard",
    "kind": "of a decision, an event or a mark",
    "kinds": "of events",
    "line": "of a log",
    "look": "through other eyes",
    "move": "through the game",
    "option": "of a decision",
    "program": "who plays by a program",
    "role": "what an element is to screen readers",
    "seal": "the last line of a record",
    "shown": "the version that is on the page",
    "team": "whom a seat plays with",
    "timer": "of the browser",
    "token": "by which a player is known",
    "tokens": "of an account",
    "turn": "how far a game has come, in a word that every table has",
    "used": "when a token was, last",
}
"""Members of things of the page, and what they are."""


def named(script: Script) -> Iterator[tuple[int, str]]:
    """The words of a module's strings with their lines: wholes, and parts of keys and of paths."""
    for text in script.texts:
        for word in {text.text, *re.split(r"[^A-Za-z0-9_-]+", text.text)}:
            yield text.line, word


def touched(script: Script) -> set[str]:
    """The names of members that a module reads, writes or takes apart."""
    read = re.findall(r"\.\s*([A-Za-z_]\w*)", script.code)
    return {*read, *re.findall(r"[{,]\s*([A-Za-z_]\w*)\s*(?=[:,}=])", script.code)}


def strings_of_the_game(scripts: Mapping[str, Script]) -> list[str]:
    """Where a string names an id."""
    return [
        f"{name}:{line}: {word}"
        for name, script in scripts.items()
        for line, word in named(script)
        if word in IDS and word not in HOMONYMS
    ]


def members_of_the_game(scripts: Mapping[str, Script]) -> list[str]:
    """Where a member has a name that only the game's things have."""
    foreign = (IDS | MEMBERS) - LANGUAGE - OF_THE_PAGE.keys()
    return [f"{name}: {each}" for name, s in scripts.items() for each in touched(s) & foreign]


def taken(out_of: str) -> dict[str, set[str]]:
    """The modules that import one out of a folder from elsewhere, now or later, and which."""
    found: dict[str, set[str]] = {}
    for name, script in SCRIPTS.items():
        paths = (*(each.path for each in imports(script)), *later(script))
        for path in (resolved(name, each) for each in paths):
            if path.startswith(out_of) and not name.startswith(out_of):
                found.setdefault(name, set()).add(path)
    return found


def test_only_the_lists_import_the_game() -> None:
    assert taken(FOLDER) == {REGISTRY: set(VALUES), FIRST: {f"{FOLDER}help/invitation.js"}}


def test_the_registry_loads_values_of_the_same_names_for_each_game() -> None:
    for game in GAMES:
        for module, value in VALUES.items():
            code = SCRIPTS[module.replace(FOLDER, f"web/games/{game}/")].code
            assert re.findall(r"^export const (\w+)", code, re.MULTILINE) == [value]
            assert len(re.findall(r"^export", code, re.MULTILINE)) == 1


def test_the_folders_of_games_use_only_what_is_lent() -> None:
    used = {
        path
        for folder in (f"web/games/{game}/" for game in GAMES)
        for name, script in SCRIPTS.items()
        if name.startswith(folder)
        for each in imports(script)
        if not (path := resolved(name, each.path)).startswith(folder)
    }
    beneath = {resolved(name, each.path) for name in LENT for each in imports(SCRIPTS[name])}
    assert used | beneath == LENT


def test_no_string_outside_names_a_thing_of_the_game() -> None:
    assert strings_of_the_game(OUTSIDE) == []


@pytest.mark.parametrize("game", GAMES)
def test_no_string_outside_names_what_a_package_tells(game: str) -> None:
    """The same for each game, by all that its package lists, with the words that are others'."""
    found = {word for script in OUTSIDE.values() for _, word in named(script)} & told(game)
    assert found - HOMONYMS.keys() - ORDINARY == set()
    assert game in told(game)


def told(game: str) -> set[str]:
    """The ids of a game, as its package tells them."""
    package = GAMES[game]
    ids = {game, *package.rules.waits, *package.rules.tags, *map(str, package.rules.rejections)}
    ids |= {str(kind.__struct_config__.tag) for kind in package.rules.events}
    for rulebook in package.rules.tags:
        described = msgspec.to_builtins(package.published.rulebook(rulebook, "en"), str_keys=True)
        lists = [part for part in described.values() if isinstance(part, (list, tuple))]
        ids |= {each["id"] for part in lists for each in part if isinstance(each, dict)}
        kinds = (key.split(".") for key in described["words"])
        ids |= {parts[1] for parts in kinds if parts[0] == f"{game}/decision"}
    return ids


def test_no_member_outside_is_one_of_the_game() -> None:
    assert members_of_the_game(OUTSIDE) == []


def test_no_module_outside_looks_into_a_play() -> None:
    """What a play holds, its own game knows."""
    for name, script in OUTSIDE.items():
        assert not re.search(r"\b[sS]tate\??\.play\??\.\w", script.code), name


def test_every_word_that_is_let_pass_is_there() -> None:
    words = {word for script in OUTSIDE.values() for _, word in named(script)}
    assert set(HOMONYMS) - (words & IDS) == set()
    used = set().union(*map(touched, OUTSIDE.values()))
    assert ({*LANGUAGE, *OF_THE_PAGE} & used) - (IDS | MEMBERS) == set()
    assert {*LANGUAGE, *OF_THE_PAGE} - used == set()


def test_the_document_and_no_other_style_names_the_game() -> None:
    """A style sheet is linked in the order in which it applies: HTML has no list for that."""
    index = tree.read("web/index.html") or ""
    assert re.findall(rf"\S*{RULES.id}\S*", index) == [f'href="{STYLES}"']
    for name in PAGE:
        if name.startswith("web/style/"):
            classes = re.findall(r"[.#]([a-z][\w-]*)", tree.read(name) or "")
            parts = {part for each in classes for part in (each, each.removeprefix("b-is-"))}
            assert parts & IDS - set(HOMONYMS) == set(), name


@pytest.mark.parametrize(
    "planted",
    [
        'if (kind === "acid") {}',
        "const who = ['emmett'];",
        't("room25/board.label");',
        "t(`log.${form}.turn-began`);",
        'import { SIDE } from "./games/room25/fold/grid.js";',
        'h("p", { dataset: { phase: "round_1" } });',
    ],
)
def test_a_planted_string_is_found(planted: str) -> None:
    assert strings_of_the_game({"web/planted.js": read_script(planted)})


@pytest.mark.parametrize(
    "planted",
    [
        "const tiles = state.play.grid;",
        "show(play?.markers);",
        "const { composition } = event;",
        "return { room25_revealed: true };",
        "names.adrenaline(event);",
    ],
)
def test_a_planted_member_is_found(planted: str) -> None:
    assert members_of_the_game({"web/planted.js": read_script(planted)})


def test_what_only_looks_like_the_game_is_fine() -> None:
    source = "// acid, emmett\nlist.push(text); const control = form.elements; const dark = true;"
    assert strings_of_the_game({"web/x.js": read_script(source)}) == []
    assert members_of_the_game({"web/x.js": read_script(source)}) == []


def uncoloured(game: str, style: str) -> list[str]:
    """The marks of a game's log that its style gives no colour: they are black in every theme."""
    kinds = (tree.ROOT / f"web/games/{game}/log/kinds.js").read_text(encoding="utf-8")
    shapes = re.search(r"MARK_SHAPES = \{(.*?)\};", kinds, re.DOTALL)
    assert shapes, game
    names = re.findall(r"^  (\w+):", shapes[1], re.MULTILINE)
    assert names, game
    return [name for name in names if not re.search(rf"\.mark-{name}\b[^{{}}]*\{{\s*fill:", style)]


@pytest.mark.parametrize("game", GAMES)
def test_each_mark_of_a_games_log_has_a_colour_in_its_own_style(game: str) -> None:
    """The styles of other games are not there."""
    style = (tree.ROOT / f"web/games/{game}/style.css").read_text(encoding="utf-8")
    assert uncoloured(game, style) == []
    assert "death" in uncoloured(game, style.replace(".mark-death", ".mark-dead"))
