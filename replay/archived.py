"""Archived rules at work: cases are read from standard input, verdicts written to standard output.

A rules archive holds this module as it was, with everything that it imports; nothing else of a
release is ever run again. It uses no file, clock, network or store.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import BinaryIO

import msgspec

from events.codec import Codec, CodecError
from events.envelope import Fields, Head, LooseLine, Stored
from events.secrecy import InTheClear, SecretError
from games.contract import Rules as GameRules
from games.rules import RULES
from games.streams import tags_of, types_of
from games.table.checks import HOUSE_BOTS
from games.table.decider import Table
from replay.adjudication import Adjudicator, JudgingRules, Recorded
from replay.cases import Case, Verdict, Wrong, encode_line, read_case

_decode_loose = msgspec.json.Decoder(LooseLine).decode


class WrongRulesError(Exception):
    """The case is about other rules than these."""


class Court:
    """The rules of one build, ready to judge.

    Args:
        games: the rules of the games by id.
    """

    def __init__(self, games: Mapping[str, GameRules] = RULES) -> None:
        self._table = Table(games, HOUSE_BOTS)
        self._registries = {id_: types_of(game) for id_, game in games.items()}
        self._tags = tags_of(games)

    def rules_for(self, game: str, rulebook: str) -> JudgingRules:
        """The rules of a game by a rulebook.

        Raises:
            WrongRulesError: there are none.
        """
        tags = self._tags.get((game, rulebook))
        if tags is None:
            raise WrongRulesError(f"no rules for {game} by {rulebook}")
        return JudgingRules(self._table, self._registries[game], tags)

    def judge(self, case: Case) -> Verdict:
        """The verdict on a case.

        Raises:
            WrongRulesError: it is about other rules than these.
        """
        rules = self.rules_for(case.game, case.rulebook)
        if rules.tags != case.rules:
            raise WrongRulesError(f"these are {rules.tags}, not {case.rules}")
        recorded, end = _read(case, rules)
        adjudicator = Adjudicator(rules, case.stream, recorded, case.salt_key)
        found = adjudicator.verdict(offers=case.offers, tries=case.tries)
        if end is None or found.judgement is not None or found.stuck is not None:
            return found
        wrong, is_ours = end
        changed = {"judgement": wrong} if is_ours else {"stuck": wrong}
        return msgspec.structs.replace(found, **changed)


def main(lines: BinaryIO, verdicts: BinaryIO) -> None:
    """Answer cases, a line each, until there are no more.

    Raises:
        ValueError: a line is no case.
        WrongRulesError: a case is about other rules than these.
    """
    court = Court()
    verdicts.writelines(encode_line(court.judge(read_case(line))) + b"\n" for line in lines)


def _read(case: Case, rules: JudgingRules) -> tuple[list[Recorded], tuple[Wrong, bool] | None]:
    """The events up to the last batch that these rules judged, as far as they can be read.

    An unreadable event is reported with whether these very rules are said to have made it.
    """
    codec = Codec(rules.registry, InTheClear(case.salt_key))
    recorded: list[Recorded] = []
    stored = case.stored()
    heads = [_head(each) for each in stored]
    ours = [i for i, head in enumerate(heads) if head is not None and head.rules == case.rules]
    last = ours[-1] if ours else -1
    begins = 0
    for i, each in enumerate(stored):
        if heads[i] is not None:
            if i > last:
                break
            begins = i
        try:
            recorded.append(Recorded(codec.decode(case.stream, each), each.public))
        except (CodecError, SecretError, ValueError) as error:
            # A batch is judged as a whole: what could be read of this one is left out.
            why = f"these rules cannot read it: {error}"
            return recorded[:begins], (Wrong(each.version, why), begins in ours)
    return recorded, None


def _head(stored: Stored) -> Head[Fields] | None:
    """The head of the batch that an entry begins, if it does and can be read."""
    try:
        return _decode_loose(stored.public).batch
    except (ValueError, RecursionError):
        return None


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
