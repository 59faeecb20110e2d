"""Lists that are read page after page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

from .connection import AsyncConnection, Query

Item = Any


async def items_behind(
    connection: AsyncConnection, path: str, field: str, query: Query, cursor_of: Callable[[Item], Query]
) -> AsyncIterator[Item]:
    """Yields the items of a list with a cursor, which each request takes from the last item before."""
    while True:
        page = await connection.json("GET", path, query=query)
        for item in page[field]:
            yield item
        if not page["has_more"] or not page[field]:
            return
        query = {**query, **cursor_of(page[field][-1])}


async def items_of_pages(connection: AsyncConnection, path: str, field: str, query: Query) -> AsyncIterator[Item]:
    """Yields the items of all pages of a list whose newest items come first.

    Items that are added meanwhile move others to the next page; they are yielded once.
    """
    known: set[Any] = set()
    number = 0
    while True:
        number += 1
        page = await connection.json("GET", path, query={"limit": 100, **query, "page": number})
        for item in page[field]:
            if item["id"] not in known:
                known.add(item["id"])
                yield item
        if not page["has_more"]:
            return
