"""Your webhooks and what was sent to them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from typing import TypeAlias, Unpack

from ..types import (
    ChangeWebhookRequest,
    CreateWebhookRequest,
    ListWebhookDeliveriesQuery,
    NewWebhook,
    Webhook,
    WebhookDelivery,
)
from .connection import AsyncConnection, path
from .lists import items_of_pages

WebhookList: TypeAlias = list[Webhook]


class AsyncWebhooks:
    """Your webhooks and what was sent to them. `placefleet.webhooks` verifies deliveries."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def list(self) -> WebhookList:
        """Returns your webhooks."""
        return await self._connection.json("GET", path("webhooks"))

    async def create(self, **webhook: Unpack[CreateWebhookRequest]) -> NewWebhook:
        """Registers a URL. The signing `secret` is shown only here."""
        return await self._connection.json("POST", path("webhooks"), json=webhook)

    async def update(self, id: str, **fields: Unpack[ChangeWebhookRequest]) -> None:
        """Changes fields. Absent fields stay unchanged."""
        await self._connection.json("PATCH", path("webhooks", id), json=fields)

    async def delete(self, id: str) -> None:
        """Deletes a webhook: nothing is sent to it any more."""
        await self._connection.json("DELETE", path("webhooks", id))

    async def rotate_secret(self, id: str) -> NewWebhook:
        """Creates a new signing secret. Deliveries are signed with both for a day."""
        return await self._connection.json("POST", path("webhooks", id, "rotate-secret"))

    async def test(self, id: str) -> WebhookDelivery:
        """Sends the event `webhook.test` in one attempt."""
        return await self._connection.json("POST", path("webhooks", id, "test"))

    def deliveries(self, id: str, **query: Unpack[ListWebhookDeliveriesQuery]) -> AsyncIterator[WebhookDelivery]:
        """Yields the deliveries of a webhook, newest first."""
        return items_of_pages(self._connection, path("webhooks", id, "deliveries"), "deliveries", {**query})

    async def retry_delivery(self, id: str, delivery_id: str) -> WebhookDelivery:
        """Sends one delivery again."""
        delivery = path("webhooks", id, "deliveries", delivery_id, "retry")
        return await self._connection.json("POST", delivery)

    async def retry_failed(self, id: str, since: datetime) -> int:
        """Sends the failed deliveries since a time again. Returns how many."""
        body = {"since": since.astimezone().isoformat(timespec="milliseconds")}
        return (await self._connection.json("POST", path("webhooks", id, "retry-failed"), json=body))["retried"]
