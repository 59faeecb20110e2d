"""Keys that make a creation safe to repeat."""

from __future__ import annotations

from uuid import uuid4


def key_header(key: str | None) -> dict[str, str]:
    """Returns the header of the caller's key, or of a new one."""
    return {"idempotency-key": key or str(uuid4())}
