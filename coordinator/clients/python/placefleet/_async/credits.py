"""Your credits. Amounts are decimal strings."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Unpack

from ..types import (
    CheckoutRequest,
    CheckoutSession,
    CreditBalance,
    CreditTransaction,
    DailySpendingDaysItem,
    GetDailySpendingQuery,
    ListCreditTransactionsQuery,
    ReconcileRequest,
)
from .connection import AsyncConnection, path
from .lists import items_of_pages


class AsyncCredits:
    """Your credits. Amounts are decimal strings."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def balance(self) -> CreditBalance:
        """Returns your credits."""
        return await self._connection.json("GET", path("credits", "balance"))

    def history(self, **query: Unpack[ListCreditTransactionsQuery]) -> AsyncIterator[CreditTransaction]:
        """Yields your transactions, newest first."""
        return items_of_pages(self._connection, path("credits", "history"), "transactions", {**query})

    async def spending(self, **query: Unpack[GetDailySpendingQuery]) -> list[DailySpendingDaysItem]:
        """Returns what you spent on each of the last days."""
        return (await self._connection.json("GET", path("credits", "spending"), query=query))["days"]

    async def checkout(self, **payment: Unpack[CheckoutRequest]) -> CheckoutSession:
        """Opens a payment. The user pays at its `url`."""
        return await self._connection.json("POST", path("credits", "checkout-session"), json=payment)

    async def reconcile(self, **payment: Unpack[ReconcileRequest]) -> None:
        """Adds the credits of a payment at once, without waiting for the payment processor to report it."""
        await self._connection.json("POST", path("credits", "reconcile"), json=payment)
