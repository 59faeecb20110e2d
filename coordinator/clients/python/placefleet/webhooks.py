"""Checks that a delivery comes from the service (Standard Webhooks)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping
from typing import Protocol

from .types import WebhookEvent


class WebhookVerificationError(Exception):
    """The signature of a delivery is wrong or old. Respond with status 400."""


class Headers(Protocol):
    """Headers of any framework: a dictionary, or what has its items."""

    def items(self) -> Iterable[tuple[str, str]]:
        """Returns the names with their values."""
        ...


_PREFIX = "whsec_"


def verify_webhook(*, body: bytes | str, headers: Headers, secret: str, tolerance: float = 300) -> WebhookEvent:
    """Checks the signature of a delivery and returns its event.

    Pass the body exactly as received, and the headers with names in any letter case. `tolerance` is the maximum age
    in seconds. You may receive a delivery twice: remember its `webhook-id`.

    Raises WebhookVerificationError when the signature is wrong or too old.
    """
    found = {name.lower(): value for name, value in headers.items()}
    delivery_id, timestamp, signatures = (
        _header(found, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    _check_age(timestamp, tolerance)
    content = body.encode() if isinstance(body, str) else body
    signed = f"{delivery_id}.{timestamp}.".encode() + content
    expected = base64.b64encode(hmac.digest(_key(secret), signed, hashlib.sha256))
    given = [signature[3:] for signature in signatures.split(" ") if signature.startswith("v1,")]
    if not any(hmac.compare_digest(signature.encode(), expected) for signature in given):
        raise WebhookVerificationError("The signature does not match. Check the secret, and pass the raw body.")
    event: WebhookEvent = json.loads(content)
    return event


def _header(headers: Mapping[str, str], name: str) -> str:
    if name not in headers:
        raise WebhookVerificationError(f"The header {name} is missing.")
    return headers[name]


def _check_age(timestamp: str, tolerance: float) -> None:
    if not re.fullmatch(r"[0-9]+", timestamp):
        raise WebhookVerificationError("The header webhook-timestamp is not a time.")
    age = time.time() - int(timestamp)
    if age > tolerance:
        raise WebhookVerificationError(f"The delivery is over {tolerance:g} seconds old. Check your clock.")
    if age < -tolerance:
        raise WebhookVerificationError(f"The delivery is over {tolerance:g} seconds in the future. Check your clock.")


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True) if secret.startswith(_PREFIX) else b""
    except binascii.Error:
        key = b""
    if not key:
        raise WebhookVerificationError(f"The secret must begin with {_PREFIX}. Pass all of it.")
    return key
