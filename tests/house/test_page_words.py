"""The page's words: three languages that say the same, every key is there, no key is idle."""

import json
import re
from collections.abc import Iterable
from typing import Any

import pytest

from service.problems import KINDS
from tests.house import tree
from tests.house.scripts import calls, read_script

LANGUAGES = ("en", "fr", "pl")
SECTIONS = ("common", "lobby", "board", "play", "watch", "log", "refusals")
FORMS = {"en": {"one", "other"}, "fr": {"one", "other"}, "pl": {"one", "few", "many", "other"}}
"""The plural forms that a language must have; ``many`` of French is for millions."""

DYNAMIC = (
    "board.adrenaline.*",
    "board.axis.*",
    "board.face.*",
    "board.legend.*",
    "board.lost.*",
    "board.mark.*",
    "board.phase.*",
    "board.role.*",
    "board.slot.*",
    "board.table.*",
    "lobby.*.title",
    "log.**",
    "new.*_s",
    "new.bot_pace.*",
    "new.delay.*",
    "new.pace.*",
    "new.pace.*.about",
    "new.start.*",
    "new.visibility.*",
    "play.about.*",
    "play.sure.*",
    "refused.*",
    "seats.share.*",
    "seats.start.*",
    "title.*",
    "watch.*",
    "watch.*.hint",
    "watch.badge.*",
    "watch.key.*",
    "watch.kind.*",
    "watch.mark.*",
    "watch.part.*",
    "watch.proof.*",
    "watch.proof.says.*",
    "watch.proof.why.*",
    "watch.result.*",
    "watch.result.head.*",
    "watch.save.*",
    "watch.save.*.about",
    "watch.share.*",
    "watch.share.*.about",
    "watch.status.*",
    "watch.viewer.*",
)
"""Keys that modules put together: ``*`` is one part of a key, ``**`` may be several."""

_KEY = re.compile(r"[a-z]+(?:\.[a-z0-9_-]+)+")
_PATTERN = re.compile(r"[a-z]+(?:\.[a-z0-9_-]+)*(?:\.\*\*?)(?:\.(?:[a-z0-9_-]+|\*\*?))*")
_FORM = re.compile(r"\.(one|few|many|other)$")
_HOLE = re.compile(r"\{(\w+)\}")

SCRIPTS = {
    name: read_script(tree.read(name) or "")
    for name in tree.tracked()
    if name.startswith("web/") and name.endswith(".js")
}


def catalogue(language: str, section: str) -> dict[str, str]:
    """The texts of a section."""
    text = tree.read(f"web/words/{language}/{section}.json")
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


ENGLISH = meanings(WORDS["en"])
COUNTED = counted(WORDS["en"])


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_section_says_the_same_in_every_language(language: str, section: str) -> None:
    ours, english = catalogue(language, section), catalogue("en", section)
    assert meanings(ours) == meanings(english)
    assert counted(ours).keys() == counted(english).keys()
    for key, forms in counted(ours).items():
        assert FORMS[language] <= forms, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_has_the_placeholders_of_the_english_one(language: str) -> None:
    for key, text in WORDS[language].items():
        bare = _FORM.sub("", key)
        english = WORDS["en"][f"{bare}.other" if bare in COUNTED else key]
        # "your move" needs no number where it is one.
        spared = {"count"} if key.endswith(".one") else set()
        holes = set(_HOLE.findall(text))
        assert holes | spared == set(_HOLE.findall(english)) | spared, key
        assert "{" not in _HOLE.sub("", text), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_empty_or_hangs_over(language: str) -> None:
    assert [key for key, text in WORDS[language].items() if text != text.strip() or not text] == []


def test_no_key_stands_in_two_sections() -> None:
    keys = [key for section in SECTIONS for key in catalogue("en", section)]
    assert len(set(keys)) == len(keys)


def test_every_key_that_a_module_names_is_there() -> None:
    for name, script in SCRIPTS.items():
        for function, text in calls(script):
            if text.whole:
                known = COUNTED if function == "tn" else set(WORDS["en"])
                assert text.text in known, f"{name}:{text.line}"


def test_what_looks_like_a_key_is_one() -> None:
    """Keys also travel through variables; then the string that they begin as is looked at."""
    families = {key.split(".")[0] for key in ENGLISH}
    for name, script in SCRIPTS.items():
        for text in script.texts:
            if text.whole and _KEY.fullmatch(text.text) and text.text.split(".")[0] in families:
                assert text.text in ENGLISH | set(WORDS["en"]), f"{name}:{text.line}"


def test_keys_are_put_together_only_as_the_list_says() -> None:
    asked = {text.text for s in SCRIPTS.values() for _, text in calls(s) if not text.whole}
    families = {key.split(".")[0] for key in ENGLISH}
    made = {
        text.text for s in SCRIPTS.values() for text in s.texts if _PATTERN.fullmatch(text.text)
    }
    used = asked | {pattern for pattern in made if pattern.split(".")[0] in families}
    assert used == set(DYNAMIC)
    assert [pattern for pattern in DYNAMIC if not any(fits(pattern, k) for k in ENGLISH)] == []


def test_no_text_is_there_for_nothing() -> None:
    named = {text.text for s in SCRIPTS.values() for text in s.texts if text.whole}
    idle = {k for k in ENGLISH - named if not any(fits(pattern, k) for pattern in DYNAMIC)}
    assert idle == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_a_sentence_for_every_refusal(language: str) -> None:
    """Whoever adds a problem says here what it means to a reader of the page, and what to do."""
    texts = catalogue(language, "refusals")
    assert {key.removeprefix("refused.") for key in texts} == set(KINDS)
    assert len(set(texts.values())) == len(texts), "two problems, one sentence"
    for code, text in texts.items():
        assert re.match(r"[A-ZÀÇÉÈŁŚŻŹ]", text), code
        assert text.endswith("."), code
        if language != "en":
            assert text != catalogue("en", "refusals")[code], code


def test_patterns_and_forms_are_read_as_they_are_meant() -> None:
    assert fits("new.*_s", "new.decision_s")
    assert not fits("new.*_s", "new.pace.decision_s")
    assert fits("log.**", "log.turn-began.last")
    assert not fits("log.**", "xlog.turn-began")
    assert meanings(["a.b.one", "a.b.other", "a.one"]) == {"a.b", "a.one"}
