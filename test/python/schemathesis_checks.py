"""A request that fits its schema must be accepted, unless it breaks a rule that no schema can say."""

import schemathesis
from schemathesis.specs.openapi.checks import positive_data_acceptance

RULES_BEYOND_SCHEMAS = (
    "points into a private or reserved network",  # a proxy; operators can allow such hosts
    "must point to a public address",  # a webhook
    "cron must",  # the values of its fields, its time zone, and 15 minutes between two runs
    "cron never matches a time",
    "New prices may begin at",  # after the current estimates
    "authorization_pending",  # a device code that nobody approved yet
    "expired_token",
    "names a column twice",
    "is allowed with format=csv only",  # a schema sees one parameter of a query
)


@schemathesis.check
def accepts_what_fits_its_schema(ctx, response, case):
    """Fails when the answer to a request that fits its schema is a refusal for another reason."""
    if response.status_code == 400 and any(rule in response.text for rule in RULES_BEYOND_SCHEMAS):
        return None
    return positive_data_acceptance(ctx, response, case)
