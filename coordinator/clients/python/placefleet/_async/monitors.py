"""Jobs that are created again and again, and what changes between them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, TypeAlias, Unpack
from uuid import uuid4

from ..idempotency import key_header
from ..job_parts import job_parts, name_of_part
from ..types import (
    Change,
    ChangeMonitorRequest,
    CreateMonitorRequest,
    DownloadMonitorChangesQuery,
    ListMonitorRunsQuery,
    Monitor,
    MonitorRun,
)
from .connection import AsyncConnection, path
from .lists import items_behind

MonitorList: TypeAlias = list[Monitor]
RunList: TypeAlias = list[MonitorRun]


class AsyncMonitors:
    """Jobs that are created again and again, and what changes between them."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def list(self) -> MonitorList:
        """Returns your monitors, oldest first."""
        return (await self._connection.json("GET", path("monitors")))["monitors"]

    async def create(self, *, idempotency_key: str | None = None, **monitor: Unpack[CreateMonitorRequest]) -> Monitor:
        """Creates a monitor."""
        headers = key_header(idempotency_key)
        return await self._connection.json("POST", path("monitors"), json=monitor, headers=headers)

    async def create_in_parts(
        self, *, idempotency_key: str | None = None, **monitor: Unpack[CreateMonitorRequest]
    ) -> AsyncIterator[Monitor]:
        """Creates the monitors for any number of `places` of a job, as `job_parts` divides them, and yields each.

        An error ends it: what was created before stays, and the same call with the same key goes on behind it.
        """
        key = idempotency_key or str(uuid4())
        parts = job_parts(monitor["job"])
        for index, job in enumerate(parts):
            name = name_of_part(monitor["name"], index, len(parts))
            part: CreateMonitorRequest = {**monitor, "name": name, "job": job}
            yield await self.create(idempotency_key=f"{key}/{index}", **part)

    async def get(self, id: str) -> Monitor:
        """Returns a monitor."""
        return await self._connection.json("GET", path("monitors", id))

    async def update(self, id: str, **fields: Unpack[ChangeMonitorRequest]) -> Monitor:
        """Changes fields. Absent fields stay unchanged."""
        return await self._connection.json("PATCH", path("monitors", id), json=fields)

    async def pause(self, id: str) -> Monitor:
        """Pauses a monitor."""
        return await self.update(id, paused=True)

    async def resume(self, id: str) -> Monitor:
        """Resumes a monitor, without the missed runs."""
        return await self.update(id, paused=False)

    async def delete(self, id: str) -> None:
        """Deletes a monitor with its changes. Its jobs stay."""
        await self._connection.json("DELETE", path("monitors", id))

    async def run(self, id: str, *, idempotency_key: str | None = None) -> str:
        """Runs a monitor now, beside its schedule. Returns the id of the job."""
        headers = key_header(idempotency_key)
        return (await self._connection.json("POST", path("monitors", id, "run"), headers=headers))["job_id"]

    async def runs(self, id: str, **query: Unpack[ListMonitorRunsQuery]) -> RunList:
        """Returns the latest runs, newest first."""
        return (await self._connection.json("GET", path("monitors", id, "runs"), query=query))["runs"]

    def changes(self, id: str, *, after: int = 0, since: str | None = None) -> AsyncIterator[Change]:
        """Yields all changes, oldest first.

        To continue later, keep the `sequence` of the last one and pass it as `after`. `since` is a time, as ISO 8601.
        """
        first: dict[str, Any] = {"limit": 1_000, "after": after}
        if since is not None:
            first["since"] = since
        return self._items(id, first, "after")

    def newest_changes(self, id: str) -> AsyncIterator[Change]:
        """Yields all changes, newest first."""
        return self._items(id, {"limit": 1_000, "order": "desc"}, "before")

    def _items(self, id: str, first: dict[str, Any], cursor: str) -> AsyncIterator[Change]:
        changes = path("monitors", id, "changes")
        return items_behind(self._connection, changes, "changes", first, lambda change: {cursor: change["sequence"]})

    def download_changes(self, id: str, **query: Unpack[DownloadMonitorChangesQuery]) -> AsyncIterator[bytes]:
        """Yields the bytes of a file of the changes."""
        return self._connection.download(path("monitors", id, "changes", "download"), {**query})
