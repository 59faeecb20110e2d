"""Where the address and the key come from."""

from __future__ import annotations

import os

from .errors import ConfigurationError


def url_of(url: str | None) -> str:
    """Returns the address of the service: the argument or `PLACEFLEET_URL`, without a slash or `/api/v1` at its end."""
    url = (url or os.environ.get("PLACEFLEET_URL", "")).rstrip("/").removesuffix("/api/v1")
    if url.lower().startswith(("http://", "https://")):
        return url
    raise _missing("Set PLACEFLEET_URL or pass url, with http:// or https://, e.g. http://127.0.0.1:8080.")


def api_key_of(api_key: str | None) -> str:
    """Returns the API key: the argument or `PLACEFLEET_API_KEY`."""
    api_key = api_key or os.environ.get("PLACEFLEET_API_KEY", "")
    if api_key:
        return api_key
    raise _missing("Set PLACEFLEET_API_KEY or pass api_key.")


def _missing(message: str) -> ConfigurationError:
    return ConfigurationError(0, {"error": "not_configured", "message": message})
