"""The client of one service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

import httpx

from ..retry import Retry
from ..settings import api_key_of, url_of
from .connection import AsyncConnection
from .credits import AsyncCredits
from .jobs import AsyncJobs
from .keys import AsyncKeys
from .known_places import AsyncKnownPlaces
from .monitors import AsyncMonitors
from .towns import AsyncTowns
from .webhooks import AsyncWebhooks

DEFAULT_RETRY = Retry()


class AsyncPlacefleet:
    """A client of one Placefleet service. It sends nothing before the first call.

    `url` and `api_key` come from `PLACEFLEET_URL` and `PLACEFLEET_API_KEY` unless you pass them. `timeout` is the
    longest silence within one attempt, in seconds. `http_client` is yours, for example with proxies; you close it.

    Raises ConfigurationError when there is no address or no key.
    """

    jobs: AsyncJobs
    monitors: AsyncMonitors
    webhooks: AsyncWebhooks
    keys: AsyncKeys
    credits: AsyncCredits
    known_places: AsyncKnownPlaces
    towns: AsyncTowns

    def __init__(
        self,
        *,
        url: str | None = None,
        api_key: str | None = None,
        timeout: float = 60,
        retry: Retry = DEFAULT_RETRY,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        address, key = url_of(url), api_key_of(api_key)
        self._is_own = http_client is None
        http = http_client or httpx.AsyncClient()
        self._use(AsyncConnection(http=http, url=address, api_key=key, timeout=timeout, retry=retry))

    def _use(self, connection: AsyncConnection) -> None:
        self._connection = connection
        self.url = connection.url
        self.jobs = AsyncJobs(connection)
        self.monitors = AsyncMonitors(connection)
        self.webhooks = AsyncWebhooks(connection)
        self.keys = AsyncKeys(connection)
        self.credits = AsyncCredits(connection)
        self.known_places = AsyncKnownPlaces(connection)
        self.towns = AsyncTowns(connection)

    def with_options(self, *, timeout: float | None = None, retry: Retry | None = None) -> Self:
        """Returns a client over the same connections with another time limit, or with other retries."""
        old = self._connection
        client = object.__new__(type(self))
        client._is_own = False
        longest = old.timeout if timeout is None else timeout
        client._use(replace(old, timeout=longest, retry=old.retry if retry is None else retry))
        return client

    async def request(self, method: str, path: str, *, query: Mapping[str, Any] | None = None, json: Any = None) -> Any:
        """Makes any call of the API, e.g. `request("GET", "/api/v1/version")`, and returns its JSON."""
        return await self._connection.json(method, path, query=query, json=json)

    async def close(self) -> None:
        """Closes the connections."""
        if self._is_own:
            await self._connection.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
