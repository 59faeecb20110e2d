"""Which failures are temporary, and how long to wait before the next attempt."""

from __future__ import annotations

import random
from dataclasses import dataclass

import httpx

from .errors import retry_after_of


@dataclass(frozen=True)
class Retry:
    """How failed requests are repeated."""

    attempts: int = 6
    """The most attempts of a request. 1 means no retry."""
    longest_wait: float = 30
    """The longest `Retry-After` to wait for, in seconds. With a longer one, the error is raised at once."""


_TEMPORARY = (409, 429, 502, 503, 504)
_IDEMPOTENT = ("GET", "HEAD", "PUT", "DELETE")
_BASE_SECONDS = 0.5
_LONGEST_BACKOFF_SECONDS = 30.0


def seconds_before_next(
    retry: Retry, request: httpx.Request, response: httpx.Response | None, failures: int
) -> float | None:
    """Returns the delay before the next attempt; None when there must be none.

    429 is always repeated, because the request had no effect; lost connections, 502, 503 and 504 only for idempotent
    requests; 409 only when the server reports that the first attempt still runs.
    """
    if failures >= retry.attempts:
        return None
    wait = backoff(failures)
    if response is None:
        return wait if _is_idempotent(request) else None
    status, seconds = response.status_code, retry_after_of(response)
    if status not in _TEMPORARY or (status == 409 and seconds is None):
        return None
    if status >= 500 and not _is_idempotent(request):
        return None
    wait = max(seconds or 0, wait)
    return wait if wait <= retry.longest_wait else None


def _is_idempotent(request: httpx.Request) -> bool:
    return request.method in _IDEMPOTENT or "idempotency-key" in request.headers


def backoff(failures: int) -> float:
    """Returns the delay after this many failures in a row, in seconds.

    It has jitter, so that clients do not retry at the same time.
    """
    longest = min(_BASE_SECONDS * 2 ** (failures - 1), _LONGEST_BACKOFF_SECONDS)
    return longest * random.uniform(0.75, 1.25)
