"""The towns that the service knows, with their coordinates."""

from __future__ import annotations

from typing import Any

from ..types import Town
from .connection import AsyncConnection, path


class AsyncTowns:
    """The towns that the service knows, with their coordinates."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def search(self, search: str, *, limit: int | None = None) -> list[Town]:
        """Returns the towns whose name begins with a text, the largest first."""
        query: dict[str, Any] = {"search": search}
        if limit is not None:
            query["limit"] = limit
        return (await self._connection.json("GET", path("towns"), query=query))["towns"]
