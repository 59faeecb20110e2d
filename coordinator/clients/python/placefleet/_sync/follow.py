# Made from ../_async by `npm run generate`; do not edit.
"""Following a job over any number of connections."""

from __future__ import annotations

import json
from collections.abc import Iterator

from time import sleep

from ..deadline import Deadline
from ..errors import APIConnectionError
from ..retry import backoff
from ..types import StreamJobEvent
from .connection import Connection, path

SILENCE_SECONDS = 45
"""The server sends at least an empty line every 15 seconds. After three missed ones, the connection counts as dead."""

MAX_FAILURES = 8
"""How many connections in a row may end without an event before the client raises."""


def follow_job(
    connection: Connection, id: str, after: int, deadline: Deadline
) -> Iterator[StreamJobEvent]:
    """Yields the events of a job to its end: each place once and in order.

    Raises APIConnectionError when connections keep breaking, and APITimeoutError after the deadline.
    """
    failures = 0
    while failures < MAX_FAILURES:
        if failures > 0:
            sleep(deadline.at_most(backoff(failures)))
        failures += 1
        for event in _events_of(connection, id, after, deadline):
            failures = 1
            if event["type"] == "place":
                after = event["position"]
            yield event
            if event["type"] == "end":
                return
    message = "The stream of the job breaks repeatedly without an event. Try again later."
    raise APIConnectionError(0, {"error": "stream_broken", "message": message})


def _events_of(
    connection: Connection, id: str, after: int, deadline: Deadline
) -> Iterator[StreamJobEvent]:
    """Yields the events of one connection. Stops when the connection ends or breaks."""
    deadline.check()
    silence = max(deadline.at_most(SILENCE_SECONDS), 0.001)
    text = b""
    with connection.stream(path("jobs", id, "stream"), query={"after": after}, read_timeout=silence) as pieces:
        try:
            for piece in pieces:
                deadline.check()
                *lines, text = (text + piece).split(b"\n")  # what is left behind the last one is an incomplete line
                for line in lines:
                    if line:
                        yield json.loads(line)
        except APIConnectionError:
            deadline.check()
