"""What the client does with answers: errors, retries, and streams that break. The answers are those of a script."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterator

import httpx
import pytest

import placefleet as pf
from placefleet._sync import connection, follow, jobs

Answer = Callable[[httpx.Request], httpx.Response]


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The client waits no time here. This is how long it would have waited."""
    times: list[float] = []
    for module in (connection, follow, jobs):
        monkeypatch.setattr(module, "sleep", times.append)
    return times


class Script:
    """Answers each request with the next of its answers, and keeps the requests."""

    def __init__(self, *answers: Answer | httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx.Response) else answer(request)


def client(script: Script, retry: pf.Retry | None = None) -> pf.Placefleet:
    http = httpx.Client(transport=httpx.MockTransport(script))
    return pf.Placefleet(url="http://fleet.test/", api_key="svc_x", http_client=http, retry=retry or pf.Retry())


def failure(status: int, **headers: str) -> httpx.Response:
    body = {"error": "e", "message": "m", "request_id": "r1"}
    return httpx.Response(status, json=body, headers={name.replace("_", "-"): value for name, value in headers.items()})


JOB = {"name": "x", "keywords": ["cafe"], "language": "en"}
CREATED = httpx.Response(201, json={"id": "1"})
LOST = httpx.ReadError("the connection was lost")


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, pf.InvalidRequestError),
        (401, pf.AuthenticationError),
        (402, pf.InsufficientCreditsError),
        (403, pf.PermissionDeniedError),
        (404, pf.NotFoundError),
        (409, pf.ConflictError),
        (413, pf.InvalidRequestError),
        (415, pf.InvalidRequestError),
        (418, pf.PlacefleetError),
        (422, pf.InvalidRequestError),
        (500, pf.ServerError),
    ],
)
def test_each_status_has_its_error(status: int, kind: type[pf.PlacefleetError]) -> None:
    with pytest.raises(pf.PlacefleetError) as caught:
        client(Script(failure(status))).jobs.get("1")
    assert type(caught.value) is kind
    assert (caught.value.status, caught.value.code, str(caught.value), caught.value.request_id) == (status, "e", "m", "r1")
    assert vars(pickle.loads(pickle.dumps(caught.value))) == vars(caught.value)


def test_the_page_of_a_proxy_is_an_error(waits: list[float]) -> None:
    page = httpx.Response(200, text="<html>Welcome</html>")
    with pytest.raises(pf.InvalidResponseError):
        client(Script(page)).jobs.get("1")
    with pytest.raises(pf.ServerError) as caught:
        client(Script(httpx.Response(502, text="<html>Bad gateway</html>")), pf.Retry(attempts=1)).jobs.get("1")
    assert caught.value.code == "http_502"


@pytest.mark.parametrize("failed", [LOST, failure(502), failure(503), failure(504), failure(429, retry_after="1")])
def test_a_creation_is_repeated_with_its_key(failed: httpx.Response | Exception, waits: list[float]) -> None:
    script = Script(failed, CREATED)
    assert client(script).jobs.create(**JOB) == {"id": "1"}
    first, second = (request.headers["idempotency-key"] for request in script.requests)
    assert first == second
    assert [request.content for request in script.requests][0] == script.requests[1].content


def test_your_own_key_is_sent() -> None:
    script = Script(CREATED)
    client(script).jobs.create(**JOB, idempotency_key="mine")
    assert script.requests[0].headers["idempotency-key"] == "mine"
    assert json.loads(script.requests[0].content) == JOB


@pytest.mark.parametrize("failed", [LOST, failure(503), failure(500)])
def test_what_may_have_been_done_is_not_repeated(failed: httpx.Response | Exception) -> None:
    script = Script(failed)
    with pytest.raises(pf.PlacefleetError):
        client(script).keys.create(name="x")
    assert len(script.requests) == 1


def test_a_refused_request_is_repeated_after_the_time_that_the_service_says(waits: list[float]) -> None:
    script = Script(failure(429, retry_after="7"), httpx.Response(201, json={"id": "1", "key": "svc_y"}))
    client(script).keys.create(name="x")
    assert waits == [7]


def test_a_longer_wait_is_yours(waits: list[float]) -> None:
    with pytest.raises(pf.RateLimitError) as caught:
        client(Script(failure(429, retry_after="31"))).jobs.get("1")
    assert (caught.value.retry_after, waits) == (31, [])


def test_a_second_attempt_that_meets_the_first_waits_for_it(waits: list[float]) -> None:
    script = Script(LOST, failure(409, retry_after="2"), CREATED)
    assert client(script).jobs.create(**JOB)["id"] == "1"
    assert waits[1] == 2


def test_a_deletion_whose_answer_was_lost_is_done(waits: list[float]) -> None:
    client(Script(LOST, failure(404))).jobs.delete("1")
    with pytest.raises(pf.NotFoundError):
        client(Script(failure(429, retry_after="0"), failure(404))).jobs.delete("1")


def test_delays_grow_and_attempts_end(waits: list[float]) -> None:
    with pytest.raises(pf.APIConnectionError, match="Placefleet does not answer: the connection was lost") as caught:
        client(Script(*[LOST] * 6)).jobs.get("1")
    assert isinstance(caught.value.__cause__, httpx.ReadError)
    assert len(waits) == 5
    assert all(0.75 * 0.5 * 2**n <= wait <= 1.25 * 0.5 * 2**n for n, wait in enumerate(waits))


def test_no_answer_in_time_is_a_timeout() -> None:
    with pytest.raises(pf.APITimeoutError):
        client(Script(httpx.ReadTimeout("")), pf.Retry(attempts=1)).jobs.get("1")


def test_a_time_limit_of_zero_is_no_default() -> None:
    other = client(Script()).with_options(timeout=0)
    assert other._connection.timeout == 0


def test_the_results_of_a_failed_job_are_no_matter_of_credits() -> None:
    failed = httpx.Response(402, json={"error": "job_failed", "message": "The job failed."})
    with pytest.raises(pf.JobFailedError):
        client(Script(failed)).jobs.get("1")


def test_other_options_share_the_connections() -> None:
    seen = Script(httpx.Response(200, json={}), httpx.Response(200, json={}))
    with client(seen) as first:
        first.with_options(timeout=5).jobs.get("1", wait=60)
        first.jobs.get("1")
    assert [request.extensions["timeout"]["read"] for request in seen.requests] == [65, 60]


def test_an_id_cannot_leave_its_place_in_the_path() -> None:
    script = Script(httpx.Response(200, json={}))
    client(script).jobs.get("../keys?x=1")
    assert script.requests[0].url.raw_path == b"/api/v1/jobs/..%2Fkeys%3Fx%3D1"


def test_without_an_address_or_a_key_there_is_no_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PLACEFLEET_URL", raising=False)
    monkeypatch.setenv("PLACEFLEET_API_KEY", "")
    with pytest.raises(pf.ConfigurationError, match="Set PLACEFLEET_URL"):
        pf.Placefleet(api_key="svc_x")
    with pytest.raises(pf.ConfigurationError, match="Set PLACEFLEET_API_KEY"):
        pf.Placefleet(url="http://127.0.0.1")


def test_an_address_needs_its_scheme_and_may_end_with_the_path_of_the_api() -> None:
    with pytest.raises(pf.ConfigurationError, match="with http:// or https://"):
        pf.Placefleet(url="maps.example", api_key="svc_x")
    for url in ("http://maps.example", "http://maps.example/", "http://maps.example/api/v1/"):
        assert pf.Placefleet(url=url, api_key="svc_x").url == "http://maps.example"


class Broken(httpx.SyncByteStream):
    """A body that breaks behind its pieces, or ends."""

    def __init__(self, *pieces: str, breaks: bool = True) -> None:
        self.pieces, self.breaks = pieces, breaks

    def __iter__(self) -> Iterator[bytes]:
        for piece in self.pieces:
            yield piece.encode()
        if self.breaks:
            raise httpx.ReadError("broken")


def stream(*pieces: str, breaks: bool = True) -> httpx.Response:
    return httpx.Response(200, stream=Broken(*pieces, breaks=breaks))


def place(position: int, title: str = "A") -> str:
    event = {"type": "place", "position": position, "place": {"title": f"{title}{position}"}}
    return json.dumps(event, ensure_ascii=False) + "\n"


END = '{"type":"end","status":"completed"}\n'


def test_a_broken_stream_is_resumed_behind_its_last_place(waits: list[float]) -> None:
    script = Script(
        stream(place(1), "\n", place(2)[:9]),  # breaks within a line
        failure(503),
        stream(place(2), place(3)[:-5], breaks=False),  # ends within a line
        stream(place(3)[:7], place(3)[7:] + END),
    )
    assert [found["title"] for found in client(script).jobs.follow("1")] == ["A1", "A2", "A3"]
    assert [request.url.params["after"] for request in script.requests] == ["0", "1", "1", "2"]


def test_characters_that_other_programs_take_for_an_end_of_line_are_part_of_a_text() -> None:
    title = "a\u2028b\u0085c\x0bd"
    script = Script(stream(place(1, title), END))
    assert [found["title"] for found in client(script).jobs.follow("1")] == [title + "1"]


def test_connections_that_break_without_an_event_end_the_wait(waits: list[float]) -> None:
    with pytest.raises(pf.APIConnectionError, match="breaks repeatedly"):
        list(client(Script(*[stream("\n") for _ in range(8)])).jobs.events("1"))


def test_a_refused_stream_is_an_error() -> None:
    with pytest.raises(pf.NotFoundError):
        list(client(Script(failure(404))).jobs.follow("1"))


def test_a_wait_ends_after_its_time(monkeypatch: pytest.MonkeyPatch, waits: list[float]) -> None:
    running = [httpx.Response(200, json={"status": "running"}) for _ in range(3)]
    script = Script(*running)
    now = iter(range(0, 1_000, 10))
    monkeypatch.setattr("placefleet.deadline.monotonic", lambda: next(now))
    with pytest.raises(pf.APITimeoutError, match="did not end within 60 seconds"):
        client(script).jobs.wait("1", timeout=60)
    with pytest.raises(pf.APITimeoutError):
        list(client(Script(stream("\n", "\n", "\n"))).jobs.follow("1", timeout=15))


def test_a_run_is_limited_too(monkeypatch: pytest.MonkeyPatch, waits: list[float]) -> None:
    with pytest.raises(pf.APITimeoutError):
        client(Script(CREATED)).jobs.run(**JOB, timeout=0)


def test_lists_read_every_page_once() -> None:
    pages = [
        {"jobs": [{"id": "3"}, {"id": "2"}], "has_more": True},
        {"jobs": [{"id": "1"}], "has_more": False},
    ]
    script = Script(*[httpx.Response(200, json=page) for page in pages])
    assert [job["id"] for job in client(script).jobs.list(search="x")] == ["3", "2", "1"]
    assert [dict(request.url.params) for request in script.requests] == [
        {"limit": "100", "search": "x"},
        {"limit": "100", "search": "x", "after": "2"},
    ]
    pages[1]["jobs"].insert(0, {"id": "2"})  # another job came, and moved this one to the next page
    script = Script(*[httpx.Response(200, json=page) for page in pages])
    assert [job["id"] for job in client(script).jobs.list_by(sort="name")] == ["3", "2", "1"]
    assert [request.url.params["page"] for request in script.requests] == ["1", "2"]


def test_a_job_with_proxies_is_not_repeated_without_them() -> None:
    old = {"name": "x", "data": {"keywords": ["cafe"], "language": "en", "proxy_count": 2}}
    with pytest.raises(pf.InvalidRequestError, match="never shown"):
        client(Script(httpx.Response(200, json=old))).jobs.again("1")
    script = Script(httpx.Response(200, json=old), CREATED)
    client(script).jobs.again("1", proxies=[], max_results=7)
    assert json.loads(script.requests[1].content) == {**JOB, "proxies": [], "max_results": 7}


def test_a_download_that_breaks_is_an_error() -> None:
    with pytest.raises(pf.APIConnectionError):
        list(client(Script(stream("a,b"))).jobs.download("1", format="csv"))
