"""Places as a table."""

from __future__ import annotations

import pytest

from placefleet import to_dataframe
from placefleet.types import Result

pandas = pytest.importorskip("pandas")


def test_a_table_has_a_column_for_each_field() -> None:
    table = to_dataframe([{"title": "A", "created_at": "2026-01-02T03:04:05.678Z"}, {"title": "B"}])  # type: ignore[typeddict-item]
    assert list(table.columns) == list(Result.__annotations__)
    assert list(table["title"]) == ["A", "B"]
    assert table["created_at"][0] == pandas.Timestamp("2026-01-02T03:04:05.678Z")


def test_a_table_without_places_has_the_same_columns() -> None:
    table = to_dataframe([])
    assert list(table.columns) == list(Result.__annotations__)
    assert str(table["created_at"].dtype).startswith("datetime64")
