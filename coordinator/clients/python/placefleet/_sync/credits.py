# Made from ../_async by `npm run generate`; do not edit.
"""Your credits. Amounts are decimal strings."""

from __future__ import annotations

from collections.abc import Iterator
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
from .connection import Connection, path
from .lists import items_of_pages


class Credits:
    """Your credits. Amounts are decimal strings."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def balance(self) -> CreditBalance:
        """Returns your credits."""
        return self._connection.json("GET", path("credits", "balance"))

    def history(self, **query: Unpack[ListCreditTransactionsQuery]) -> Iterator[CreditTransaction]:
        """Yields your transactions, newest first."""
        return items_of_pages(self._connection, path("credits", "history"), "transactions", {**query})

    def spending(self, **query: Unpack[GetDailySpendingQuery]) -> list[DailySpendingDaysItem]:
        """Returns what you spent on each of the last days."""
        return (self._connection.json("GET", path("credits", "spending"), query=query))["days"]

    def checkout(self, **payment: Unpack[CheckoutRequest]) -> CheckoutSession:
        """Opens a payment. The user pays at its `url`."""
        return self._connection.json("POST", path("credits", "checkout-session"), json=payment)

    def reconcile(self, **payment: Unpack[ReconcileRequest]) -> None:
        """Adds the credits of a payment at once, without waiting for the payment processor to report it."""
        self._connection.json("POST", path("credits", "reconcile"), json=payment)
