"""What clients of the store may raise."""

from __future__ import annotations

import pytest
from redis.asyncio.connection import Connection

from events.clients import NO_ANSWER


async def test_a_connection_that_is_closed_while_one_sends_is_no_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As when another task finds out that the node has left the cluster."""
    connection = Connection(socket_timeout=1)
    monkeypatch.setattr(Connection, "is_connected", True)  # it was when this one looked
    with pytest.raises(AttributeError, match="'NoneType' object") as raised:
        await connection.send_command("PING", check_health=False)
    assert isinstance(raised.value, NO_ANSWER)
