"""The version of this package."""

from importlib.metadata import version

VERSION = version("placefleet")
