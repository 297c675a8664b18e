"""Each house rule against a sample that breaks it and one that does not."""

import pytest

from tests.house import rules

# Put together here, so that this file does not break the rule it tests.
MACHINE = "/" + "work/main"
REGISTRY = "py" + "pi.org"
HASH = "--hash=sha256:" + "0" * 64


def test_a_module_may_have_500_lines_and_no_more() -> None:
    assert rules.long_modules("a.py", "x = 1\n" * 500) == []
    assert rules.long_modules("a.py", "x = 1\n" * 501) == ["a.py:501: over 500 lines"]


@pytest.mark.parametrize("head", ["def f():", "async def f():"])
def test_a_function_may_have_70_lines_and_no_more(head: str) -> None:
    assert rules.long_functions("a.py", f"@d\n{head}\n" + "    x = 1\n" * 69) == []
    assert rules.long_functions("a.py", f"{head}\n" + "    x = 1\n" * 70) == [
        "a.py:1: f has 71 lines, over 70"
    ]


def test_a_method_too_may_be_too_long() -> None:
    sample = "class A:\n    def f(self):\n" + "        x = 1\n" * 70
    assert rules.long_functions("a.py", sample) == ["a.py:2: f has 71 lines, over 70"]


def test_a_docstring_is_due_on_all_that_is_public() -> None:
    sample = "class A:\n    def f(self): ...\n\nasync def g(): ...\n"
    assert rules.missing_docstrings("a.py", sample) == [
        "a.py:1: the module has no docstring",
        "a.py:1: A has no docstring",
        "a.py:2: f has no docstring",
        "a.py:4: g has no docstring",
    ]


def test_an_empty_docstring_is_none() -> None:
    assert rules.missing_docstrings("a.py", '"""  """\n') == ["a.py:1: the module has no docstring"]
    assert rules.missing_module_docstring("a.py", "x = 1\n") == [
        "a.py:1: the module has no docstring"
    ]


@pytest.mark.parametrize(
    "rest",
    [
        "def _f(): ...\n",
        "class _A:\n    def f(self): ...\n",
        'class A:\n    """A."""\n\n    def __len__(self): ...\n',
        'def f():\n    """F."""\n    def g(): ...\n',
        "@typing.overload\ndef f(): ...\n",
        'class A:\n    """A."""\n\n    @x.setter\n    def x(self, to): ...\n',
    ],
    ids=["private", "in-private-class", "magic", "nested", "overload", "setter"],
)
def test_no_docstring_is_due_on(rest: str) -> None:
    assert rules.missing_docstrings("a.py", '"""M."""\n' + rest) == []
    assert rules.missing_module_docstring("a.py", '"""M."""\n' + rest) == []


@pytest.mark.parametrize(
    "path", ["events/utils.py", "games/seat_helpers.py", "service/common/__init__.py"]
)
def test_a_name_that_says_nothing_is_refused(path: str) -> None:
    assert len(rules.empty_names(path)) == 1


def test_a_name_that_says_something_is_fine() -> None:
    assert rules.empty_names("events/commonwealth.py") == []


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (f"cd {MACHINE}", "a machine's path"),
        (f'"{MACHINE}"', "a machine's path"),
        (f"file://{MACHINE}", "a machine's path"),
        (f"--index-url https://{REGISTRY}/simple", "a registry"),
        (f"files.{REGISTRY}", "a registry"),
    ],
)
def test_a_place_of_one_machine_is_refused(line: str, what: str) -> None:
    (complaint,) = rules.foreign_places("a.md", "fine\n" + line)
    assert complaint.startswith(f"a.md:2: {what}: ")


@pytest.mark.parametrize(
    "line", ["GET /workers/7", "/games/7/work", "a/root/b", "npm-free", "https://www.example.org"]
)
def test_a_place_of_ours_is_fine(line: str) -> None:
    assert rules.foreign_places("a.md", line) == []


@pytest.mark.parametrize("line", ['A = "^a+$"', 'A = re.compile(rb"^a$")', 'f(pattern=f"^{a}$")'])
def test_a_pattern_that_lets_a_line_break_by_is_refused(line: str) -> None:
    assert len(rules.loose_patterns("a.py", line)) == 1


@pytest.mark.parametrize(
    "line",
    [r'A = r"^a+\Z"', 're.compile("^a$", re.MULTILINE)', 'A = "^"', 'A = "$"', 'A = f"^{a}"'],
)
def test_an_exact_pattern_is_fine(line: str) -> None:
    assert rules.loose_patterns("a.py", line) == []


@pytest.mark.parametrize("call", ["time.sleep(1)", "await asyncio.sleep(2.5)", "sleep(60)"])
def test_a_long_sleep_is_refused(call: str) -> None:
    assert len(rules.long_sleeps("a.py", f"async def f():\n    {call}\n")) == 1


@pytest.mark.parametrize("call", ["time.sleep(0.01)", "asyncio.sleep(0)", "sleep(beat)", "f(1)"])
def test_a_short_sleep_is_fine(call: str) -> None:
    assert rules.long_sleeps("a.py", call) == []


@pytest.mark.parametrize(
    ("lock", "complaint"),
    [
        ("", "the lock is empty"),
        (f"a>=1 \\\n    {HASH}\n", "a is not pinned"),
        ("a==1\n", "a has no hash"),
        (f"a @ https://example.org/a==1.whl \\\n    {HASH}\n", "a names where to fetch from"),
        ("--find-links here\n", "an option: --find-links"),
    ],
)
def test_a_loose_pin_is_refused(lock: str, complaint: str) -> None:
    assert rules.loose_pins("r.txt", lock) == [f"r.txt:1: {complaint}"]


def test_a_pinned_and_hashed_line_is_fine() -> None:
    lock = f"a==1 ; sys_platform == 'win32' \\\n    {HASH} \\\n    {HASH}\nb==2 \\\n    {HASH}\n"
    assert rules.loose_pins("r.txt", lock) == []


def test_a_target_is_phony_and_in_the_help() -> None:
    assert rules.undocumented_targets("Makefile", "run: ## Run\n.PHONY: run\n") == []
    assert rules.undocumented_targets("Makefile", "BIN := x\nrun: install\n") == [
        "Makefile:2: run is not in `make help`",
        "Makefile:2: run is not in .PHONY",
    ]
