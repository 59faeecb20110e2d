"""How a call fails. The names are those of the TypeScript client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx


class PlacefleetError(Exception):
    """A failed call. Its subclasses say how it failed."""

    status: int
    """The HTTP status; 0 without a response."""
    code: str
    """An identifier for programs, e.g. `insufficient_credits`."""
    message: str
    details: list[dict[str, Any]]
    """The wrong fields of an invalid request."""
    request_id: str | None
    """The id of the request. Quote it when you ask for help."""
    retry_after: int | None
    """How long to wait before the next attempt, in seconds, as requested by the API."""

    def __init__(self, status: int, body: Mapping[str, Any], retry_after: int | None = None) -> None:
        self.status = status
        self.code = body.get("error", f"http_{status}")
        self.message = body.get("message", f"The server answered with HTTP status {status}.")
        self.details = body.get("details", [])
        self.request_id = body.get("request_id")
        self.retry_after = retry_after
        super().__init__(self.message)

    def __reduce__(self) -> tuple[Any, ...]:
        body = {"error": self.code, "message": self.message, "details": self.details}
        if self.request_id is not None:
            body["request_id"] = self.request_id
        return type(self), (self.status, body, self.retry_after)


class ConfigurationError(PlacefleetError):
    """The client has no address or no key."""


class APIConnectionError(PlacefleetError):
    """There was no answer. `__cause__` says why."""


class APITimeoutError(APIConnectionError):
    """There was no answer in time."""


class InvalidResponseError(PlacefleetError):
    """The answer does not come from Placefleet, e.g. because a proxy answered with a page of its own."""


class InvalidRequestError(PlacefleetError):
    """A field of the request is wrong (400, 413, 415, 422). `details` names the fields."""


class AuthenticationError(PlacefleetError):
    """The API key is missing, unknown or revoked (401)."""


class JobFailedError(PlacefleetError):
    """The job failed, so it has no results (402 with the code `job_failed`). Its `failure_reason` says why."""


class InsufficientCreditsError(PlacefleetError):
    """The account has not enough credits, or the key has reached its limit (402)."""


class PermissionDeniedError(PlacefleetError):
    """The key may not do this (403)."""


class NotFoundError(PlacefleetError):
    """It does not exist, or it is not yours (404)."""


class ConflictError(PlacefleetError):
    """The present state does not allow this, e.g. the job has ended (409)."""


class RateLimitError(PlacefleetError):
    """Too many requests or active jobs (429). `retry_after` says how long to wait."""


class ServerError(PlacefleetError):
    """The service failed, or it is not available (5xx)."""


_BY_STATUS: dict[int, type[PlacefleetError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    402: InsufficientCreditsError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    422: InvalidRequestError,
    429: RateLimitError,
}


_BY_CODE: dict[str, type[PlacefleetError]] = {"job_failed": JobFailedError}
"""Errors that a status does not tell apart."""


def error_of(response: httpx.Response) -> PlacefleetError:
    """Returns the error that a response stands for. Its body must have been read."""
    status = response.status_code
    try:
        answer = response.json()
    except ValueError:  # a page of a proxy
        answer = None
    body = answer if isinstance(answer, dict) else {}
    by_status = _BY_STATUS.get(status, ServerError if status >= 500 else PlacefleetError)
    kind = _BY_CODE.get(body.get("error", ""), by_status)
    return kind(status, body, retry_after_of(response))


def connection_error_of(cause: httpx.TransportError) -> APIConnectionError:
    """Returns the error for a request that was not answered."""
    if isinstance(cause, httpx.TimeoutException):
        message = "Placefleet did not answer in time. Try again, or pass a higher timeout."
        return APITimeoutError(0, {"error": "timeout", "message": message})
    reason = str(cause) or type(cause).__name__
    message = f"Placefleet does not answer: {reason}. Check the address of the service."
    return APIConnectionError(0, {"error": "no_connection", "message": message})


def json_of(response: httpx.Response) -> Any:
    """Returns the JSON of a successful response; None when it has no body."""
    if not response.content:
        return None
    try:
        return response.json()
    except ValueError as cause:
        message = "The answer is not JSON, so it does not come from Placefleet. Check the address of the service."
        body = {"error": "invalid_response", "message": message}
        raise InvalidResponseError(response.status_code, body) from cause


def retry_after_of(response: httpx.Response) -> int | None:
    """Returns the seconds of the header `Retry-After`."""
    seconds = response.headers.get("retry-after", "")
    return int(seconds) if seconds.isdecimal() else None
