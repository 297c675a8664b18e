"""What keeps a run from going wrong; a control turns one of them off (pure)."""

from __future__ import annotations

from msgspec import Struct


class Guards(Struct, frozen=True, kw_only=True):
    """Everything is on unless a control says otherwise.

    Args:
        remembers_commands: the script looks for the command's record before anything else.
        compares_versions: it compares version and head with those that the writer expects.
        compares_heads: it compares the head too, and not only the version.
        compares_stores: it refuses a writer that has seen more of the shard than there is.
        compares_links: it refuses a writer that has seen another entry at the same number.
        writes_whole_batches: what a crash leaves of an append is all of it or nothing.
        syncs_before_answers: an answer leaves after its write is on the disk.
        waits_for_replicas: who is told ``replicated`` was waited for.
        hides_unreplicated: readers are shown only what a replica has.
        measures_clocks: a process whose clock is wrong does not write.
        watches_the_store: processes look whether the store has all that they have seen of it.
    """

    remembers_commands: bool = True
    compares_versions: bool = True
    compares_heads: bool = True
    compares_stores: bool = True
    compares_links: bool = True
    writes_whole_batches: bool = True
    syncs_before_answers: bool = True
    waits_for_replicas: bool = True
    hides_unreplicated: bool = True
    measures_clocks: bool = True
    watches_the_store: bool = True
