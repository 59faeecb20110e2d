# Made from ../_async by `npm run generate`; do not edit.
"""Your API keys."""

from __future__ import annotations

from typing import TypeAlias, Unpack

from ..types import ApiKey, ChangeApiKeyRequest, CreateApiKeyRequest, NewApiKey
from .connection import Connection, path

KeyList: TypeAlias = list[ApiKey]


class Keys:
    """Your API keys."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(self) -> KeyList:
        """Returns your keys, oldest first, including revoked ones."""
        return self._connection.json("GET", path("api-keys"))

    def create(self, **key: Unpack[CreateApiKeyRequest]) -> NewApiKey:
        """Creates a key. The secret `key` is shown only here."""
        return self._connection.json("POST", path("api-keys"), json=key)

    def update(self, id: str, **fields: Unpack[ChangeApiKeyRequest]) -> None:
        """Changes how much a key may spend."""
        self._connection.json("PATCH", path("api-keys", id), json=fields)

    def revoke(self, id: str) -> None:
        """Revokes a key, from the next request on."""
        self._connection.json("DELETE", path("api-keys", id))
