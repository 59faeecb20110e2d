"""How the client divides a job with more places than one request takes."""

from __future__ import annotations

import json
from typing import Any

import httpx

import placefleet as pf
from placefleet.job_parts import job_parts
from placefleet.types import CreateJobRequest


def job_of(places: int, **more: Any) -> CreateJobRequest:
    return {"name": "shops", "language": "en", "places": [str(n + 1) for n in range(places)], **more}  # type: ignore[typeddict-item]


def sizes(job: CreateJobRequest) -> list[int]:
    return [len(part["places"]) for part in job_parts(job)]


def test_at_most_1000_places_are_in_a_part() -> None:
    assert sizes(job_of(1_000)) == [1_000]
    assert sizes(job_of(1_001)) == [1_000, 1]
    assert sizes(job_of(5_000)) == [1_000] * 5
    assert [place for part in job_parts(job_of(2_500)) for place in part["places"]] == job_of(2_500)["places"]
    twice = job_of(1_000)["places"] * 2
    assert sizes({**job_of(0), "places": [*twice, "2000"]}) == [1_000, 1]


def test_long_links_are_parts_of_at_most_256_kib() -> None:
    links = ["https://www.google.com/maps/place/" + "ä" * 300 + f"?cid={n}" for n in range(1_000)]
    parts = job_parts({**job_of(0), "places": links})
    assert [place for part in parts for place in part["places"]] == links
    assert max(len(json.dumps(part, ensure_ascii=False).encode()) for part in parts) <= 256 * 1_024
    assert len(parts) < 5


def test_the_parts_share_what_the_job_may_cost_and_hold_and_the_first_one_searches() -> None:
    parts = job_parts(job_of(2_500, max_cost="0.10", max_results=1_001, keywords=["cafe"], name="x" * 200))
    assert [(part["max_cost"], part["max_results"], part.get("keywords")) for part in parts] == [
        ("0.040000", 400, ["cafe"]),
        ("0.040000", 400, None),
        ("0.020000", 201, None),
    ]
    assert [part["name"] for part in parts] == [f"{'x' * 191} ({n} of 3)" for n in (1, 2, 3)]
    assert {part["max_cost"] for part in job_parts(job_of(1_001, max_cost="1,5"))} == {"1,5"}
    assert [part["max_results"] for part in job_parts(job_of(1_001, max_results=1))] == [1]


def test_one_call_creates_all_jobs_or_monitors_and_goes_on_after_an_error() -> None:
    requests: list[tuple[str, str]] = []
    statuses = [201, 402, 201, 201, 201, 201]

    def answer(request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        requests.append((request.headers["idempotency-key"], body["name"]))
        return httpx.Response(statuses.pop(0), json={"id": str(len(requests)), "message": "no credits"})

    client = pf.Placefleet(
        url="http://fleet.test/", api_key="svc_x", http_client=httpx.Client(transport=httpx.MockTransport(answer))
    )
    created: list[str] = []
    for _ in range(2):
        try:
            for each in client.jobs.create_in_parts(idempotency_key="k", **job_of(1_001)):
                created.append(each["id"])
        except pf.InsufficientCreditsError:
            created.append("refused")
    assert created == ["1", "refused", "3", "4"]
    assert requests == [("k/0", "shops (1 of 2)"), ("k/1", "shops (2 of 2)")] * 2

    monitors = client.monitors.create_in_parts(name="weekly", job=job_of(1_001), schedule={"every": "7d"})
    assert [each["id"] for each in monitors] == ["5", "6"]
    assert [name for _, name in requests[4:]] == ["weekly (1 of 2)", "weekly (2 of 2)"]
