"""The supervisor's own marks of its store: what ``StoreWatch`` does, without an event loop."""

from __future__ import annotations

from typing import Final

import redis

from events.identity import ForeignStoreError
from events.known import Known, Marks, judge
from events.logger import get_logger
from events.scripts import LogUnavailable
from events.stand import read_stand_now
from runtime.mark_files import MarkFile, MarksError, read_marks
from runtime.settings import Settings

_TIMEOUT_S: Final = 0.5
_log = get_logger(__name__)


class Witness:
    """Checks the store once a second, and keeps marks of what it sees.

    It neither names a store nor adopts an unknown one: that is the clock's task.

    Args:
        settings: of all parts.

    Raises:
        MarksError: no marks can be kept.
    """

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.marks_folder
        self._file = None if self._folder is None else MarkFile(self._folder, "supervisor")
        self._client = redis.Redis.from_url(settings.store_url, socket_timeout=_TIMEOUT_S)
        self._layout = settings.layout()
        self._known = Known()
        self._written: Marks | None = None
        self._told = ""

    def look(self) -> None:
        """Check once. A store other than the known one is logged; the parts do not write to it."""
        if self._folder is None or self._file is None:
            return
        try:
            marks = self._known.marks() or read_marks(self._folder)
            if marks is None:
                return
            stand = read_stand_now(self._client, self._layout, marks)
            self._tell(judge(marks, stand))
            if self._told or stand.identity is None:
                return
            ends = {shard: end.mark for shard, end in stand.ends.items()}
            self._known.learn(Marks(stand.identity.store, stand.identity.epoch, ends))
            found = self._known.marks()
            if found is not None and found != self._written:
                self._file.write(found)
                self._written = found
        except LogUnavailable as error:
            _log.debug("store_not_seen", reason=str(error))
        except (MarksError, ForeignStoreError) as error:
            if str(error) != self._told:
                self._told = str(error)
                _log.error("marks_not_kept", reason=str(error))

    def close(self) -> None:
        """Release the file to the next supervisor."""
        self._client.close()
        if self._file is not None:
            self._file.close()

    def _tell(self, trouble: str) -> None:
        if trouble and trouble != self._told:
            _log.error("store_behind", reason=trouble)
        self._told = trouble
