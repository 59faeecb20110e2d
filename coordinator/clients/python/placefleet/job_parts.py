"""Divides a job with more places than one request takes."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import cast

from .types import CreateJobRequest

MOST_PLACES = 1_000
"""The most places that one job names."""

MOST_BYTES = 250 * 1_024
"""The service takes 256 KiB in one request. A monitor has more around its job."""

LONGEST_NAME = 200
"""The longest name of a job, in characters."""

MICRO = 1_000_000


def job_parts(job: CreateJobRequest) -> list[CreateJobRequest]:
    """Divides a job with any number of `places` into jobs that the service takes, each text once.

    They share `max_cost` and `max_results` by their numbers of places, and the first one has the keywords. A job that
    fits stays as it is.
    """
    places = job.get("places", [])
    if len(places) <= MOST_PLACES and _bytes_of(job) <= MOST_BYTES:
        return [job]
    distinct = list(dict.fromkeys(places))
    groups = _groups_of(distinct, MOST_BYTES - _bytes_of({**job, "places": []}))
    parts: list[CreateJobRequest] = []
    before = 0
    for index, group in enumerate(groups):
        shares = (before, before + len(group), len(distinct))
        before += len(group)
        part = cast(CreateJobRequest, {**job, "places": group})
        if index > 0:
            part.pop("keywords", None)
            part.pop("exhaust", None)
        if "max_results" in job:
            part["max_results"] = _share_of(job["max_results"], *shares)
            if part["max_results"] == 0:
                continue
        if "max_cost" in job:
            part["max_cost"] = _cost_share(job["max_cost"], *shares)
        parts.append(part)
    for index, part in enumerate(parts):
        part["name"] = name_of_part(job["name"], index, len(parts))
    return parts


def name_of_part(name: str, index: int, parts: int) -> str:
    """Returns the name of a part, e.g. `shops (2 of 5)`."""
    which = "" if parts == 1 else f" ({index + 1} of {parts})"
    return f"{name[: LONGEST_NAME - len(which)]}{which}"


def _bytes_of(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode())


def _groups_of(places: Sequence[str], most_bytes: int) -> list[list[str]]:
    groups: list[list[str]] = []
    size = 0
    for place in places:
        more = _bytes_of(place) + 2
        if groups and len(groups[-1]) < MOST_PLACES and size + more <= most_bytes:
            groups[-1].append(place)
            size += more
        else:
            groups.append([place])
            size = more
    return groups


def _share_of(amount: int, begin: int, end: int, of: int) -> int:
    """The shares of all parts are the whole amount."""
    return amount * end // of - amount * begin // of


def _cost_share(amount: str, begin: int, end: int, of: int) -> str:
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,6})?", amount):
        return amount  # the service says what is wrong
    whole, _, decimals = amount.partition(".")
    share = _share_of(int(whole) * MICRO + int(decimals.ljust(6, "0")), begin, end, of)
    return f"{share // MICRO}.{share % MICRO:06d}"
