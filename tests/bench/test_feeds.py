"""What the counter of feeds' bytes counts."""

from __future__ import annotations

from bench.feeds import kind_of, length_of


def test_an_answer_is_measured_whole_and_not_before_it_is_there() -> None:
    answers = (
        b"+OK\r\n",
        b":12\r\n",
        b"$-1\r\n",
        b"$5\r\n1\r\n23\r\n",
        b"*-1\r\n",
        b"*2\r\n$1\r\na\r\n*1\r\n_\r\n",
        b"%1\r\n+a\r\n*0\r\n",
    )
    for answer in answers:
        assert length_of(answer + b"+more\r\n") == len(answer)
        assert length_of(b"+OK\r\n" + answer, 5) == 5 + len(answer)
        assert [length_of(answer[:cut]) for cut in range(len(answer))] == [None] * len(answer)


def test_reads_of_feeds_are_told_from_others() -> None:
    read = [b"XRANGE", b"{s01}:log", b"8-0", b"+", b"COUNT", b"512"]
    assert kind_of(read) == "feed"
    assert kind_of([b"XRANGE", b"{s01}:alog", *read[2:]]) == "feed"
    assert kind_of([b"HGET", b"{s01}:m", b"aseq"]) == "feed"
    assert kind_of([b"XRANGE", b"{s01}:log", b"8-0", b"8-0"]) == "watch"
    assert kind_of([b"XRANGE", b"{s01}:g:g01-a:e", *read[2:]]) == ""
    assert kind_of([b"HGET", b"{s01}:m", b"beat"]) == ""
