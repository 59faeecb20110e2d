# Made from ../_async by `npm run generate`; do not edit.
"""The places that you have already: jobs with `only_new` leave them out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Unpack

from ..types import KnownPlace, ListKnownPlacesQuery, UploadedPlaces
from .connection import Connection, path
from .lists import items_behind


class KnownPlaces:
    """The places that you have already: jobs with `only_new` leave them out."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(self, **query: Unpack[ListKnownPlacesQuery]) -> Iterator[KnownPlace]:
        """Yields your known places in the order of their keys."""
        first = {"limit": 1_000, **query}
        return items_behind(
            self._connection,
            path("known-places"),
            "known_places",
            first,
            lambda place: {"after": place["place_key"]},
        )

    def upload(self, file: str | bytes) -> UploadedPlaces:
        """Adds the places of a CSV or XLSX file: an export of Placefleet or of another tool, or one id in each row."""
        headers = {"content-type": "text/csv"}
        return self._connection.json("POST", path("known-places"), content=file, headers=headers)

    def forget(self) -> None:
        """Forgets all of them."""
        self._connection.json("DELETE", path("known-places"))
