"""Prints the resources of both clients with their calls."""

import json

from placefleet import AsyncPlacefleet, Placefleet


def calls(resource: type) -> list[str]:
    return sorted(name for name in vars(resource) if not name.startswith("_"))


def resources(client: object) -> dict[str, list[str]]:
    return {name: calls(type(value)) for name, value in vars(client).items() if name[0] != "_" and name != "url"}


kinds = (Placefleet, AsyncPlacefleet)
print(json.dumps([resources(kind(url="http://fleet.test", api_key="svc_x")) for kind in kinds]))
