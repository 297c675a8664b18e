"""Reads the modules of a QR code as a camera does once it has found them (ISO/IEC 18004).

It reads what it is given and mends nothing: a codeword that is wrong is an error. Written from the
standard, and shares nothing with the page's own code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import Final

Modules = Sequence[Sequence[bool]]

_M: Final = {
    1: (10, (16,)),
    2: (16, (28,)),
    3: (26, (44,)),
    4: (18, (32,) * 2),
    5: (24, (43,) * 2),
    6: (16, (27,) * 4),
    7: (18, (31,) * 4),
    8: (22, (38, 38, 39, 39)),
    9: (22, (36, 36, 36, 37, 37)),
    10: (26, (43, 43, 43, 43, 44)),
}
"""For level M by version: codewords of error correction in a block, and of data in all blocks."""

_MASKS: Final[tuple[Callable[[int, int], int], ...]] = (
    lambda i, j: (i + j) % 2,
    lambda i, _: i % 2,
    lambda _, j: j % 3,
    lambda i, j: (i + j) % 3,
    lambda i, j: (i // 2 + j // 3) % 2,
    lambda i, j: i * j % 2 + i * j % 3,
    lambda i, j: (i * j % 2 + i * j % 3) % 2,
    lambda i, j: ((i + j) % 2 + i * j % 3) % 2,
)


def read_code(modules: Modules) -> str:
    """The text of a code.

    Raises:
        AssertionError: it is none of level M, or a module is wrong.
    """
    size = len(modules)
    version = (size - 17) // 4
    assert all(len(row) == size for row in modules)
    require_patterns(modules, version)
    level, mask = _format(modules)
    assert level == 0, "not of level M"
    turned = _MASKS[mask]
    bits = [
        modules[i][j] != (turned(i, j) == 0)
        for i, j in _path(size)
        if not _is_function(i, j, version)
    ]
    words = [_number(bits[at : at + 8]) for at in range(0, len(bits) - 7, 8)]
    extra, lengths = _M[version]
    data = _apart(words[: sum(lengths)], lengths)
    checks = _apart(words[sum(lengths) :], [extra] * len(lengths))
    for block, check in zip(data, checks, strict=True):
        assert not any(_syndromes([*block, *check], extra)), "a codeword is wrong"
    return _text(list(chain(*data)), 16 if version > 9 else 8)


def require_patterns(modules: Modules, version: int) -> None:
    """Require finders, timing patterns and, from version 7 on, the version.

    Raises:
        AssertionError: one of them is wrong.
    """
    size = len(modules)
    for top, left in ((0, 0), (0, size - 7), (size - 7, 0)):
        for i in range(7):
            for j in range(7):
                ring = max(abs(i - 3), abs(j - 3))
                assert modules[top + i][left + j] == (ring != 2), "a finder is wrong"
    for at in range(8, size - 8):
        assert modules[6][at] == modules[at][6] == (at % 2 == 0), "the timing is wrong"
    if version >= 7:
        read = _number([modules[size - 9 - k % 3][5 - k // 3] for k in range(18)])
        assert read >> 12 == version, "the version is wrong"


def _format(modules: Modules) -> tuple[int, int]:
    """Level and mask, which the code says twice."""
    size = len(modules)
    first = [(8, j) for j in (0, 1, 2, 3, 4, 5, 7, 8)] + [(i, 8) for i in (7, 5, 4, 3, 2, 1, 0)]
    second = [(size - 1 - k, 8) for k in range(7)] + [(8, size - 8 + k) for k in range(8)]
    read = {_number([modules[i][j] for i, j in places]) ^ 0x5412 for places in (first, second)}
    assert len(read) == 1, "two formats"
    data = read.pop() >> 10
    return data >> 3, data & 7


def _is_function(i: int, j: int, version: int) -> bool:
    size = 17 + 4 * version
    corner = (i < 9 and (j < 9 or j >= size - 8)) or (i >= size - 8 and j < 9)
    has_version = version >= 7 and ((i < 6 and j >= size - 11) or (j < 6 and i >= size - 11))
    return corner or has_version or 6 in (i, j) or _is_aligned(i, j, version)


def _is_aligned(i: int, j: int, version: int) -> bool:
    if version == 1:
        return False
    last = 10 + 4 * version
    middles = (6, last) if version < 7 else (6, (6 + last) // 2, last)
    return any(
        max(abs(i - a), abs(j - b)) <= 2
        for a in middles
        for b in middles
        if (a, b) not in {(6, 6), (6, last), (last, 6)}
    )


def _path(size: int) -> Iterator[tuple[int, int]]:
    columns = [*range(size - 1, 6, -2), 5, 3, 1]
    for turn, j in enumerate(columns):
        for i in range(size - 1, -1, -1) if turn % 2 == 0 else range(size):
            yield i, j
            yield i, j - 1


def _apart(words: Sequence[int], lengths: Sequence[int]) -> list[list[int]]:
    """The blocks of which codewords were taken in turns."""
    order = zip_longest(*([(n, k) for k in range(length)] for n, length in enumerate(lengths)))
    blocks: list[list[int]] = [[] for _ in lengths]
    places = [place[0] for turn in order for place in turn if place is not None]
    for number, word in zip(places, words, strict=True):
        blocks[number].append(word)
    return blocks


def _syndromes(block: Sequence[int], extra: int) -> list[int]:
    """What is left of a block at each root of the generator: nothing, if no codeword is wrong."""
    powers = [1]
    while len(powers) < 255:
        doubled = powers[-1] << 1
        powers.append(doubled ^ 0x11D if doubled > 255 else doubled)
    logarithm = {value: power for power, value in enumerate(powers)}
    found = []
    for root in range(extra):
        rest = 0
        for word in block:
            rest = (powers[(logarithm[rest] + root) % 255] if rest else 0) ^ word
        found.append(rest)
    return found


def _text(words: Sequence[int], wide: int) -> str:
    bits = "".join(f"{word:08b}" for word in words)
    assert bits[:4] == "0100", "not bytes"
    length, rest = int(bits[4 : 4 + wide], 2), bits[4 + wide :]
    return bytes(int(rest[8 * n : 8 * n + 8], 2) for n in range(length)).decode()


def _number(bits: Sequence[bool]) -> int:
    return int("".join("1" if bit else "0" for bit in bits), 2)
