# Made from ../_async by `npm run generate`; do not edit.
"""The client of one service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

import httpx

from ..retry import Retry
from ..settings import api_key_of, url_of
from .connection import Connection
from .credits import Credits
from .jobs import Jobs
from .keys import Keys
from .known_places import KnownPlaces
from .monitors import Monitors
from .towns import Towns
from .webhooks import Webhooks

DEFAULT_RETRY = Retry()


class Placefleet:
    """A client of one Placefleet service. It sends nothing before the first call.

    `url` and `api_key` come from `PLACEFLEET_URL` and `PLACEFLEET_API_KEY` unless you pass them. `timeout` is the
    longest silence within one attempt, in seconds. `http_client` is yours, for example with proxies; you close it.

    Raises ConfigurationError when there is no address or no key.
    """

    jobs: Jobs
    monitors: Monitors
    webhooks: Webhooks
    keys: Keys
    credits: Credits
    known_places: KnownPlaces
    towns: Towns

    def __init__(
        self,
        *,
        url: str | None = None,
        api_key: str | None = None,
        timeout: float = 60,
        retry: Retry = DEFAULT_RETRY,
        http_client: httpx.Client | None = None,
    ) -> None:
        address, key = url_of(url), api_key_of(api_key)
        self._is_own = http_client is None
        http = http_client or httpx.Client()
        self._use(Connection(http=http, url=address, api_key=key, timeout=timeout, retry=retry))

    def _use(self, connection: Connection) -> None:
        self._connection = connection
        self.url = connection.url
        self.jobs = Jobs(connection)
        self.monitors = Monitors(connection)
        self.webhooks = Webhooks(connection)
        self.keys = Keys(connection)
        self.credits = Credits(connection)
        self.known_places = KnownPlaces(connection)
        self.towns = Towns(connection)

    def with_options(self, *, timeout: float | None = None, retry: Retry | None = None) -> Self:
        """Returns a client over the same connections with another time limit, or with other retries."""
        old = self._connection
        client = object.__new__(type(self))
        client._is_own = False
        longest = old.timeout if timeout is None else timeout
        client._use(replace(old, timeout=longest, retry=old.retry if retry is None else retry))
        return client

    def request(self, method: str, path: str, *, query: Mapping[str, Any] | None = None, json: Any = None) -> Any:
        """Makes any call of the API, e.g. `request("GET", "/api/v1/version")`, and returns its JSON."""
        return self._connection.json(method, path, query=query, json=json)

    def close(self) -> None:
        """Closes the connections."""
        if self._is_own:
            self._connection.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
