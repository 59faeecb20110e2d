"""Which deliveries are real."""

from __future__ import annotations

import base64
import json
import time
from typing import Any

import pytest
from standardwebhooks import Webhook

from placefleet import WebhookVerificationError, verify_webhook

SECRET = "whsec_" + base64.b64encode(b"a secret of the test").decode()
BODY = json.dumps({"event_type": "webhook.test", "name": "Grüße"}, ensure_ascii=False).encode()


def delivery(age: float = 0, **changes: Any) -> dict[str, Any]:
    from datetime import UTC, datetime

    sent_at = datetime.fromtimestamp(time.time() - age, UTC)
    headers = {
        "Webhook-Id": "1",
        "webhook-timestamp": str(int(sent_at.timestamp())),
        "WEBHOOK-SIGNATURE": "v1,AAAA " + Webhook(SECRET).sign("1", sent_at, BODY.decode()),
    }
    return {"body": BODY, "headers": headers, "secret": SECRET, **changes}


@pytest.mark.parametrize("body", [BODY, BODY.decode()])
def test_a_delivery_signed_by_another_implementation_is_real(body: bytes | str) -> None:
    assert verify_webhook(**delivery(body=body))["event_type"] == "webhook.test"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"body": BODY + b" "}, "does not match"),
        ({"secret": "whsec_" + base64.b64encode(b"another").decode()}, "does not match"),
        ({"secret": "whsec_*"}, "must begin with whsec_"),
        ({"secret": "whsec_"}, "must begin with whsec_"),
        ({"secret": "secret"}, "must begin with whsec_"),
        ({"age": 301}, "300 seconds old"),
        ({"age": -302}, "300 seconds in the future"),
        ({"headers": {}}, "webhook-id is missing"),
        ({"headers": {"webhook-id": "1", "webhook-timestamp": "-1", "webhook-signature": "v1,"}}, "not a time"),
        ({"headers": {"webhook-id": "1", "webhook-timestamp": "٣", "webhook-signature": "v1,"}}, "not a time"),
    ],
)
def test_any_other_delivery_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(WebhookVerificationError, match=message):
        verify_webhook(**delivery(**changes))


def test_a_signature_of_strange_characters_is_refused() -> None:
    wrong = delivery()
    wrong["headers"]["WEBHOOK-SIGNATURE"] = "v1,ÄÖÜ v1a,x"
    with pytest.raises(WebhookVerificationError, match="does not match"):
        verify_webhook(**wrong)
