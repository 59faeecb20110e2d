"""The checks of requests that fit their schema or break it, with the rules that no schema can say."""

import schemathesis
from schemathesis.core import NOT_SET
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

RULES_BEYOND_SCHEMAS = (
    "points into a private or reserved network",  # a proxy; operators can allow such hosts
    "must point to a public address",  # a webhook
    "`url` is not a valid URL",  # a host name beyond ASCII that IDNA does not allow
    "`schedule.cron` must",  # the values of its fields, and 15 minutes between two runs
    "`schedule.cron` never matches a time",
    "`schedule.timezone` must",  # the names of time zones
    "`max_cost` must be at least",  # the cost of the start and one place at the prices of today
    "New prices may begin at",  # after the current estimates
    "authorization_pending",  # a device code that nobody approved yet
    "expired_token",
    "names a column twice",
    "A bonus must be above zero",  # an adjustment may be negative
    "The body is not CSV",  # a quote that is not closed, or within a cell
    "cannot be sent with `after`",  # a schema sees one parameter of a query
    "cannot be `xlsx` with `so_far`",
    "This deployment has no simulated city",  # a deployment with one takes `demo`
    "is allowed with format=csv only",
    "names no place",  # links of many forms
    "`recheck_after` needs",  # with this rule, schemathesis makes no request of a job
    "at most 100 proxies",  # lines without a proxy do not count
    "all proxies together",
    "Each price is at most",
    "has no extent",  # the rings of an area
    "is not closed",
    "runs around a pole",
    "crosses itself",
    "touches itself",
    "leaves its outline",
    "must be a latitude",
    "must be a longitude",
    "positions; at most",
    "must be north of the second number",  # of a box
    "must be east of the first number",
)


@schemathesis.check
def accepts_what_fits_its_schema(ctx, response, case):
    """Fails when the answer to a request that fits its schema is a refusal for another reason."""
    if response.status_code in (400, 402) and any(rule in response.text for rule in RULES_BEYOND_SCHEMAS):
        return None
    return positive_data_acceptance(ctx, response, case)


@schemathesis.check
def refuses_what_breaks_its_schema(ctx, response, case):
    """Fails when a request that breaks its schema succeeds."""
    # Every body of this type is a text: the number 123 is sent as "123". The original check knows this of text/plain only.
    if case.media_type == "text/csv" and case.body is not NOT_SET:
        return None
    if response.status_code == 413:  # a list of more items than its schema allows may be larger than any body
        return None
    return negative_data_rejection(ctx, response, case)
