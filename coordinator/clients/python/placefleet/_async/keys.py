"""Your API keys."""

from __future__ import annotations

from typing import TypeAlias, Unpack

from ..types import ApiKey, ChangeApiKeyRequest, CreateApiKeyRequest, NewApiKey
from .connection import AsyncConnection, path

KeyList: TypeAlias = list[ApiKey]


class AsyncKeys:
    """Your API keys."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def list(self) -> KeyList:
        """Returns your keys, oldest first, including revoked ones."""
        return await self._connection.json("GET", path("api-keys"))

    async def create(self, **key: Unpack[CreateApiKeyRequest]) -> NewApiKey:
        """Creates a key. The secret `key` is shown only here."""
        return await self._connection.json("POST", path("api-keys"), json=key)

    async def update(self, id: str, **fields: Unpack[ChangeApiKeyRequest]) -> None:
        """Changes how much a key may spend."""
        await self._connection.json("PATCH", path("api-keys", id), json=fields)

    async def revoke(self, id: str) -> None:
        """Revokes a key, from the next request on."""
        await self._connection.json("DELETE", path("api-keys", id))
