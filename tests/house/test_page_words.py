"""The page's words: three languages that say the same, every key is there, no key is idle."""

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

import pytest

from games.registry import GAMES
from games.words import WORDS as TABLE_WORDS
from service.http.problems import KINDS
from service.page.documents import ROUTES, START
from service.page.modules import Modules
from tests.games.naming import OWN_IDS, TABLE_TYPES, own_parts
from tests.house import tree
from tests.house.scripts import Script, Scripts, calls, read_script

LANGUAGES = ("en", "fr", "pl")
OWN = tuple(GAMES)
"""The sections of the games' own words, which lie in their folders."""
SECTIONS = (
    "common",
    "lobby",
    "people",
    "rules",
    "wall",
    "board",
    "play",
    "watch",
    "log",
    "refusals",
    *OWN,
)
CODES = frozenset(str(code) for game in GAMES.values() for code in game.rules.rejections)
"""With what the games refuse."""
FORMS = {"en": {"one", "other"}, "fr": {"one", "other"}, "pl": {"one", "few", "many", "other"}}
"""The plural forms that a language has here; ``many`` of French is for millions."""

DYNAMIC = (
    "account.office.*",
    "account.origin.*",
    "bot.*",
    "bot.choice.*",
    "board.table.*",
    "board.tag.strikes.*",
    "calling.notice.*",
    "calling.notice.*.with",
    "calling.tab.*",
    "cerveauuu/about.card.*",
    "cerveauuu/about.piece.*",
    "cerveauuu/about.window.*",
    "cerveauuu/board.answer.*",
    "cerveauuu/board.cast.*",
    "cerveauuu/board.fight.*",
    "cerveauuu/board.help.*",
    "cerveauuu/board.help.*_text",
    "cerveauuu/board.legend.*",
    "cerveauuu/board.mark.*",
    "cerveauuu/finale.*",
    "cerveauuu/lesson.*",
    "cerveauuu/lesson.*.name",
    "cerveauuu/watch.why.*",
    "lobby.*.title",
    "lobby.delay.*",
    "lobby.standing.*",
    "lobby.standing.begins.*",
    "new.*_s",
    "new.absent_after.*",
    "new.absent_after.*.hint",
    "new.behind.*",
    "new.bot_pace.*",
    "new.delay.*",
    "new.pace.*.about",
    "new.start.*",
    "new.visibility.*",
    "people.result.*",
    "people.season.*",
    "play.about.*",
    "play.about.return.*",
    "play.sure.*",
    "refused.*",
    "room25/board.adrenaline.*",
    "room25/board.axis.*",
    "room25/board.face.*",
    "room25/board.legend.*",
    "room25/board.mark.*",
    "room25/board.role.*",
    "room25/board.secret.wins.*",
    "room25/board.slot.*",
    "room25/board.terms.*",
    "room25/finale.*",
    "room25/forms.*.*",
    "room25/lesson.*",
    "room25/lesson.*.name",
    "room25/play.program.brief.*",
    "room25/watch.why.*",
    "seats.share.*",
    "seats.start.*",
    "title.*",
    "wall.matter.*",
    "wall.missed.*",
    "wall.result.*",
    "watch.*",
    "watch.*.hint",
    "watch.badge.*",
    "watch.banner.delay.*",
    "watch.chapter.*",
    "watch.chapter.in.*",
    "watch.chapter.of.*",
    "watch.key.*",
    "watch.kind.*",
    "watch.knew.by.*",
    "watch.mark.*",
    "watch.part.*",
    "watch.proof.*",
    "watch.proof.says.*",
    "watch.proof.why.*",
    "watch.result.*",
    "watch.result.head.*",
    "watch.result.you.*",
    "watch.save.*",
    "watch.save.*.about",
    "watch.share.*",
    "watch.share.*.about",
    "watch.status.*",
    "watch.viewer.*",
)
"""Keys that modules put together: ``*`` is one part of a key, ``**`` may be several."""

EITHER = (
    "new.*_s",
    "new.pace.*.about",
    "play.about.*",
    "play.sure.*",
    "refused.*",
    "watch.kind.*",
    "watch.mark.*",
    "watch.part.*",
    "watch.result.head.*",
)
"""Those that are looked for among a game's texts, first or only there."""

HOMONYMS = (
    "lobby.*.empty",
    "lobby.open.empty.link",
    "lobby.seat.program",
    "seats.team",
    "watch.key.*",
    "watch.proof.key",
    "watch.proof.key.*",
    "watch.proof.why.key",
    "watch.status.ended",
)
"""Keys of the page with a word that is also an id of Room 25, and means something else here."""

LENT = ("board.choose", "new.custom", "new.facts.*", "seats.cast.*")
"""What only the folder of a game says now, and any game may say: of choosing, turns, characters."""

GRAMMAR = ("room25/forms.*.*",)
"""Other forms of names (``test_named_forms.py``): each language has those that its texts need."""

TABLE_ON_THE_BOARD = {"choose", "people", "seat", "tag", "table", "clock"}
"""What the drawing of a game says about any table: who sits there, and how late it is."""

_GAME = r"(?:[a-z0-9]+/)"
_KEY = re.compile(_GAME + r"?[a-z]+(?:\.[a-z0-9_-]+)+")
_PATTERN = re.compile(
    _GAME + r"?[a-z]+(?:\.[a-z0-9_-]+)*(?:\.\*\*?|\.\*_s)(?:\.(?:[a-z0-9_-]+|\*\*?))*"
)
_FORM = re.compile(r"\.(one|few|many|other)$")
_HOLE = re.compile(r"\{(\w+)\}")

SCRIPTS = Scripts(name for name in tree.tracked() if name.startswith("web/"))


@cache
def catalogue(language: str, section: str) -> Mapping[str, str]:
    """The texts of a section."""
    own = f"web/games/{section}/words/{language}.json"
    text = tree.read(own if section in OWN else f"web/words/{language}/{section}.json")
    assert text is not None
    found: dict[str, Any] = json.loads(text, object_pairs_hook=_without_doubles)
    assert all(isinstance(each, str) for each in found.values())
    return found


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    assert len(set(keys)) == len(keys), "a key stands there twice"
    return dict(pairs)


WORDS = {
    language: {key: text for s in SECTIONS for key, text in catalogue(language, s).items()}
    for language in LANGUAGES
}


def counted(words: Iterable[str]) -> dict[str, set[str]]:
    """The keys that count something, without their forms, and the forms that they have."""
    found: dict[str, set[str]] = {}
    for key in words:
        if form := _FORM.search(key):
            found.setdefault(key[: form.start()], set()).add(form[1])
    return {key: forms for key, forms in found.items() if {"one", "other"} <= forms}


def meanings(words: Iterable[str]) -> set[str]:
    """The keys as modules name them: those that count something without their forms."""
    plurals = counted(words)
    return {key if (bare := _FORM.sub("", key)) not in plurals else bare for key in words}


def fits(pattern: str, key: str) -> bool:
    """Whether a key is one of those that a module puts together."""
    parts = re.split(r"(\*+)", pattern)
    kinds = {"*": r"[\w-]+", "**": r"[\w.-]+"}
    return (
        re.fullmatch("".join(kinds.get(part, re.escape(part)) for part in parts), key) is not None
    )


def bare(key: str) -> str:
    """A key without the game that it may begin with."""
    return key.rpartition("/")[2]


def shared(keys: Iterable[str]) -> set[str]:
    """The keys that every language has."""
    return {key for key in keys if not any(fits(pattern, key) for pattern in GRAMMAR)}


def made(key: str) -> set[str]:
    """The patterns by which modules put this key together."""
    found = {pattern for pattern in DYNAMIC if fits(pattern, key)}
    return found | {pattern for pattern in EITHER if fits(pattern, bare(key))}


ENGLISH = meanings(WORDS["en"])
COUNTED = counted(WORDS["en"])


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_section_says_the_same_in_every_language(language: str, section: str) -> None:
    ours, english = catalogue(language, section), catalogue("en", section)
    assert shared(meanings(ours)) == shared(meanings(english))
    assert counted(ours).keys() == counted(english).keys()
    for key, forms in counted(ours).items():
        assert forms == FORMS[language], key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_has_the_placeholders_of_the_english_one(language: str) -> None:
    for key in shared(WORDS[language]):
        text, bare = WORDS[language][key], _FORM.sub("", key)
        english = WORDS["en"][f"{bare}.other" if bare in COUNTED else key]
        # "your move" needs no number where it is one.
        spared = {"count"} if key.endswith(".one") else set()
        holes = set(_HOLE.findall(text))
        assert holes | spared == set(_HOLE.findall(english)) | spared, key
        assert "{" not in _HOLE.sub("", text), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_empty_or_hangs_over(language: str) -> None:
    assert [key for key, text in WORDS[language].items() if text != text.strip() or not text] == []


def test_the_words_of_a_game_lie_in_its_folder_and_no_others_do() -> None:
    for section in SECTIONS:
        keys = catalogue("en", section)
        assert keys
        assert {key.startswith(f"{section}/") for key in keys} == {section in OWN}
        assert section in OWN or not any("/" in key for key in keys)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_house_bot_has_a_name(language: str) -> None:
    bots = {bot for game in GAMES.values() for bot in game.bots}
    named = {key: text for key, text in WORDS[language].items() if key.startswith("bot.")}
    assert set(named) == {f"bot.{bot}" for bot in bots} | {f"bot.choice.{bot}" for bot in bots}
    assert len(set(named.values())) == len(named)
    assert bots.isdisjoint(named.values())
    for bot in bots:  # whoever sits down is not called so either
        assert TABLE_WORDS.word(language, f"bot.{bot}") == named[f"bot.{bot}"]


def test_no_key_stands_in_two_sections() -> None:
    keys = [key for section in SECTIONS for key in catalogue("en", section)]
    assert len(set(keys)) == len(keys)


def test_every_key_that_a_module_names_is_there() -> None:
    for name, script in SCRIPTS.items():
        for function, text in calls(script):
            if text.whole:
                known = COUNTED if function == "tn" else set(WORDS["en"])
                assert text.text in known, f"{name}:{text.line}"


UNSAID: Final = {("web/games/stranger.js", "watch.stranger")}
"""What a module says only where other words are there too: a board is drawn by a table's page."""


def sections_said(modules: Iterable[str], scripts: Mapping[str, Script]) -> set[str]:
    """The sections of the page's own words that modules speak from."""
    found = set()
    for name in modules:
        for function, text in calls(scripts[name]):
            pattern = re.escape(text.text).replace(r"\*", ".*")
            said = re.compile(pattern + (r"\.\w+" if function == "tn" else ""))
            for section in set(SECTIONS) - set(OWN):
                keys = {key for key in catalogue("en", section) if said.fullmatch(key)}
                if {(name, key) for key in keys} - UNSAID:
                    found.add(section)
    return found


@pytest.mark.parametrize("name", ROUTES)
def test_a_page_has_the_words_of_all_that_it_shows(name: str) -> None:
    """Whatever it loads later is shown by it too: a table its game, the lobby what games offer."""
    texts = {path.removeprefix("web/"): tree.read(path) or "" for path in SCRIPTS}
    modules, route = Modules(texts), ROUTES[name]
    kind = "game.js" if name == "watch" else "offer.js"
    later = () if name == "account" else (f"games/{game}/{kind}" for game in OWN)
    shown = {f"web/{path}" for path in modules.graph(START, route.module, *later)}
    assert sections_said(shown, SCRIPTS) - set(route.words) == set()


def test_words_that_are_not_there_are_noticed() -> None:
    planted = {
        "web/x.js": read_script('t("board.seat"); tn("lobby.mark.calls", n); t(`log.${x}`);')
    }
    assert sections_said(planted, planted) >= {"board", "lobby"}


def test_what_looks_like_a_key_is_one() -> None:
    """Keys also travel through variables; then the string that they begin as is looked at."""
    families = {bare(key).split(".")[0] for key in ENGLISH}
    for name, script in SCRIPTS.items():
        for text in script.texts:
            path = text.text.endswith(".js")
            if path or not text.whole or not _KEY.fullmatch(text.text) or text.text in EITHER:
                continue
            if bare(text.text).split(".")[0] in families:
                assert text.text in ENGLISH | set(WORDS["en"]), f"{name}:{text.line}"


def test_keys_are_put_together_only_as_the_list_says() -> None:
    asked = {text.text for s in SCRIPTS.values() for _, text in calls(s) if not text.whole}
    families = {bare(key).split(".")[0] for key in ENGLISH}
    found = {
        text.text for s in SCRIPTS.values() for text in s.texts if _PATTERN.fullmatch(text.text)
    }
    used = asked | {pattern for pattern in found if bare(pattern).split(".")[0] in families}
    assert used == set(DYNAMIC)
    put_together = set().union(*map(made, ENGLISH))
    assert set(DYNAMIC) <= put_together
    assert set(EITHER) <= put_together
    named = {text.text for s in SCRIPTS.values() for text in s.texts}
    assert set(EITHER) <= named


def test_no_text_is_there_for_nothing() -> None:
    named = {text.text for s in SCRIPTS.values() for text in s.texts if text.whole}
    assert {key for key in ENGLISH - named if not made(key)} == set()


def test_a_key_that_names_an_id_of_a_game_begins_with_that_game() -> None:
    games = {key.split("/")[0] for key in WORDS["en"] if "/" in key}
    assert games == set(OWN)
    strays = {key for key in ENGLISH if "/" not in key and own_parts(key)}
    homonyms = {key for key in strays if any(fits(pattern, key) for pattern in HOMONYMS)}
    assert strays - homonyms == set()
    assert [p for p in HOMONYMS if not any(fits(p, key) for key in homonyms)] == []


def test_a_planted_word_of_a_game_without_its_game_is_found() -> None:
    """A control: each sort of id would be seen, in whatever key it stands."""
    for name in ("acid", "bruce", "turn-began", "round_2", "panic", "reveal_guard", "bad-option"):
        assert own_parts(f"board.anything.{name}") == {name}
    assert not own_parts("board.tag.absent")
    assert not TABLE_TYPES & OWN_IDS


def test_a_key_that_names_what_every_table_has_names_no_game() -> None:
    def second(section: str, *, own: bool) -> set[str]:
        keys = (key for key in ENGLISH if bare(key).startswith(f"{section}."))
        return {bare(key).split(".")[1] for key in keys if (key != bare(key)) is own}

    assert second("log", own=False) == {"unknown"}
    assert second("log", own=True) == set()
    assert second("refused", own=True) == CODES
    assert second("refused", own=False) == set(KINDS) - CODES
    assert second("board", own=False) == TABLE_ON_THE_BOARD
    assert second("board", own=True) & TABLE_ON_THE_BOARD == set()


def test_no_text_is_a_games_and_every_tables() -> None:
    """``keyIn`` and ``keyAnywhere`` would choose among them by their order."""
    tables = {key for key in ENGLISH if key == bare(key)}
    assert not {bare(key) for key in ENGLISH - tables} & tables


def test_what_only_the_folder_of_a_game_says_begins_with_that_game() -> None:
    folders = tuple(f"web/games/{game}/" for game in OWN)
    speakers: dict[str, set[bool]] = {}
    for name, script in SCRIPTS.items():
        for text in script.texts:
            if text.whole and text.text in ENGLISH:
                speakers.setdefault(text.text, set()).add(name.startswith(folders))
    own = {key for key, inside in speakers.items() if inside == {True}}
    assert {key for key in own if "/" not in key and not any(fits(p, key) for p in LENT)} == set()
    assert [pattern for pattern in LENT if not any(fits(pattern, key) for key in own)] == []
    assert {key for key, inside in speakers.items() if "/" in key and False in inside} == set()


def refusals(language: str) -> dict[str, str]:
    """The sentences for refusals, the game's own among them."""
    return {key: text for key, text in WORDS[language].items() if bare(key).startswith("refused.")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_a_sentence_for_every_refusal(language: str) -> None:
    """Whoever adds a problem says here what it means to a reader of the page, and what to do."""
    texts = refusals(language)
    assert {bare(key).removeprefix("refused.") for key in texts} == set(KINDS)
    assert len(set(texts.values())) == len(texts), "two problems, one sentence"
    for code, text in texts.items():
        assert re.match(r"[A-ZÀÇÉÈŁŚŻŹ]", text), code
        assert text.endswith("."), code
        if language != "en":
            assert text != refusals("en")[code], code


def test_patterns_and_forms_are_read_as_they_are_meant() -> None:
    assert fits("new.*_s", "new.decision_s")
    assert not fits("new.*_s", "room25/new.decision_s")
    assert not fits("new.*_s", "new.pace.decision_s")
    assert made("room25/new.decision_s") == {"new.*_s"}
    assert made("room25/watch.part.round1") == {"watch.part.*"}
    assert made("room25/board.nothing") == set()
    assert fits("log.**", "log.turn-began.last")
    assert not fits("log.**", "xlog.turn-began")
    assert meanings(["a.b.one", "a.b.other", "a.one"]) == {"a.b", "a.one"}
