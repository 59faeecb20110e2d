"""Jobs and their places."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from time import monotonic
from typing import Any, TypeAlias, Unpack
from uuid import uuid4

from anyio import sleep

from ..deadline import Deadline
from ..errors import InvalidRequestError
from ..idempotency import key_header
from ..job_parts import job_parts
from ..types import (
    CostReport,
    CoverageCells,
    CoverageCertificate,
    CreatedJob,
    CreateJobRequest,
    CreateJobRequestChanges,
    DownloadJobResultsQuery,
    DownloadLink,
    DownloadLinkRequest,
    DownloadResultsQuery,
    EstimateAnswer,
    EstimateRequest,
    Job,
    JobDeliveries,
    JobTask,
    ListJobResultsQuery,
    ListJobsQuery,
    ListJobTasksQuery,
    NamedPlace,
    StreamJobEvent,
    StreamJobEventProgress,
)
from ..types import Result as Place
from .connection import AsyncConnection, path
from .follow import follow_job
from .lists import items_behind, items_of_pages

LONGEST_WAIT_SECONDS = 60
"""How long one request waits for a change of the job."""

SHORTEST_WAIT_SECONDS = 1
"""A coordinator that stops answers at once. So that the next requests do not come in a rush, each takes so long."""

Finished: TypeAlias = tuple[Job, list[Place]]
"""A job that has ended, with its places."""

InputList: TypeAlias = list[NamedPlace]

_ENDED = ("completed", "failed", "cancelled")


class AsyncJobs:
    """Jobs and their places."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def create(self, *, idempotency_key: str | None = None, **job: Unpack[CreateJobRequest]) -> CreatedJob:
        """Creates a job. A lost response creates no second one."""
        headers = key_header(idempotency_key)
        return await self._connection.json("POST", path("jobs"), json=job, headers=headers)

    async def create_in_parts(
        self, *, idempotency_key: str | None = None, **job: Unpack[CreateJobRequest]
    ) -> AsyncIterator[CreatedJob]:
        """Creates the jobs for any number of `places`, as `job_parts` divides them, and yields each.

        An error ends it: what was created before stays, and the same call with the same key goes on behind it.
        """
        key = idempotency_key or str(uuid4())
        for index, part in enumerate(job_parts(job)):
            yield await self.create(idempotency_key=f"{key}/{index}", **part)

    async def again(
        self, id: str, *, idempotency_key: str | None = None, **changes: Unpack[CreateJobRequestChanges]
    ) -> CreatedJob:
        """Creates a job with the settings of another one, and with `changes`.

        Raises InvalidRequestError when that job had proxies and `changes` has none.
        """
        job = await self.get(id)
        settings: dict[str, Any] = {"name": job["name"], **job["data"]}
        if settings.pop("proxy_count") > 0 and "proxies" not in changes:
            message = "The proxies of a job are never shown. Pass them again as `proxies`, or an empty list."
            raise InvalidRequestError(0, {"error": "proxies_missing", "message": message})
        headers = key_header(idempotency_key)
        return await self._connection.json("POST", path("jobs"), json={**settings, **changes}, headers=headers)

    async def estimate(self, **job: Unpack[EstimateRequest]) -> EstimateAnswer:
        """Says what a job would cost, and whether your credits suffice. Creates nothing."""
        return await self._connection.json("POST", path("jobs", "estimates"), json=job)

    async def get(self, id: str, *, wait: int | None = None) -> Job:
        """Returns a job; with `wait` after a change of its status, or after so many seconds, at most 60."""
        query = None if wait is None else {"wait": wait}
        return await self._connection.json("GET", path("jobs", id), query=query, wait=wait or 0)

    async def cancel(self, id: str) -> None:
        """Cancels a job. Its stored places stay and are billed."""
        await self._connection.json("POST", path("jobs", id, "cancel"))

    async def delete(self, id: str) -> None:
        """Deletes a job and its places."""
        await self._connection.json("DELETE", path("jobs", id))

    async def wait(self, id: str, *, timeout: float | None = None) -> Job:
        """Waits until a job has ended, and returns it. Raises APITimeoutError after `timeout` seconds."""
        deadline = Deadline(timeout)
        while True:
            deadline.check()
            started_at = monotonic()
            job = await self.get(id, wait=round(deadline.at_most(LONGEST_WAIT_SECONDS)))
            if job["status"] in _ENDED:
                return job
            pause = max(0, SHORTEST_WAIT_SECONDS - (monotonic() - started_at))
            await sleep(deadline.at_most(pause))

    def events(self, id: str, *, after: int = 0, timeout: float | None = None) -> AsyncIterator[StreamJobEvent]:
        """Yields every event of a job until its end, without gaps, over any number of connections.

        `after` is the position of the last place that you received. After `timeout` seconds it raises APITimeoutError,
        with the next sign of life of the service, which comes every 15 seconds. The job continues.
        """
        return follow_job(self._connection, id, after, Deadline(timeout))

    async def follow(self, id: str, *, after: int = 0, timeout: float | None = None) -> AsyncIterator[Place]:
        """Yields the places of a job while they are stored, until it ends: each once and in order."""
        async for event in self.events(id, after=after, timeout=timeout):
            if event["type"] == "place":
                yield event["place"]

    async def run(
        self,
        *,
        on_progress: Callable[[StreamJobEventProgress], object] | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
        **job: Unpack[CreateJobRequest],
    ) -> Finished:
        """Creates a job and follows it to its end. Returns failed jobs too: check the `status`."""
        created = await self.create(idempotency_key=idempotency_key, **job)
        places = []
        async for event in self.events(created["id"], timeout=timeout):
            if event["type"] == "place":
                places.append(event["place"])
            elif event["type"] == "progress" and on_progress is not None:
                on_progress(event)
        return await self.get(created["id"]), places

    def list(self, **query: Unpack[ListJobsQuery]) -> AsyncIterator[Job]:
        """Yields all jobs in the order of creation, newest first unless `order` is `asc`.

        Jobs that come or go meanwhile disturb nothing. `limit` is the size of a page.
        """
        first = {"limit": 100, **query}
        return items_behind(self._connection, path("jobs"), "jobs", first, lambda job: {"after": job["id"]})

    def list_by(self, **query: Unpack[ListJobsQuery]) -> AsyncIterator[Job]:
        """Yields all jobs in any order (`sort`).

        A job that changes its place in the order meanwhile is yielded once or not at all.
        """
        return items_of_pages(self._connection, path("jobs"), "jobs", {**query})

    def places(self, id: str, **query: Unpack[ListJobResultsQuery]) -> AsyncIterator[Place]:
        """Yields the places that a job has stored so far."""
        return items_of_pages(self._connection, path("jobs", id, "results"), "results", {**query})

    def tasks(self, id: str, **query: Unpack[ListJobTasksQuery]) -> AsyncIterator[JobTask]:
        """Yields the tasks of a job with their attempts, searches first. They are kept for a week after their end."""
        first = {"limit": 100, **query}
        tasks = path("jobs", id, "tasks")
        return items_behind(self._connection, tasks, "tasks", first, lambda task: {"after": task["id"]})

    def download(self, id: str, **query: Unpack[DownloadJobResultsQuery]) -> AsyncIterator[bytes]:
        """Yields the bytes of the file of an ended job."""
        return self._connection.download(path("jobs", id, "download"), {**query})

    def download_all(self, **query: Unpack[DownloadResultsQuery]) -> AsyncIterator[bytes]:
        """Yields the bytes of one file of all ended jobs, of a monitor, or of the jobs that a search finds."""
        return self._connection.download(path("results", "download"), {**query})

    async def download_link(self, id: str, **file: Unpack[DownloadLinkRequest]) -> DownloadLink:
        """Makes a link that downloads the file of an ended job for ten minutes, without an API key."""
        return await self._connection.json("POST", path("jobs", id, "download-link"), json=file)

    async def costs(self, id: str) -> CostReport:
        """Returns the cost of a job by item."""
        return await self._connection.json("GET", path("jobs", id, "costs"))

    async def costs_of(self, job_ids: Sequence[str]) -> dict[str, CostReport]:
        """Returns the costs of several jobs by their ids."""
        body = {"job_ids": job_ids}
        answer = await self._connection.json("POST", path("jobs", "costs", "batch"), json=body)
        return answer["costs"]

    async def deliveries(self, id: str) -> JobDeliveries:
        """Returns what was sent to your webhooks about a job."""
        return await self._connection.json("GET", path("jobs", id, "deliveries"))

    async def inputs(self, id: str) -> InputList:
        """Returns what became of each of the places that a job names, in their order."""
        query = {"limit": 1_000}  # a job names no more
        answer = await self._connection.json("GET", path("jobs", id, "inputs"), query=query)
        return answer["inputs"]

    async def coverage(self, id: str) -> CoverageCertificate:
        """Returns how completely a job searched its area."""
        return await self._connection.json("GET", path("jobs", id, "coverage"))

    async def coverage_cells(self, id: str) -> CoverageCells:
        """Returns the parts of the area that a job searched, as GeoJSON."""
        query = {"format": "geojson"}
        return await self._connection.json("GET", path("jobs", id, "coverage"), query=query)
