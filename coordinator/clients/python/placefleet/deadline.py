"""The longest time of a wait for a job."""

from __future__ import annotations

from time import monotonic

from .errors import APITimeoutError


class Deadline:
    """The end of a wait of `timeout` seconds; without them there is none."""

    def __init__(self, timeout: float | None) -> None:
        self._timeout = timeout
        self._end = None if timeout is None else monotonic() + timeout

    def check(self) -> None:
        """Raises APITimeoutError once the time is over."""
        if self._end is not None and monotonic() >= self._end:
            message = f"The job did not end within {self._timeout:g} seconds. It continues."
            raise APITimeoutError(0, {"error": "timeout", "message": message})

    def at_most(self, seconds: float) -> float:
        """Returns `seconds`, or the time left when that is less."""
        return seconds if self._end is None else max(0.0, min(seconds, self._end - monotonic()))
