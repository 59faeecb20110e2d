"""How requests are sent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx
from anyio import sleep

from ..errors import connection_error_of, error_of, json_of
from ..retry import Retry, seconds_before_next
from ..version import VERSION

Query = Mapping[str, Any]


def path(*parts: str) -> str:
    """Returns a path of the API."""
    return "/".join(["/api/v1", *(quote(part, safe="") for part in parts)])


@dataclass(frozen=True)
class AsyncConnection:
    """The connection of a client to its service."""

    http: httpx.AsyncClient
    url: str
    api_key: str
    timeout: float
    retry: Retry

    async def json(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        json: Any = None,
        content: str | bytes | None = None,
        headers: Mapping[str, str] | None = None,
        wait: float = 0,
    ) -> Any:
        """Sends a request and returns the JSON of its answer. `wait` is how long the service may keep it waiting."""
        request = self.http.build_request(
            method,
            self.url + path,
            params=query,
            json=json,
            content=content,
            headers=self._headers(headers),
            timeout=self.timeout + wait,
        )
        return json_of(await self._send(request, stream=False))

    @asynccontextmanager
    async def stream(
        self, path: str, *, query: Query | None = None, read_timeout: float | None = None
    ) -> AsyncIterator[AsyncIterator[bytes]]:
        """Opens a file or a stream. `read_timeout` limits the silence between two pieces."""
        timeout = httpx.Timeout(self.timeout, read=self.timeout if read_timeout is None else read_timeout)
        request = self.http.build_request(
            "GET", self.url + path, params=query, headers=self._headers(None), timeout=timeout
        )
        response = await self._send(request, stream=True)
        try:
            yield _pieces(response)
        finally:
            await response.aclose()

    async def download(self, path: str, query: Query) -> AsyncIterator[bytes]:
        """Yields the bytes of a file."""
        async with self.stream(path, query=query) as pieces:
            async for piece in pieces:
                yield piece

    def _headers(self, more: Mapping[str, str] | None) -> dict[str, str]:
        return {
            "authorization": f"Bearer {self.api_key}",
            "user-agent": f"placefleet-python/{VERSION}",
            **(more or {}),
        }

    async def _send(self, request: httpx.Request, *, stream: bool) -> httpx.Response:
        """Sends a request, again after temporary failures, and returns the answer of its success."""
        may_be_done = False
        failures = 0
        while True:
            answer = await self._attempt(request, stream)
            response = answer if isinstance(answer, httpx.Response) else None
            if response is not None and response.is_success:
                return response
            if response is not None and response.status_code == 404 and may_be_done and request.method == "DELETE":
                return httpx.Response(204)  # an earlier attempt has done it, although its answer was lost
            failures += 1
            wait = seconds_before_next(self.retry, request, response, failures)
            if wait is None:
                raise answer if isinstance(answer, Exception) else error_of(answer)
            may_be_done = may_be_done or response is None or response.status_code != 429
            await sleep(wait)

    async def _attempt(self, request: httpx.Request, stream: bool) -> httpx.Response | Exception:
        """Returns the answer, read unless a file begins; or the error when there was none."""
        try:
            response = await self.http.send(request, stream=True)
            if not (stream and response.is_success):
                await response.aread()
            return response
        except httpx.TransportError as cause:
            error = connection_error_of(cause)
            error.__cause__ = cause
            return error


async def _pieces(response: httpx.Response) -> AsyncIterator[bytes]:
    try:
        async for piece in response.aiter_bytes():
            yield piece
    except httpx.TransportError as cause:
        raise connection_error_of(cause) from cause
