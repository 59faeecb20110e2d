"""The types of the API. Made by `npm run api:types` from the API's own document; do not edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class AboutOption(TypedDict):
    """One property of a place."""

    name: str
    enabled: bool
    values: NotRequired[list[str]]


class AboutSection(TypedDict):
    """Properties of a place under one heading."""

    id: str
    name: str
    options: list[AboutOption]


class ApiKey(TypedDict):
    """An API key without its secret."""

    id: str
    name: str
    key_hint_prefix: str
    """one end of the key, to recognize it"""
    key_hint_suffix: str
    """one end of the key, to recognize it"""
    limits: NotRequired[SpendingLimits]
    """absent without limits"""
    usage_count: int
    """number of granted requests"""
    created_at: str
    last_used_at: NotRequired[str]
    """absent until the first use"""
    revoked_at: NotRequired[str]
    """absent while the key is active"""


class AreaPolygon(TypedDict):
    type: Literal["Polygon"]
    coordinates: list[list[list[float]]]


class AreaMultiPolygon(TypedDict):
    type: Literal["MultiPolygon"]
    coordinates: list[list[list[list[float]]]]


class AreaInputPolygon(TypedDict):
    type: Literal["Polygon"]
    coordinates: list[list[list[float]]]


class AreaInputMultiPolygon(TypedDict):
    type: Literal["MultiPolygon"]
    coordinates: list[list[list[list[float]]]]


class ChangeFieldsValue(TypedDict):
    before: NotRequired[Any]
    after: NotRequired[Any]


class Change(TypedDict):
    """What happened to a place."""

    sequence: int
    """1, 2, 3 … within the monitor"""
    type: Literal["new", "changed", "gone", "back"]
    """`gone`: closed permanently, or no longer within the circle and filter of the job; `back`: found again after that"""
    place_key: str
    """the id of the place; exports have it as `data_id`. Begins with `erased:` once the operator erased the place"""
    title: NotRequired[str]
    latitude: NotRequired[float]
    """to four decimals, about 11 metres"""
    longitude: NotRequired[float]
    job_id: str
    """the job of the run that saw it"""
    seen_at: str
    fields: NotRequired[dict[str, ChangeFieldsValue]]
    """of `changed`: each changed field before and after; absent where the place had none. Of a place that is `gone` because it closed, or `back` because it is open again: `closed`"""


class ChangeApiKeyRequest(TypedDict):
    """New limits of a key."""

    limits: SpendingLimitsInput
    """replace the current limits; `{}` removes them"""


class ChangeList(TypedDict):
    """Changes in order."""

    changes: list[Change]
    has_more: bool
    """whether more changes follow"""


class ChangeMonitorRequestSchedule1(TypedDict):
    cron: str
    """five fields: minute, hour, day of month, month, day of week"""
    timezone: str
    """name of the time zone of `cron`, e.g. Europe/Nicosia"""


class ChangeMonitorRequestSchedule2(TypedDict):
    every: str
    """interval in minutes, hours or days: `90m`, `12h`, `7d`"""


class ChangeMonitorRequest(TypedDict):
    """The fields of a monitor to change."""

    name: NotRequired[str]
    """a name for you"""
    job: NotRequired[CreateJobRequest]
    """the job that each run creates, as for `POST /jobs`"""
    schedule: NotRequired[ChangeMonitorRequestSchedule1 | ChangeMonitorRequestSchedule2]
    """when it runs: by `cron` and `timezone`, or at intervals with `every`; at most every 15 minutes"""
    jitter_seconds: NotRequired[int]
    """largest delay of a run in seconds; spreads the runs of many monitors"""
    ends_at: NotRequired[str | None]
    """no run begins after this time; null: no end"""
    watch_ratings: NotRequired[bool]
    """also report changes of the rating and of the number of reviews"""
    paused: NotRequired[bool]
    """true pauses it; false resumes it, without the missed runs"""
    pause_reason: NotRequired[str]
    """with `paused: true`: why"""


class ChangeWebhookRequest(TypedDict):
    """The fields to change. Absent fields stay unchanged."""

    name: NotRequired[str]
    """purpose of the webhook"""
    url: NotRequired[str]
    """an https URL at a public address, without credentials"""
    event_types: NotRequired[list[Literal["job.completed", "job.failed", "job.cancelled", "monitor.paused"]]]
    """the events to send; `monitor.paused`: the service paused a monitor"""
    reenable: NotRequired[bool]
    """true enables a disabled webhook again"""


class CheckoutRequest(TypedDict):
    """The number of credits to buy."""

    credits: str
    """whole credits, 1 to 10000"""
    currency: Literal["USD"]
    """1 credit is 1 USD"""


class CheckoutSession(TypedDict):
    """The payment page to send the user to."""

    session_id: str
    url: str


class CompleteAddress(TypedDict):
    """An address in its parts."""

    borough: NotRequired[str]
    street: NotRequired[str]
    city: NotRequired[str]
    postal_code: NotRequired[str]
    state: NotRequired[str]
    country: NotRequired[str]
    """ISO 3166 code of two letters"""


class CostBatchAnswer(TypedDict):
    """Cost reports by job."""

    costs: dict[str, CostReport]


class CostBatchRequest(TypedDict):
    """The jobs to report on."""

    job_ids: list[str]
    """unknown jobs and those of other users are ignored"""


class CostReportItemsItem(TypedDict):
    event_type: Literal["job_start", "place_scraped", "contact_details", "review", "image", "filters_applied"]
    quantity: int
    cost_credits: str
    """credits, with 6 decimals"""


class CostReport(TypedDict):
    """The cost of a job by item; for a running job, its cost so far."""

    job_id: str
    items: list[CostReportItemsItem]
    total_credits: str
    """credits, with 6 decimals"""
    total_rounded: int
    """whole credits, rounded half up"""
    held_credits: str
    """credits held when the job was created, with 6 decimals; the job never costs more"""


class CoverageCellsFeaturesItemGeometryPolygon(TypedDict):
    type: Literal["Polygon"]
    coordinates: list[list[list[float]]]


class CoverageCellsFeaturesItemProperties(TypedDict):
    keyword: str
    state: Literal["searched", "cut", "blocked", "unsearched"]
    places: int
    """places of the cell that its search listed"""
    metres: NotRequired[float]
    """height of the cell"""
    divided: bool
    """whether its quarters were searched as well"""


class CoverageCellsFeaturesItem(TypedDict):
    type: Literal["Feature"]
    geometry: CoverageCellsFeaturesItemGeometryPolygon | None
    """null for a search without an area"""
    properties: CoverageCellsFeaturesItemProperties


class CoverageCells(TypedDict):
    """The parts of the area that a job searched."""

    type: Literal["FeatureCollection"]
    features: list[CoverageCellsFeaturesItem]


class CoverageCertificateCells(TypedDict):
    """parts of the area"""

    searched: int
    """searches of parts of the area that were answered, over all keywords"""
    cut: int
    """those of them that hit the limit of a search; their parts were searched next"""
    blocked: int
    """parts that the map site did not answer for"""
    unsearched: int
    """parts that were not searched, because the job ended before"""
    smallest_cut_metres: NotRequired[float]
    """height of the smallest part that is still cut; absent when every cut part was searched further"""


class CoverageCertificateEstimate(TypedDict):
    """only of an ended job that exhausted its area, or with `coverage: audited` whose audit was answered; not when it ended at `max_results` in fast mode or with a filter"""

    total: int
    """likely number of places that searches of the area can list, found or not"""
    low: int
    high: int
    """the total is between `low` and `high` in 95 of 100 cases"""
    confidence: float
    method: str


class CoverageCertificate(TypedDict):
    """How completely a job searched its area. It cannot see places that the map site hides from every signed-out search (its limited view). The site says that it hides some only on pages in Chromium: then the search counts as `limited`. Over plain HTTP it does not say so."""

    coverage: Literal["none", "cells", "audited"]
    """what the job records"""
    cells: CoverageCertificateCells
    """parts of the area"""
    found: int
    """places stored"""
    estimate: NotRequired[CoverageCertificateEstimate]
    """only of an ended job that exhausted its area, or with `coverage: audited` whose audit was answered; not when it ended at `max_results` in fast mode or with a filter"""


class CreateApiKeyRequest(TypedDict):
    """A key to create."""

    name: str
    """purpose of the key"""
    limits: NotRequired[SpendingLimitsInput]
    """the most that its jobs may cost; absent: no limit"""


class CreatedJob(TypedDict):
    """The job that was created."""

    id: str


class CreateJobRequest(TypedDict):
    """The search, the fields to collect, and the limits of a job."""

    name: str
    """a name for you; exported files are named after it"""
    keywords: NotRequired[list[str]]
    """what to search for, 1 to 5; none beside `places`. Each keyword is a separate search. A link of a search on the map site means its words, its centre and its zoom. Default: []."""
    places: NotRequired[list[str]]
    """places to collect without a search, beside `keywords` or instead of them: links of the map site, also short ones, place ids (`ChIJ…`), CIDs and data ids (`0x…:0x…`). `GET /jobs/{id}/inputs` tells what became of each"""
    language: Literal["ar", "bg", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "he", "hr", "hu", "id", "it", "ja", "ko", "lt", "lv", "ms", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sv", "th", "tr", "uk", "vi", "zh"]
    """the language of the map site and of its texts about places"""
    depth: NotRequired[int]
    """pages of each search, about 20 places each. Default: 5."""
    include_emails: NotRequired[bool]
    """visit business websites for emails, phones and profiles; `contact_details` is billed for every place, with or without a website. Default: false."""
    max_images: NotRequired[int]
    """images per place; 0 collects none. Default: 0."""
    max_reviews: NotRequired[int]
    """reviews per place; 0 collects none. An estimate without this field assumes 50. Default: 0."""
    reviews_sort: NotRequired[Literal["newest", "relevant", "highest", "lowest"]]
    """order in which reviews are read, up to `max_reviews`. With `newest` and `relevant` the reviews that the page of the place shows come first (`user_reviews`). Default: "newest"."""
    reviews_since: NotRequired[str]
    """older reviews are neither stored nor billed: a date in UTC, e.g. `2026-01-31`"""
    reviews_ratings: NotRequired[list[int]]
    """store and bill only reviews with these stars, e.g. `[1, 2]`"""
    reviewer_names: NotRequired[bool]
    """false: reviews are stored without the name, link and picture of their writers. Default: true."""
    max_results: NotRequired[int]
    """places for the whole job: 1 to 500, by default 50; with `places` up to 1000, by default their number; with `exhaust` up to 100000, which is also the default"""
    max_cost: NotRequired[str]
    """the most credits that the job may cost; at this limit it ends as completed and `partial`"""
    website_filter: NotRequired[Literal["all", "no_website", "has_website"]]
    """keep only places with, or only places without their own website. Default: "all"."""
    categories: NotRequired[list[str]]
    """keep only places of one of these categories, in the language of the job, in any case"""
    min_rating: NotRequired[float]
    """keep only places with this rating or a better one; above 0 unrated places are dropped"""
    min_review_count: NotRequired[int]
    """keep only places with so many reviews or more; a place whose count is hidden is kept as `limited`"""
    has_phone: NotRequired[bool]
    """true: keep only places with a phone; false: only those without one"""
    exclude_closed: NotRequired[bool]
    """drop places that are closed, permanently or temporarily"""
    only_new: NotRequired[bool]
    """drop places that you know from earlier jobs or uploads; they cost nothing and do not count for `max_results`"""
    recheck_after: NotRequired[int]
    """with `only_new`: days after which a known place counts as new again"""
    exhaust: NotRequired[bool]
    """search on until the searches of the area find next to no new place; needs an area (`area`, `bbox`, `near`, or `lat`, `lon` and `radius`) and `max_cost`"""
    coverage: NotRequired[Literal["none", "cells", "audited"]]
    """what `GET /jobs/{id}/coverage` tells: `cells` records which parts of the area were searched, `audited` also searches some of them once more, in other ways, to estimate how many places were missed. Default: `cells` with an area, else `none`. With `exhaust` always `cells`"""
    lat: NotRequired[str]
    """latitude of the centre of the search. Default: ""."""
    lon: NotRequired[str]
    """longitude of the centre of the search. Default: ""."""
    country: NotRequired[str]
    """country whose view of the map is used (ISO 3166, lower case); default: the country of `lat`, `lon`"""
    zoom: NotRequired[int]
    """zoom of the map; 0: the closest that shows `radius`, and without a radius 14, about a town quarter. Default: 0."""
    radius: NotRequired[int]
    """metres around `lat`, `lon`; places outside are dropped. 0 is unlimited. Default: 0."""
    near: NotRequired[str]
    """a town as the centre, instead of `lat` and `lon`: its name, e.g. "Limassol", and where several have it also its region or country, e.g. "Berlin, DE" or "Springfield, IL, US". Without a `radius`, one by its size is used: 2 to 50 km. The job then has the `lat`, `lon` and `radius`. Several towns: 400 with the candidates"""
    area: NotRequired[AreaInput]
    """the area as GeoJSON; places outside are dropped. Instead of `lat`, `lon` and `radius`"""
    bbox: NotRequired[list[float]]
    """the area as a box `[west, south, east, north]` in degrees; places outside are dropped. With `west` above `east` it lies across the date line. Instead of `lat`, `lon` and `radius`"""
    max_time: NotRequired[int]
    """the longest duration in seconds, counted from `started_at`; then the job ends and keeps its stored places: 1 to 3600, by default 1800; with `exhaust` up to 86400, which is also the default. Time in which the map site refuses every address and proxy of the job does not count, up to `max_time` once more and a day at most; `progress.waiting_until` says until when. A pending job that no connected agent may take fails after a day (`no_agent`), or the time that the operator chose, and is not billed"""
    fast_mode: NotRequired[bool]
    """collect only the fields of the search results; several times faster. Default: false."""
    demo: NotRequired[bool]
    """collect from the simulated city of `npm start`, at no cost; other deployments have no such city"""
    proxies: NotRequired[list[str]]
    """your own proxies, all together at most 32 KiB: URLs (http, https, socks5, socks5h), or host:port, host:port:user:password, user:password@host:port. Default: []."""


class CreateMonitorRequestSchedule1(TypedDict):
    cron: str
    """five fields: minute, hour, day of month, month, day of week"""
    timezone: str
    """name of the time zone of `cron`, e.g. Europe/Nicosia"""


class CreateMonitorRequestSchedule2(TypedDict):
    every: str
    """interval in minutes, hours or days: `90m`, `12h`, `7d`"""


class CreateMonitorRequest(TypedDict):
    """A job that runs on a schedule."""

    name: str
    """a name for you"""
    job: CreateJobRequest
    """the job that each run creates, as for `POST /jobs`"""
    schedule: CreateMonitorRequestSchedule1 | CreateMonitorRequestSchedule2
    """when it runs: by `cron` and `timezone`, or at intervals with `every`; at most every 15 minutes"""
    jitter_seconds: NotRequired[int]
    """largest delay of a run in seconds; spreads the runs of many monitors. Default: 0."""
    ends_at: NotRequired[str]
    """no run begins after this time"""
    watch_ratings: NotRequired[bool]
    """also report changes of the rating and of the number of reviews. Default: false."""
    paused: NotRequired[bool]
    """true creates it paused. Default: false."""
    pause_reason: NotRequired[str]
    """with `paused: true`: why"""


class CreateWebhookRequest(TypedDict):
    """A webhook to register."""

    name: str
    """purpose of the webhook"""
    url: str
    """an https URL at a public address, without credentials"""
    event_types: NotRequired[list[Literal["job.completed", "job.failed", "job.cancelled", "monitor.paused"]]]
    """the events to send; absent: the three of jobs"""


class CreditBalance(TypedDict):
    """The credits of a user."""

    user_id: str
    credit_balance: str
    """credits, with 6 decimals"""
    available: str
    """credits for new jobs: the balance without what is held and what a refund still takes back"""
    held: str
    """credits reserved for jobs that have not ended"""
    total_credits_purchased: str
    """credits, with 6 decimals"""


class CreditHistory(TypedDict):
    """A page of credit transactions."""

    transactions: list[CreditTransaction]
    total: int
    """items on all pages"""
    page: int
    limit: int
    has_more: bool
    """whether another page follows"""


class CreditTransaction(TypedDict):
    """A change of the balance."""

    id: str
    type: Literal["purchase", "consumption", "bonus", "refund", "adjustment", "refund_deficit", "deficit_paydown"]
    amount: str
    """credits, with 6 decimals"""
    balance_before: str
    """credits, with 6 decimals"""
    balance_after: str
    """credits, with 6 decimals"""
    description: str
    reference_id: str
    """the job; for a purchase, the checkout session"""
    reference_type: str
    created_at: str


class DailySpendingDaysItem(TypedDict):
    date: str
    """the UTC day of the charge"""
    credits: str
    """credits, with 6 decimals"""


class DailySpending(TypedDict):
    """The charges of jobs by UTC day, oldest first. Days without a charge have 0."""

    days: list[DailySpendingDaysItem]


class Dish(TypedDict):
    """A dish that visitors show in their photos."""

    name: str
    image: NotRequired[str]


class DownloadLink(TypedDict):
    """A link that works for ten minutes."""

    url: str
    """downloads the file without a header"""
    expires_at: str


class DownloadLinkRequest(TypedDict):
    """The file that a link downloads."""

    format: Literal["csv", "xlsx", "jsonl", "geojson", "parquet"]
    """the file format"""
    columns: NotRequired[str | list[Literal["id", "user_id", "job_id", "title", "category", "address", "website", "phone", "emails", "web_presence", "review_count", "rating", "open_hours", "images", "user_reviews", "created_at", "reviews_link", "popular_times", "reviews_per_rating", "user_reviews_extended", "reservations", "order_online", "menu", "owner", "latitude", "longitude", "description", "timezone", "price_range", "complete_address", "about", "place_id", "data_id", "cid", "link", "plus_code", "status", "thumbnail", "street_view_url", "categories", "credit_cards_accepted", "social_links", "phones", "closed", "claimed", "local_title", "local_address", "phone_e164", "time_spent", "booking_links", "posts", "services", "questions", "popular_dishes", "also_searched", "review_topics", "email_list", "email_details", "limited", "open_intervals", "input"]]]
    """the columns in the order of the file, as a list or separated by commas; absent: all"""
    web_presence: NotRequired[str | list[str]]
    """tiers, `all`, `no_website` or `has_website`, as a list or separated by commas"""


class EmailDetail(TypedDict):
    """An email address of a place, and what is known about it."""

    email: str
    mx: NotRequired[bool]
    """whether its domain has a mail server; absent when nobody was asked, as in jobs with proxies"""
    generic: bool
    """whether it names a role (`info@`), not a person"""


class ErrorDetailsItem(TypedDict):
    path: str
    message: str


class Error(TypedDict):
    """An error."""

    code: int
    """repeats the HTTP status"""
    message: str
    """what is wrong and what to do"""
    error: str
    """an identifier for programs, for example `insufficient_credits`"""
    details: NotRequired[list[ErrorDetailsItem]]
    """for validation errors: each wrong field"""
    request_id: str
    """same as the header X-Request-Id; quote it when you ask for help"""


class EstimateBreakdown(TypedDict):
    job_start_cost: float
    """credits"""
    places_cost: float
    """credits"""
    contact_details_cost: float
    """credits"""
    reviews_cost: float
    """credits"""
    images_cost: float
    """credits"""
    filter_cost: float
    """credits"""


class EstimateUnitPrices(TypedDict):
    job_start: float
    """credits"""
    place_scraped: float
    """credits"""
    contact_details: float
    """credits"""
    review: float
    """credits"""
    image: float
    """credits"""
    filters_applied: float
    """credits"""


class EstimateSeconds(TypedDict):
    """how long the job takes: the requests that it needs, at the pace of its addresses and proxies. One that pauses now counts from the end of its pause; blocks are not predicted"""

    low: int
    likely: int
    high: int


class EstimateTimeAssumesRequestsPerMinute(TypedDict):
    """of the first exit: now, and at most. For an agent without a limit, as of a simulated site, 600 are assumed"""

    first: float
    most: float


class EstimateTimeAssumes(TypedDict):
    """what `seconds` follow from"""

    requests: int
    """requests to the map site, for `places`"""
    exits: int
    """addresses that send them: your proxies, else those of the operator, else the addresses of the agents, at least 1"""
    requests_per_minute: EstimateTimeAssumesRequestsPerMinute
    """of the first exit: now, and at most. For an agent without a limit, as of a simulated site, 600 are assumed"""


class Estimate(TypedDict):
    """The likely cost of a job."""

    object: Literal["job_estimate"]
    currency: Literal["credits"]
    places: int
    """likely number of places"""
    places_min: int
    places_max: int
    places_within_max_cost: NotRequired[int]
    """places that `max_cost` pays for, at the reviews and images assumed here; absent without `max_cost`"""
    places_known: NotRequired[int]
    """with `only_new`: places of the same keywords and area that you know, at most as many as its searches list; the other counts leave them out"""
    audit_searches: NotRequired[int]
    """with `coverage: audited`: the most searches that the audit adds. They cost nothing; places that only they find are billed"""
    keyword_count: int
    places_per_keyword: int
    total: float
    """credits"""
    total_min: float
    """credits"""
    total_max: float
    """credits"""
    breakdown: EstimateBreakdown
    reviews: int
    images: int
    includes_emails: bool
    unit_prices: EstimateUnitPrices
    max_results_provided: bool
    seconds: EstimateSeconds
    """how long the job takes: the requests that it needs, at the pace of its addresses and proxies. One that pauses now counts from the end of its pause; blocks are not predicted"""
    fast_mode_seconds: NotRequired[int]
    """how long it likely takes with `fast_mode`, which brings only the fields of search results. Only for a job without reviews, images and emails that needs ten times the requests without it"""
    time_assumes: EstimateTimeAssumes
    """what `seconds` follow from"""
    description: str
    expires_at: int
    """Unix time until which the estimate holds"""


class EstimateAnswerBalance(TypedDict):
    current: float
    """available credits: balance minus holds"""
    sufficient: bool
    """whether the available credits cover `total_min`"""


class EstimateAnswer(TypedDict):
    """The likely cost of a job, and whether the account covers it."""

    estimate: Estimate
    balance: EstimateAnswerBalance


class EstimateRequest(TypedDict):
    """The job to estimate."""

    keywords: NotRequired[list[str]]
    """what to search for, 1 to 5; none beside `places`. Each keyword is a separate search. A link of a search on the map site means its words, its centre and its zoom. Default: []."""
    places: NotRequired[list[str]]
    """places to collect without a search, beside `keywords` or instead of them: links of the map site, also short ones, place ids (`ChIJ…`), CIDs and data ids (`0x…:0x…`). `GET /jobs/{id}/inputs` tells what became of each"""
    depth: NotRequired[int]
    """pages of each search, about 20 places each. Default: 5."""
    include_emails: NotRequired[bool]
    """visit business websites for emails, phones and profiles; `contact_details` is billed for every place, with or without a website. Default: false."""
    max_images: NotRequired[int]
    """images per place; 0 collects none. Default: 0."""
    max_reviews: NotRequired[int]
    """reviews per place; 50 are assumed when absent, although a job without it collects none"""
    max_results: NotRequired[int]
    """maximum number of places; follows from `depth` when absent"""
    max_cost: NotRequired[str]
    """the most credits that the job may cost; at this limit it ends as completed and `partial`"""
    website_filter: NotRequired[Literal["all", "no_website", "has_website"]]
    """keep only places with, or only places without their own website. Default: "all"."""
    categories: NotRequired[Any]
    """with a filter more places are looked at; does not affect the cost"""
    min_rating: NotRequired[Any]
    """with a filter more places are looked at; does not affect the cost"""
    min_review_count: NotRequired[Any]
    """with a filter more places are looked at; does not affect the cost"""
    has_phone: NotRequired[Any]
    """with a filter more places are looked at; does not affect the cost"""
    exclude_closed: NotRequired[Any]
    """with a filter more places are looked at; does not affect the cost"""
    only_new: NotRequired[bool]
    """drop places that you know from earlier jobs or uploads; they cost nothing and do not count for `max_results`"""
    recheck_after: NotRequired[int]
    """with `only_new`: days after which a known place counts as new again"""
    exhaust: NotRequired[bool]
    """search on until the searches of the area find next to no new place; needs an area (`area`, `bbox`, `near`, or `lat`, `lon` and `radius`) and `max_cost`"""
    coverage: NotRequired[Literal["none", "cells", "audited"]]
    """what `GET /jobs/{id}/coverage` tells: `cells` records which parts of the area were searched, `audited` also searches some of them once more, in other ways, to estimate how many places were missed. Default: `cells` with an area, else `none`. With `exhaust` always `cells`"""
    demo: NotRequired[bool]
    """collect from the simulated city of `npm start`, at no cost; other deployments have no such city"""
    name: NotRequired[Any]
    """accepted, so that one body serves both calls; does not affect the cost"""
    language: NotRequired[Any]
    """accepted, so that one body serves both calls; does not affect the cost"""
    lat: NotRequired[Any]
    """accepted, so that one body serves both calls; does not affect the cost"""
    lon: NotRequired[Any]
    """accepted, so that one body serves both calls; does not affect the cost"""
    zoom: NotRequired[Any]
    """accepted, so that one body serves both calls; does not affect the cost"""
    radius: NotRequired[Any]
    """an area takes more searches; does not affect the cost"""
    near: NotRequired[str]
    """a town as the centre, instead of `lat` and `lon`: its name, e.g. "Limassol", and where several have it also its region or country, e.g. "Berlin, DE" or "Springfield, IL, US". Without a `radius`, one by its size is used: 2 to 50 km. The job then has the `lat`, `lon` and `radius`. Several towns: 400 with the candidates"""
    area: NotRequired[Any]
    """an area takes more searches; does not affect the cost"""
    bbox: NotRequired[Any]
    """an area takes more searches; does not affect the cost"""
    country: NotRequired[Any]
    """accepted, so that one body serves both calls; does not affect the cost"""
    reviews_sort: NotRequired[Any]
    """accepted, so that one body serves both calls; does not affect the cost"""
    reviews_since: NotRequired[Any]
    """accepted, so that one body serves both calls; does not affect the cost"""
    reviews_ratings: NotRequired[Any]
    """accepted, so that one body serves both calls; does not affect the cost"""
    reviewer_names: NotRequired[Any]
    """accepted, so that one body serves both calls; does not affect the cost"""
    max_time: NotRequired[Any]
    """accepted, so that one body serves both calls; does not affect the cost"""
    fast_mode: NotRequired[Any]
    """true takes fewer requests; does not affect the cost"""
    proxies: NotRequired[Any]
    """their number decides how long the job takes; does not affect the cost"""


class Image(TypedDict):
    """A photo of a place."""

    title: NotRequired[str]
    url: str


class JobCoverageEstimate(TypedDict):
    """of an ended job"""

    total: int
    """likely number of places in the area, found or not"""
    low: int
    high: int
    """the total is between `low` and `high` in 95 of 100 cases"""
    confidence: float


class JobCoverage(TypedDict):
    """only with `exhaust`: how complete it is"""

    exhausted: bool
    """whether its searches found next to no new place at the end"""
    found: int
    """places stored so far"""
    estimate: NotRequired[JobCoverageEstimate]
    """of an ended job"""


class JobProgress(TypedDict):
    discovered: int
    collected: int
    tasks_total: int
    tasks_done: int
    waiting_until: NotRequired[str]
    """when a waiting job continues; this time does not count against `max_time`, within its bounds"""
    waiting_reason: NotRequired[Literal["blocked", "unknown", "no_agent"]]
    """why the job waits; `blocked`: the map site refuses every address and proxy for now; waiting spends no attempt. `unknown`: it sends only answers that nobody knows, and requests pause as after a block. `no_agent`: no agent is connected that may take the job"""
    eta: NotRequired[str]
    """when the job likely ends, by its speed so far; absent while that is unknown"""


class Job(TypedDict):
    """A job and its results so far."""

    id: str
    name: str
    """the name from the request"""
    status: Literal["pending", "running", "completed", "failed", "cancelled", "aborting"]
    """`completed`, `failed` and `cancelled` are final"""
    data: JobData
    created_at: str
    updated_at: str
    """when the status last changed"""
    started_at: NotRequired[str]
    ended_at: NotRequired[str]
    source: Literal["api", "web"]
    """created with an API key, or from the console"""
    monitor_id: NotRequired[str]
    """the monitor that created it"""
    result_count: int
    """places stored so far"""
    total_cost: str
    """credits, with 6 decimals"""
    failure_reason: NotRequired[str]
    """only when failed; begins with an identifier, e.g. `blocked: …`"""
    cancel_reason: NotRequired[Literal["user", "timeout"]]
    partial: NotRequired[bool]
    """true when places may be missing: some tasks failed, or `max_cost` or the credits were used up"""
    partial_reason: NotRequired[Literal["max_cost", "max_results", "max_time", "blocked"]]
    """with `exhaust`, when it is partial: the limit that ended it, or `blocked`: the map site did not answer for parts of the area"""
    coverage: NotRequired[JobCoverage]
    """only with `exhaust`: how complete it is"""
    progress: JobProgress
    outcomes: OutcomeCounts
    limited_reason: NotRequired[Literal["chromium_unavailable"]]
    """why places are `limited` or missing, when it was not only the map site; `chromium_unavailable`: an agent needed Chromium for more, and could not start it"""
    website_visits: NotRequired[WebsiteVisits]
    """only with `include_emails`"""


class JobData(TypedDict):
    """The configuration of a job as it was submitted."""

    keywords: list[str]
    """empty for a job that has only `places`"""
    places: NotRequired[list[str]]
    """places to collect without a search, beside `keywords` or instead of them: links of the map site, also short ones, place ids (`ChIJ…`), CIDs and data ids (`0x…:0x…`). `GET /jobs/{id}/inputs` tells what became of each"""
    language: Literal["ar", "bg", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "he", "hr", "hu", "id", "it", "ja", "ko", "lt", "lv", "ms", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sv", "th", "tr", "uk", "vi", "zh"]
    """the language of the map site and of its texts about places"""
    depth: int
    """pages of each search, about 20 places each"""
    include_emails: bool
    """visit business websites for emails, phones and profiles; `contact_details` is billed for every place, with or without a website"""
    max_images: int
    """images per place; 0 collects none"""
    max_reviews: int
    """reviews per place; 0 collects none. An estimate without this field assumes 50"""
    reviews_sort: Literal["newest", "relevant", "highest", "lowest"]
    """order in which reviews are read, up to `max_reviews`. With `newest` and `relevant` the reviews that the page of the place shows come first (`user_reviews`)"""
    reviews_since: NotRequired[str]
    """older reviews are neither stored nor billed: a date in UTC, e.g. `2026-01-31`"""
    reviews_ratings: NotRequired[list[int]]
    """store and bill only reviews with these stars, e.g. `[1, 2]`"""
    reviewer_names: bool
    """false: reviews are stored without the name, link and picture of their writers"""
    max_results: int
    max_cost: NotRequired[str]
    """the most credits that the job may cost; at this limit it ends as completed and `partial`"""
    website_filter: Literal["all", "no_website", "has_website"]
    """keep only places with, or only places without their own website"""
    categories: NotRequired[list[str]]
    """keep only places of one of these categories, in the language of the job, in any case"""
    min_rating: NotRequired[float]
    """keep only places with this rating or a better one; above 0 unrated places are dropped"""
    min_review_count: NotRequired[int]
    """keep only places with so many reviews or more; a place whose count is hidden is kept as `limited`"""
    has_phone: NotRequired[bool]
    """true: keep only places with a phone; false: only those without one"""
    exclude_closed: NotRequired[bool]
    """drop places that are closed, permanently or temporarily"""
    only_new: NotRequired[bool]
    """drop places that you know from earlier jobs or uploads; they cost nothing and do not count for `max_results`"""
    recheck_after: NotRequired[int]
    """with `only_new`: days after which a known place counts as new again"""
    exhaust: NotRequired[bool]
    """search on until the searches of the area find next to no new place; needs an area (`area`, `bbox`, `near`, or `lat`, `lon` and `radius`) and `max_cost`"""
    coverage: NotRequired[Literal["none", "cells", "audited"]]
    """what `GET /jobs/{id}/coverage` tells: `cells` records which parts of the area were searched, `audited` also searches some of them once more, in other ways, to estimate how many places were missed. Default: `cells` with an area, else `none`. With `exhaust` always `cells`"""
    lat: str
    """latitude of the centre of the search"""
    lon: str
    """longitude of the centre of the search"""
    country: NotRequired[str]
    """country whose view of the map is used (ISO 3166, lower case); default: the country of `lat`, `lon`"""
    zoom: int
    """zoom of the map; 0: the closest that shows `radius`, and without a radius 14, about a town quarter"""
    radius: int
    """metres around `lat`, `lon`; places outside are dropped. 0 is unlimited"""
    area: NotRequired[Area]
    """the area as GeoJSON; places outside are dropped. Instead of `lat`, `lon` and `radius`"""
    bbox: NotRequired[list[float]]
    """the area as a box `[west, south, east, north]` in degrees; places outside are dropped. With `west` above `east` it lies across the date line. Instead of `lat`, `lon` and `radius`"""
    max_time: int
    fast_mode: bool
    """collect only the fields of the search results; several times faster"""
    demo: NotRequired[bool]
    """collect from the simulated city of `npm start`, at no cost; other deployments have no such city"""
    proxy_count: int
    """number of proxies; their addresses are never shown"""


class JobDeliveriesDeliveriesItemAttemptsItem(TypedDict):
    number: int
    at: str
    headers: NotRequired[dict[str, str]]
    """the headers that were sent; absent when the URL was refused"""
    status_code: NotRequired[int]
    """absent without a response"""
    duration_ms: NotRequired[int]
    """from the lookup of the name to the end of the response"""
    response_body: NotRequired[str]
    """the first kilobyte of the response; absent when it was empty"""
    error: NotRequired[str]
    """what went wrong; absent after a 2xx and while the attempt is in flight"""


class JobDeliveriesDeliveriesItem(TypedDict):
    id: str
    """same as X-Webhook-ID"""
    event_type: Literal["job.completed", "job.failed", "job.cancelled", "monitor.paused", "webhook.test"]
    job_id: NotRequired[str]
    """the job that ended; absent for other events"""
    body: str
    """the JSON that is sent, byte for byte"""
    headers: NotRequired[dict[str, str]]
    """the headers of the latest request; absent before the first one"""
    status: Literal["pending", "delivered", "failed", "dropped"]
    """`dropped`: the webhook was revoked or disabled first"""
    attempt_count: int
    attempts: list[JobDeliveriesDeliveriesItemAttemptsItem]
    """oldest first, at most the latest 20"""
    next_attempt_at: NotRequired[str]
    """absent when no attempt is due"""
    created_at: str
    ended_at: NotRequired[str]
    webhook_id: str
    """the webhook that receives it"""


class JobDeliveries(TypedDict):
    """The deliveries that the end of a job caused."""

    deliveries: list[JobDeliveriesDeliveriesItem]


class JobEndedEvent(TypedDict):
    """A job has ended."""

    event_type: Literal["job.completed", "job.failed", "job.cancelled"]
    job_id: str
    job_name: str
    status: Literal["completed", "failed", "cancelled"]
    result_count: int
    """the stored places; 0 for a failed job"""
    created_at: str
    ended_at: str


class JobList(TypedDict):
    """A page of jobs."""

    jobs: list[Job]
    total: int
    """jobs on all pages"""
    page: int
    limit: int
    has_more: bool
    """whether another page follows"""


class JobTaskAttemptsItem(TypedDict):
    number: int
    started_at: str
    ended_at: NotRequired[str]
    """absent while it runs"""
    result: NotRequired[Literal["finished", "failed", "refused", "handed_back", "lost", "cancelled"]]
    """absent while it runs. `refused`: the map site refused it for now; `handed_back`: its agent gave it back, as when it stops; `lost`: its agent stopped answering"""
    reason: NotRequired[Literal["blocked", "proxies_failed", "source_unavailable", "layout_changed", "chromium_unavailable", "agent_crashed"]]
    """why it failed"""
    message: NotRequired[str]
    agent: NotRequired[str]
    """the name of its agent; only operators see it"""
    agent_id: NotRequired[str]
    """the process of its agent; only operators see it"""
    exit: NotRequired[str]
    """the name of the address of its agent, if the task has no proxies; only operators see it"""
    detail: NotRequired[str]
    """the cause in the words of the agent; only operators see it"""


class JobTask(TypedDict):
    """One unit of work of a job, and its attempts."""

    id: str
    kind: Literal["discover", "collect"]
    """`discover`: one search; `collect`: a group of up to 20 places"""
    ordinal: int
    """its number among the tasks of its kind, from 0"""
    keyword: NotRequired[str]
    """of a search"""
    audit: NotRequired[bool]
    """true for a search that only estimates how many places there are"""
    state: Literal["waiting", "released", "running", "done", "failed", "cancelled"]
    """`waiting`: not in the queue yet; `released`: in the queue"""
    stored: int
    """places that its latest attempt stored"""
    not_before: NotRequired[str]
    """of `waiting`: it is not tried before this time"""
    attempts: list[JobTaskAttemptsItem]
    """its latest ten, oldest first"""
    created_at: str


class JobTaskList(TypedDict):
    """Tasks in their order, searches first."""

    tasks: list[JobTask]
    has_more: bool
    """whether more tasks follow"""


class KnownPlace(TypedDict):
    """A place that you have already."""

    place_key: str
    """the id of the place; exports have it as `data_id`. `0x0:0x…` when only its CID was uploaded"""
    title: NotRequired[str]
    """absent when no job stored it, or when the job that last did is deleted"""
    city: NotRequired[str]
    first_seen_at: str
    last_seen_at: str
    last_job_id: NotRequired[str]
    """absent when no job saw it since it was uploaded"""
    collected_at: str
    """when a job last stored it, or when it was uploaded"""


class KnownPlaceList(TypedDict):
    """Known places in the order of their keys."""

    known_places: list[KnownPlace]
    has_more: bool
    """whether more places follow"""


class Link(TypedDict):
    """A page about a place."""

    link: str
    source: NotRequired[str]


class MonitorJob(TypedDict):
    """the job that each run creates"""

    keywords: list[str]
    """empty for a job that has only `places`"""
    places: NotRequired[list[str]]
    """places to collect without a search, beside `keywords` or instead of them: links of the map site, also short ones, place ids (`ChIJ…`), CIDs and data ids (`0x…:0x…`). `GET /jobs/{id}/inputs` tells what became of each"""
    language: Literal["ar", "bg", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "he", "hr", "hu", "id", "it", "ja", "ko", "lt", "lv", "ms", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sv", "th", "tr", "uk", "vi", "zh"]
    """the language of the map site and of its texts about places"""
    depth: int
    """pages of each search, about 20 places each"""
    include_emails: bool
    """visit business websites for emails, phones and profiles; `contact_details` is billed for every place, with or without a website"""
    max_images: int
    """images per place; 0 collects none"""
    max_reviews: int
    """reviews per place; 0 collects none. An estimate without this field assumes 50"""
    reviews_sort: Literal["newest", "relevant", "highest", "lowest"]
    """order in which reviews are read, up to `max_reviews`. With `newest` and `relevant` the reviews that the page of the place shows come first (`user_reviews`)"""
    reviews_since: NotRequired[str]
    """older reviews are neither stored nor billed: a date in UTC, e.g. `2026-01-31`"""
    reviews_ratings: NotRequired[list[int]]
    """store and bill only reviews with these stars, e.g. `[1, 2]`"""
    reviewer_names: bool
    """false: reviews are stored without the name, link and picture of their writers"""
    max_results: int
    max_cost: NotRequired[str]
    """the most credits that the job may cost; at this limit it ends as completed and `partial`"""
    website_filter: Literal["all", "no_website", "has_website"]
    """keep only places with, or only places without their own website"""
    categories: NotRequired[list[str]]
    """keep only places of one of these categories, in the language of the job, in any case"""
    min_rating: NotRequired[float]
    """keep only places with this rating or a better one; above 0 unrated places are dropped"""
    min_review_count: NotRequired[int]
    """keep only places with so many reviews or more; a place whose count is hidden is kept as `limited`"""
    has_phone: NotRequired[bool]
    """true: keep only places with a phone; false: only those without one"""
    exclude_closed: NotRequired[bool]
    """drop places that are closed, permanently or temporarily"""
    only_new: NotRequired[bool]
    """drop places that you know from earlier jobs or uploads; they cost nothing and do not count for `max_results`"""
    recheck_after: NotRequired[int]
    """with `only_new`: days after which a known place counts as new again"""
    exhaust: NotRequired[bool]
    """search on until the searches of the area find next to no new place; needs an area (`area`, `bbox`, `near`, or `lat`, `lon` and `radius`) and `max_cost`"""
    coverage: NotRequired[Literal["none", "cells", "audited"]]
    """what `GET /jobs/{id}/coverage` tells: `cells` records which parts of the area were searched, `audited` also searches some of them once more, in other ways, to estimate how many places were missed. Default: `cells` with an area, else `none`. With `exhaust` always `cells`"""
    lat: str
    """latitude of the centre of the search"""
    lon: str
    """longitude of the centre of the search"""
    country: NotRequired[str]
    """country whose view of the map is used (ISO 3166, lower case); default: the country of `lat`, `lon`"""
    zoom: int
    """zoom of the map; 0: the closest that shows `radius`, and without a radius 14, about a town quarter"""
    radius: int
    """metres around `lat`, `lon`; places outside are dropped. 0 is unlimited"""
    area: NotRequired[Area]
    """the area as GeoJSON; places outside are dropped. Instead of `lat`, `lon` and `radius`"""
    bbox: NotRequired[list[float]]
    """the area as a box `[west, south, east, north]` in degrees; places outside are dropped. With `west` above `east` it lies across the date line. Instead of `lat`, `lon` and `radius`"""
    max_time: int
    fast_mode: bool
    """collect only the fields of the search results; several times faster"""
    demo: NotRequired[bool]
    """collect from the simulated city of `npm start`, at no cost; other deployments have no such city"""
    proxy_count: int
    """number of proxies; their addresses are never shown"""
    name: str


class MonitorSchedule1(TypedDict):
    cron: str
    """five fields: minute, hour, day of month, month, day of week"""
    timezone: str
    """name of the time zone of `cron`, e.g. Europe/Nicosia"""


class MonitorSchedule2(TypedDict):
    every: str
    """interval in minutes, hours or days: `90m`, `12h`, `7d`"""


class Monitor(TypedDict):
    """A job that is created again and again."""

    id: str
    name: str
    job: MonitorJob
    """the job that each run creates"""
    schedule: MonitorSchedule1 | MonitorSchedule2
    """when it runs: by `cron` and `timezone`, or at intervals with `every`; at most every 15 minutes"""
    jitter_seconds: int
    ends_at: NotRequired[str]
    watch_ratings: bool
    knows_area: bool
    """whether its runs have found nearly all places; until then no place counts as `new`"""
    paused: bool
    pause_reason: NotRequired[str]
    """begins with `insufficient_credits`, `key_limit` or `failures` when the service paused it"""
    next_runs: list[str]
    """when the next five runs begin; empty while it is paused"""
    last_run: NotRequired[MonitorRun]
    created_at: str
    updated_at: str


class MonitorList(TypedDict):
    """All monitors, oldest first."""

    monitors: list[Monitor]


class MonitorPausedEvent(TypedDict):
    """The service paused a monitor."""

    event_type: Literal["monitor.paused"]
    monitor_id: str
    monitor_name: str
    reason: str
    """why the service paused the monitor"""
    paused_at: str


class MonitorRun(TypedDict):
    """One run of a monitor."""

    due_at: str
    """when it was due; for a run by hand, when it was requested"""
    state: Literal["due", "started", "completed", "failed", "cancelled", "skipped"]
    """`due`: its job is being created; `skipped`: it got no job, see `reason`"""
    reason: NotRequired[str]
    """of `failed`: as for a job. Of `skipped`: begins with `overlap` (the previous run had not ended), `missed` (no coordinator ran at that time), `paused`, or the error of the creation, such as `insufficient_credits` or `concurrent_job_limit`"""
    job_id: NotRequired[str]
    """its job"""
    places: int
    """places that it stored; this and the next five count once it has ended"""
    new: int
    """places that its monitor reports as new"""
    changed: int
    gone: int
    back: int
    cost: str
    """what it cost: credits, with 6 decimals"""
    started_at: NotRequired[str]
    ended_at: NotRequired[str]


class MonitorRuns(TypedDict):
    """Runs, newest first."""

    runs: list[MonitorRun]


class NamedPlace(TypedDict):
    """What became of one of the named places."""

    input: str
    """an entry of `places`, as it was sent"""
    status: Literal["pending", "stored", "duplicate", "not_found", "filtered", "out_of_area", "blocked", "failed"]
    """`duplicate`: another entry or a search brought the place; `not_found`: the map site has no such place; `filtered`: a filter or `only_new` dropped it; `blocked`: the map site refused it; `failed`: there was no usable answer, or the job ended first"""
    result_id: NotRequired[int]
    """the `id` of the stored place, also for a duplicate"""


class NamedPlaceList(TypedDict):
    """Named places in the order of the request."""

    inputs: list[NamedPlace]
    has_more: bool
    """whether more follow"""
    after: int
    """send it as `after` for those that follow"""


class NewApiKey(TypedDict):
    """A new API key. It is shown only once."""

    id: str
    name: str
    key_hint_prefix: str
    """one end of the key, to recognize it"""
    key_hint_suffix: str
    """one end of the key, to recognize it"""
    key: str
    """shown only once"""


class NewWebhook(TypedDict):
    """A webhook with its secret, which is shown only once."""

    id: str
    name: str
    url: str
    secret: str
    """signs the deliveries; shown only once"""


OpenInterval = TypedDict(
    "OpenInterval",
    {
        # the weekday on which it begins: 1 is Monday, 7 Sunday
        "day": "int",
        # minutes after midnight
        "from": "int",
        # minutes after the midnight before `from`; above 1440 on the next day
        "to": "int",
    },
)
"""A time in which a place is open, in its own time zone."""


class OutcomeCounts(TypedDict):
    """The number of places and pages of a job by outcome."""

    ok: int
    """places stored"""
    empty: int
    """searches that found nothing"""
    filtered: int
    """places dropped by a filter"""
    known: int
    """places dropped by `only_new`, because you have them already"""
    duplicate: int
    """places found more than once"""
    out_of_area: int
    """places outside `radius`"""
    blocked: int
    """pages that the map site refused"""
    consent: int
    """pages that showed only a consent form"""
    limited: int
    """pages that the map site cut short, or sends in another language only"""
    broken: int
    """pages that could not be read"""
    timeout: int
    """pages that timed out"""


class Owner(TypedDict):
    """The map account that owns the listing. Absent for a place that nobody has claimed."""

    id: NotRequired[str]
    name: NotRequired[str]
    link: NotRequired[str]


class Post(TypedDict):
    """What the owner has posted on the map site."""

    text: str
    published_at: NotRequired[str]
    link: NotRequired[str]
    """the page of the post"""
    image: NotRequired[str]


class Question(TypedDict):
    """A question of a visitor, with the answers that the page shows."""

    question: str
    answers: list[str]


class ReconcileRequest(TypedDict):
    """A paid checkout."""

    session_id: str
    """the id that the checkout returned"""


class Result(TypedDict):
    """A stored place. Optional fields are absent when empty."""

    title: str
    """the name of the business, in the language of the job"""
    category: str
    """the main category, in the language of the job; empty when the place has none"""
    categories: NotRequired[list[str]]
    """all categories, the main one first"""
    address: str
    """the whole address in one line; empty when the place has none"""
    complete_address: NotRequired[CompleteAddress]
    """the address in its parts"""
    website: str
    """the listed website, without the redirect of the map site; empty when the place has none"""
    phone: str
    """the listed phone, as the map site writes it; empty when the place has none"""
    plus_code: NotRequired[str]
    """the position as an Open Location Code"""
    latitude: NotRequired[float]
    """decimal degrees"""
    longitude: NotRequired[float]
    """decimal degrees"""
    rating: float
    """0 when unrated"""
    review_count: NotRequired[int]
    """absent when the map site does not show it"""
    reviews_per_rating: NotRequired[dict[str, int]]
    """the number of ratings by stars"""
    reviews_link: NotRequired[str]
    """the page with the reviews"""
    price_range: NotRequired[str]
    """in the words of the site, e.g. "€10–20" """
    open_hours: dict[str, list[str]]
    """English weekdays with the times as the map site writes them"""
    open_intervals: NotRequired[list[OpenInterval]]
    """`open_hours` of the seven days from that day on as numbers, Monday first; absent when not certain"""
    popular_times: NotRequired[dict[str, dict[str, int]]]
    """how busy it is, in percent, by English weekday and hour"""
    status: NotRequired[str]
    """whether the place is open now, in the words of the site; never says otherwise than `closed`"""
    description: NotRequired[str]
    """the editorial text, else the text of the owner"""
    thumbnail: NotRequired[str]
    """the first picture"""
    street_view_url: NotRequired[str]
    """a picture of the street"""
    timezone: NotRequired[str]
    """an IANA time zone, e.g. "Asia/Nicosia" """
    place_id: NotRequired[str]
    """the public id of the map site, which begins with `ChIJ`"""
    data_id: NotRequired[str]
    """the id in the links of the map site, `0x…:0x…`"""
    cid: NotRequired[str]
    """the second half of `data_id` as a decimal number"""
    link: NotRequired[str]
    """the page of the place on the map site"""
    owner: NotRequired[Owner]
    """the account that owns the listing; absent for a place that nobody has claimed"""
    images: list[Image]
    """at most `max_images`, in full size"""
    reservations: NotRequired[list[Link]]
    """pages to reserve a table"""
    order_online: NotRequired[list[Link]]
    """pages to order food"""
    menu: NotRequired[Link]
    """the page of the menu"""
    about: NotRequired[list[AboutSection]]
    """properties such as accessibility, under their headings"""
    credit_cards_accepted: NotRequired[list[str]]
    """the accepted cards"""
    user_reviews: list[Review]
    """the reviews that the page of the place shows"""
    user_reviews_extended: NotRequired[list[Review]]
    """further reviews, loaded page by page"""
    emails: str
    """separated by a comma and a space; empty when there are none"""
    social_links: NotRequired[dict[str, str]]
    """profiles that the website links, by network; with `include_emails`"""
    phones: NotRequired[list[str]]
    """phones that the website names; with `include_emails`"""
    closed: NotRequired[Literal["permanently", "temporarily"]]
    """absent while the place is open, and when the answer does not tell"""
    claimed: NotRequired[bool]
    """whether an owner has claimed the place; absent when the answer does not tell"""
    local_title: NotRequired[str]
    """the name in the language of the place, when it differs"""
    local_address: NotRequired[str]
    """the address in the language of the place, when it differs"""
    phone_e164: NotRequired[str]
    """`phone` in the form E.164, e.g. "+35725101555" """
    time_spent: NotRequired[str]
    """how long people stay, in the words of the site"""
    booking_links: NotRequired[list[Link]]
    """pages to book an appointment or ask for an estimate"""
    posts: NotRequired[list[Post]]
    """newest first"""
    services: NotRequired[list[ServiceGroup]]
    """services, or dishes of a menu, under their headings"""
    questions: NotRequired[list[Question]]
    """questions of visitors, with the answers that the page shows"""
    popular_dishes: NotRequired[list[Dish]]
    """dishes that visitors show in their photos"""
    also_searched: NotRequired[list[SimilarPlace]]
    """places that people also search for"""
    review_topics: NotRequired[list[ReviewTopic]]
    """words that reviews have in common"""
    email_details: NotRequired[list[EmailDetail]]
    """what is known about each address of `emails`"""
    limited: NotRequired[list[Literal["reviews", "images", "details"]]]
    """the parts of which the map site held something back; absent when nothing is known to be missing"""
    id: int
    """unique in the deployment; rises in order of storage"""
    user_id: str
    """the user whose job stored it"""
    job_id: str
    """the job that stored it"""
    input: NotRequired[str]
    """the text in `places` that named it; absent when a search found it"""
    email_list: NotRequired[list[str]]
    """the same as `emails`, as a list"""
    web_presence: Literal["none", "social", "directory", "builder", "booking", "has"]
    """which kind of website the business has"""
    created_at: str
    """when it was stored"""


class ResultPage(TypedDict):
    """A page of the results of a job."""

    results: list[Result]
    total: int
    """items on all pages"""
    page: int
    limit: int
    has_more: bool
    """whether another page follows"""
    web_presence_counts: WebPresenceCounts


class RetriedDeliveries(TypedDict):
    """How many failed deliveries are retried."""

    retried: int
    """deliveries that get one more attempt"""


class RetryFailedRequest(TypedDict):
    """Which failed deliveries to retry."""

    since: str
    """retry what was created at this time or later"""


class Review(TypedDict):
    """A review of a place."""

    id: str
    author: NotRequired[str]
    author_url: NotRequired[str]
    profile_picture: NotRequired[str]
    rating: NotRequired[float]
    text: str
    """empty when the author gave only a rating"""
    text_original: NotRequired[str]
    """the text as written, when `text` is its translation"""
    language: NotRequired[str]
    published_at: NotRequired[str]
    relative_time: NotRequired[str]
    """the age of the review in the words of the site, e.g. "2 months ago" """
    images: list[str]
    videos: NotRequired[list[str]]
    answers: NotRequired[list[ReviewAnswer]]
    """answers to questions of the map site"""
    reply: NotRequired[ReviewReply]
    """the owner's reply"""


class ReviewAnswer(TypedDict):
    """The answer of a reviewer to a question of the map site."""

    id: str
    """the question, the same in every language, e.g. `GUIDED_DINING_FOOD_ASPECT`"""
    name: NotRequired[str]
    """the question in words, e.g. "Food" """
    rating: NotRequired[float]
    choices: NotRequired[list[str]]


class ReviewReply(TypedDict):
    """The owner's reply to a review."""

    text: NotRequired[str]
    published_at: NotRequired[str]


class ReviewTopic(TypedDict):
    """A word that reviews of the place have in common, and the number of these reviews."""

    topic: str
    count: int


class Service(TypedDict):
    """A service, or a dish of a menu."""

    name: str
    price: NotRequired[str]
    """in the words of the site, e.g. "From €40.00" """
    description: NotRequired[str]


class ServiceGroup(TypedDict):
    """Services under one heading."""

    name: str
    items: list[Service]


class SimilarPlace(TypedDict):
    """A place that people also search for."""

    title: str
    place_id: NotRequired[str]
    rating: NotRequired[float]


class SpendingLimits(TypedDict):
    """The most that the jobs created with an API key may cost."""

    day: NotRequired[str]
    """credits for the jobs of one UTC day"""
    month: NotRequired[str]
    """credits for the jobs of one UTC month"""


class SpendingLimitsInput(TypedDict):
    """The most that the jobs created with an API key may cost."""

    day: NotRequired[str]
    """credits for the jobs of one UTC day"""
    month: NotRequired[str]
    """credits for the jobs of one UTC month"""


class StartedRun(TypedDict):
    """The job of the run."""

    job_id: str


class Town(TypedDict):
    """A town of the GeoNames list."""

    name: str
    country: str
    """ISO 3166 code of two letters"""
    region: str
    """the region's code within the country; distinguishes towns of the same name"""
    lat: float
    lon: float
    population: int


class TownList(TypedDict):
    """Towns, the best matches first."""

    towns: list[Town]


class UploadedPlaces(TypedDict):
    """The result of an upload."""

    added: int
    """places that were not known before"""
    already_known: int
    unreadable: int
    """rows without a readable id, or with a short link alone; they were skipped"""


class Webhook(TypedDict):
    """A URL that is notified when a job ends."""

    id: str
    name: str
    url: str
    event_types: list[Literal["job.completed", "job.failed", "job.cancelled", "monitor.paused"]]
    """the events that are sent"""
    verified_at: NotRequired[str]
    """when the first delivery to this URL succeeded"""
    created_at: str
    updated_at: str
    health_state: Literal["healthy", "degraded", "disabled"]
    consecutive_failures: int
    """consecutive deliveries that used up all their attempts"""
    disabled_at: NotRequired[str]
    disabled_reason: NotRequired[Literal["http_5xx", "http_4xx", "transport_error"]]
    revoked_at: NotRequired[str]
    """absent while the webhook is active"""


class WebhookDeliveryAttemptsItem(TypedDict):
    number: int
    at: str
    headers: NotRequired[dict[str, str]]
    """the headers that were sent; absent when the URL was refused"""
    status_code: NotRequired[int]
    """absent without a response"""
    duration_ms: NotRequired[int]
    """from the lookup of the name to the end of the response"""
    response_body: NotRequired[str]
    """the first kilobyte of the response; absent when it was empty"""
    error: NotRequired[str]
    """what went wrong; absent after a 2xx and while the attempt is in flight"""


class WebhookDelivery(TypedDict):
    """One event for one webhook, and its result."""

    id: str
    """same as X-Webhook-ID"""
    event_type: Literal["job.completed", "job.failed", "job.cancelled", "monitor.paused", "webhook.test"]
    job_id: NotRequired[str]
    """the job that ended; absent for other events"""
    body: str
    """the JSON that is sent, byte for byte"""
    headers: NotRequired[dict[str, str]]
    """the headers of the latest request; absent before the first one"""
    status: Literal["pending", "delivered", "failed", "dropped"]
    """`dropped`: the webhook was revoked or disabled first"""
    attempt_count: int
    attempts: list[WebhookDeliveryAttemptsItem]
    """oldest first, at most the latest 20"""
    next_attempt_at: NotRequired[str]
    """absent when no attempt is due"""
    created_at: str
    ended_at: NotRequired[str]


class WebhookDeliveryPage(TypedDict):
    """A page of the deliveries of a webhook."""

    deliveries: list[WebhookDelivery]
    total: int
    """items on all pages"""
    page: int
    limit: int
    has_more: bool
    """whether another page follows"""


class WebhookTestEvent(TypedDict):
    """Somebody tests the webhook."""

    event_type: Literal["webhook.test"]
    webhook_id: str
    webhook_name: str
    created_at: str


class WebPresenceCounts(TypedDict):
    """The number of stored places of the job by tier. Filters do not change it."""

    none: int
    social: int
    directory: int
    builder: int
    booking: int
    has: int


class WebsiteVisits(TypedDict):
    """How the visits of business websites ended, counted."""

    ok: int
    """websites that name an address"""
    none: int
    """websites that were read and name no address"""
    blocked: int
    """websites that refuse to answer"""
    timeout: int
    """websites that did not answer in time"""
    robots: int
    """websites whose robots.txt does not let us in"""
    unreachable: int
    """websites that cannot be read: no answer, an error, or no page"""


class CreateJobRequestChanges(TypedDict):
    """The search, the fields to collect, and the limits of a job."""

    name: NotRequired[str]
    """a name for you; exported files are named after it"""
    keywords: NotRequired[list[str]]
    """what to search for, 1 to 5; none beside `places`. Each keyword is a separate search. A link of a search on the map site means its words, its centre and its zoom. Default: []."""
    places: NotRequired[list[str]]
    """places to collect without a search, beside `keywords` or instead of them: links of the map site, also short ones, place ids (`ChIJ…`), CIDs and data ids (`0x…:0x…`). `GET /jobs/{id}/inputs` tells what became of each"""
    language: NotRequired[Literal["ar", "bg", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "he", "hr", "hu", "id", "it", "ja", "ko", "lt", "lv", "ms", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sv", "th", "tr", "uk", "vi", "zh"]]
    """the language of the map site and of its texts about places"""
    depth: NotRequired[int]
    """pages of each search, about 20 places each. Default: 5."""
    include_emails: NotRequired[bool]
    """visit business websites for emails, phones and profiles; `contact_details` is billed for every place, with or without a website. Default: false."""
    max_images: NotRequired[int]
    """images per place; 0 collects none. Default: 0."""
    max_reviews: NotRequired[int]
    """reviews per place; 0 collects none. An estimate without this field assumes 50. Default: 0."""
    reviews_sort: NotRequired[Literal["newest", "relevant", "highest", "lowest"]]
    """order in which reviews are read, up to `max_reviews`. With `newest` and `relevant` the reviews that the page of the place shows come first (`user_reviews`). Default: "newest"."""
    reviews_since: NotRequired[str]
    """older reviews are neither stored nor billed: a date in UTC, e.g. `2026-01-31`"""
    reviews_ratings: NotRequired[list[int]]
    """store and bill only reviews with these stars, e.g. `[1, 2]`"""
    reviewer_names: NotRequired[bool]
    """false: reviews are stored without the name, link and picture of their writers. Default: true."""
    max_results: NotRequired[int]
    """places for the whole job: 1 to 500, by default 50; with `places` up to 1000, by default their number; with `exhaust` up to 100000, which is also the default"""
    max_cost: NotRequired[str]
    """the most credits that the job may cost; at this limit it ends as completed and `partial`"""
    website_filter: NotRequired[Literal["all", "no_website", "has_website"]]
    """keep only places with, or only places without their own website. Default: "all"."""
    categories: NotRequired[list[str]]
    """keep only places of one of these categories, in the language of the job, in any case"""
    min_rating: NotRequired[float]
    """keep only places with this rating or a better one; above 0 unrated places are dropped"""
    min_review_count: NotRequired[int]
    """keep only places with so many reviews or more; a place whose count is hidden is kept as `limited`"""
    has_phone: NotRequired[bool]
    """true: keep only places with a phone; false: only those without one"""
    exclude_closed: NotRequired[bool]
    """drop places that are closed, permanently or temporarily"""
    only_new: NotRequired[bool]
    """drop places that you know from earlier jobs or uploads; they cost nothing and do not count for `max_results`"""
    recheck_after: NotRequired[int]
    """with `only_new`: days after which a known place counts as new again"""
    exhaust: NotRequired[bool]
    """search on until the searches of the area find next to no new place; needs an area (`area`, `bbox`, `near`, or `lat`, `lon` and `radius`) and `max_cost`"""
    coverage: NotRequired[Literal["none", "cells", "audited"]]
    """what `GET /jobs/{id}/coverage` tells: `cells` records which parts of the area were searched, `audited` also searches some of them once more, in other ways, to estimate how many places were missed. Default: `cells` with an area, else `none`. With `exhaust` always `cells`"""
    lat: NotRequired[str]
    """latitude of the centre of the search. Default: ""."""
    lon: NotRequired[str]
    """longitude of the centre of the search. Default: ""."""
    country: NotRequired[str]
    """country whose view of the map is used (ISO 3166, lower case); default: the country of `lat`, `lon`"""
    zoom: NotRequired[int]
    """zoom of the map; 0: the closest that shows `radius`, and without a radius 14, about a town quarter. Default: 0."""
    radius: NotRequired[int]
    """metres around `lat`, `lon`; places outside are dropped. 0 is unlimited. Default: 0."""
    near: NotRequired[str]
    """a town as the centre, instead of `lat` and `lon`: its name, e.g. "Limassol", and where several have it also its region or country, e.g. "Berlin, DE" or "Springfield, IL, US". Without a `radius`, one by its size is used: 2 to 50 km. The job then has the `lat`, `lon` and `radius`. Several towns: 400 with the candidates"""
    area: NotRequired[AreaInput]
    """the area as GeoJSON; places outside are dropped. Instead of `lat`, `lon` and `radius`"""
    bbox: NotRequired[list[float]]
    """the area as a box `[west, south, east, north]` in degrees; places outside are dropped. With `west` above `east` it lies across the date line. Instead of `lat`, `lon` and `radius`"""
    max_time: NotRequired[int]
    """the longest duration in seconds, counted from `started_at`; then the job ends and keeps its stored places: 1 to 3600, by default 1800; with `exhaust` up to 86400, which is also the default. Time in which the map site refuses every address and proxy of the job does not count, up to `max_time` once more and a day at most; `progress.waiting_until` says until when. A pending job that no connected agent may take fails after a day (`no_agent`), or the time that the operator chose, and is not billed"""
    fast_mode: NotRequired[bool]
    """collect only the fields of the search results; several times faster. Default: false."""
    demo: NotRequired[bool]
    """collect from the simulated city of `npm start`, at no cost; other deployments have no such city"""
    proxies: NotRequired[list[str]]
    """your own proxies, all together at most 32 KiB: URLs (http, https, socks5, socks5h), or host:port, host:port:user:password, user:password@host:port. Default: []."""


class DownloadJobResultsQuery(TypedDict):
    format: NotRequired[Literal["csv", "xlsx", "jsonl", "geojson", "parquet"]]
    """the file format"""
    web_presence: NotRequired[str]
    """tiers, `all`, `no_website` or `has_website`, separated by commas"""
    columns: NotRequired[str]
    """the columns in the order of the file, separated by commas; absent: all, which are id, user_id, job_id, title, category, address, website, phone, emails, web_presence, review_count, rating, open_hours, images, user_reviews, created_at, reviews_link, popular_times, reviews_per_rating, user_reviews_extended, reservations, order_online, menu, owner, latitude, longitude, description, timezone, price_range, complete_address, about, place_id, data_id, cid, link, plus_code, status, thumbnail, street_view_url, categories, credit_cards_accepted, social_links, phones, closed, claimed, local_title, local_address, phone_e164, time_spent, booking_links, posts, services, questions, popular_dishes, also_searched, review_topics, email_list, email_details, limited, open_intervals, input"""
    bom: NotRequired[Literal["true", "false"]]
    """csv only: begin with a byte order mark, so that Excel detects UTF-8"""
    delimiter: NotRequired[Literal["comma", "semicolon"]]
    """csv only: the separator of cells"""
    expires: NotRequired[str]
    """of a download link: until when it works"""
    signature: NotRequired[str]
    """of a download link: makes an API key unnecessary"""
    so_far: NotRequired[Literal["true", "false"]]
    """true: also while the job goes on, what it has stored so far"""


class DownloadMonitorChangesQuery(TypedDict):
    format: NotRequired[Literal["csv", "jsonl"]]
    """the file format"""
    since: NotRequired[str]
    """only changes seen since this time"""


class DownloadResultsQuery(TypedDict):
    format: NotRequired[Literal["csv", "xlsx", "jsonl", "geojson", "parquet"]]
    """the file format"""
    web_presence: NotRequired[str]
    """tiers, `all`, `no_website` or `has_website`, separated by commas"""
    columns: NotRequired[str]
    """the columns in the order of the file, separated by commas; absent: all, which are id, user_id, job_id, title, category, address, website, phone, emails, web_presence, review_count, rating, open_hours, images, user_reviews, created_at, reviews_link, popular_times, reviews_per_rating, user_reviews_extended, reservations, order_online, menu, owner, latitude, longitude, description, timezone, price_range, complete_address, about, place_id, data_id, cid, link, plus_code, status, thumbnail, street_view_url, categories, credit_cards_accepted, social_links, phones, closed, claimed, local_title, local_address, phone_e164, time_spent, booking_links, posts, services, questions, popular_dishes, also_searched, review_topics, email_list, email_details, limited, open_intervals, input"""
    bom: NotRequired[Literal["true", "false"]]
    """csv only: begin with a byte order mark, so that Excel detects UTF-8"""
    delimiter: NotRequired[Literal["comma", "semicolon"]]
    """csv only: the separator of cells"""
    monitor_id: NotRequired[str]
    """only jobs of this monitor"""
    search: NotRequired[str]
    """part of the name or of a keyword, in any letter case; at most 200 bytes"""


class GetDailySpendingQuery(TypedDict):
    days: NotRequired[int]
    """number of days up to today; default 30"""


class GetJobQuery(TypedDict):
    wait: NotRequired[int]
    """the longest time to wait for a change of the status, in seconds; default 0"""


class GetJobCoverageQuery(TypedDict):
    format: NotRequired[Literal["json", "geojson"]]
    """`geojson`: the cells as polygons. Default: by the header `Accept`, else `json`"""


class ListCreditTransactionsQuery(TypedDict):
    limit: NotRequired[int]
    """items per page; default 50"""
    type: NotRequired[Literal["", "purchase", "consumption", "bonus", "refund", "adjustment", "refund_deficit", "deficit_paydown"]]
    """only this type; empty for all types"""


class ListJobInputsQuery(TypedDict):
    after: NotRequired[int]
    """how many of the named places to skip; default 0"""
    limit: NotRequired[int]
    """named places per page; a CSV file has all; default 100"""
    format: NotRequired[Literal["json", "csv"]]
    """`csv`: the columns `input`, `status` and `result_id`"""


class ListJobResultsQuery(TypedDict):
    limit: NotRequired[int]
    """items per page; default 50"""
    web_presence: NotRequired[str]
    """tiers, `all`, `no_website` or `has_website`, separated by commas"""


class ListJobsQuery(TypedDict):
    limit: NotRequired[int]
    """items per page; default 10"""
    sort: NotRequired[Literal["created_at", "name", "status", "updated_at"]]
    """what to sort by"""
    order: NotRequired[Literal["asc", "desc"]]
    """ascending or descending"""
    status: NotRequired[Literal["pending", "running", "completed", "failed", "cancelled", "aborting"]]
    """only jobs of this status"""
    search: NotRequired[str]
    """part of the name or of a keyword, in any letter case; at most 200 bytes"""
    after: NotRequired[str]
    """the id of the last job that you have: only those behind it; instead of `page`"""


class ListJobTasksQuery(TypedDict):
    after: NotRequired[str]
    """the id of the last task that you have"""
    state: NotRequired[Literal["waiting", "released", "running", "done", "failed", "cancelled"]]
    """only tasks in this state"""
    limit: NotRequired[int]
    """number of tasks; default 100"""


class ListKnownPlacesQuery(TypedDict):
    after: NotRequired[str]
    """the last `place_key` of the page before"""
    limit: NotRequired[int]
    """places per page; default 100"""


class ListMonitorChangesQuery(TypedDict):
    after: NotRequired[int]
    """the `sequence` of the last change that you have; default 0"""
    order: NotRequired[Literal["asc", "desc"]]
    """`desc`: the newest first, continued with `before`"""
    since: NotRequired[str]
    """only changes seen since this time"""
    limit: NotRequired[int]
    """number of changes; default 100"""


class ListMonitorRunsQuery(TypedDict):
    limit: NotRequired[int]
    """number of runs; default 50"""


class ListResultsQuery(TypedDict):
    limit: NotRequired[int]
    """maximum number of results; default 50"""
    offset: NotRequired[int]
    """number of results to skip; default 0"""


class ListWebhookDeliveriesQuery(TypedDict):
    limit: NotRequired[int]
    """items per page; default 20"""
    event_type: NotRequired[Literal["job.completed", "job.failed", "job.cancelled", "monitor.paused", "webhook.test"]]
    """deliveries of this event"""
    status: NotRequired[Literal["pending", "delivered", "failed", "dropped"]]
    """deliveries with this status"""


class SearchTownsQuery(TypedDict):
    search: str
    """the beginning of the name, in any letter case, with or without accents"""
    limit: NotRequired[int]
    """maximum number of towns; default 8"""


class StreamJobQuery(TypedDict):
    after: NotRequired[int]
    """the position of the last place that you received; default 0"""
    places: NotRequired[Literal["true", "false"]]
    """false: only the progress and the end"""


class StreamJobEventPlace(TypedDict):
    type: Literal["place"]
    position: int
    """the number of the place within the job: 1, 2, 3 …; send the last one as `after`"""
    place: Result


class StreamJobEventProgressProgress(TypedDict):
    discovered: int
    collected: int
    tasks_total: int
    tasks_done: int
    waiting_until: NotRequired[str]
    """when a waiting job continues; this time does not count against `max_time`, within its bounds"""
    waiting_reason: NotRequired[Literal["blocked", "unknown", "no_agent"]]
    """why the job waits; `blocked`: the map site refuses every address and proxy for now; waiting spends no attempt. `unknown`: it sends only answers that nobody knows, and requests pause as after a block. `no_agent`: no agent is connected that may take the job"""
    eta: NotRequired[str]
    """when the job likely ends, by its speed so far; absent while that is unknown"""


class StreamJobEventProgress(TypedDict):
    type: Literal["progress"]
    status: Literal["pending", "running", "completed", "failed", "cancelled", "aborting"]
    """`completed`, `failed` and `cancelled` are final"""
    result_count: int
    """places stored so far"""
    total_cost: str
    """credits, with 6 decimals"""
    progress: StreamJobEventProgressProgress
    outcomes: OutcomeCounts


class StreamJobEventEnd(TypedDict):
    type: Literal["end"]
    status: Literal["pending", "running", "completed", "failed", "cancelled", "aborting"]
    """`completed`, `failed` and `cancelled` are final"""


class StreamJobEventsQuery(TypedDict):
    after: NotRequired[int]
    """the position of the last place that you received; default 0"""
    places: NotRequired[Literal["true", "false"]]
    """false: only the progress and the end"""


Area: TypeAlias = AreaPolygon | AreaMultiPolygon
AreaInput: TypeAlias = AreaInputPolygon | AreaInputMultiPolygon
WebhookEvent: TypeAlias = JobEndedEvent | MonitorPausedEvent | WebhookTestEvent
StreamJobEvent: TypeAlias = StreamJobEventPlace | StreamJobEventProgress | StreamJobEventEnd
