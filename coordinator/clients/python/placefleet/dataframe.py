"""Places as a table of pandas, which is optional: `pip install placefleet[pandas]`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .types import Result as Place

if TYPE_CHECKING:
    import pandas


def to_dataframe(places: Iterable[Place]) -> pandas.DataFrame:
    """Returns places as a table. It has a column for each field, also without places; `created_at` is a time."""
    try:
        import pandas
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError('Install pandas first: pip install "placefleet[pandas]"', name="pandas") from missing

    table = pandas.DataFrame(list(places), columns=list(Place.__annotations__))
    table["created_at"] = pandas.to_datetime(table["created_at"], utc=True, format="ISO8601")
    return table
