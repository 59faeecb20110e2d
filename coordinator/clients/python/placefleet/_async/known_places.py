"""The places that you have already: jobs with `only_new` leave them out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Unpack

from ..types import KnownPlace, ListKnownPlacesQuery, UploadedPlaces
from .connection import AsyncConnection, path
from .lists import items_behind


class AsyncKnownPlaces:
    """The places that you have already: jobs with `only_new` leave them out."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    def list(self, **query: Unpack[ListKnownPlacesQuery]) -> AsyncIterator[KnownPlace]:
        """Yields your known places in the order of their keys."""
        first = {"limit": 1_000, **query}
        return items_behind(
            self._connection,
            path("known-places"),
            "known_places",
            first,
            lambda place: {"after": place["place_key"]},
        )

    async def upload(self, file: str | bytes) -> UploadedPlaces:
        """Adds the places of a CSV or XLSX file: an export of Placefleet or of another tool, or one id in each row."""
        headers = {"content-type": "text/csv"}
        return await self._connection.json("POST", path("known-places"), content=file, headers=headers)

    async def forget(self) -> None:
        """Forgets all of them."""
        await self._connection.json("DELETE", path("known-places"))
