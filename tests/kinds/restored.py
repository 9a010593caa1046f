"""An event from its archive, in another database, compared with the event itself."""

import io
from collections.abc import Iterator
from typing import Any

from events.journal.invariants import check_event
from tests.kinds.world import World
from tests.kit.archives import without_moment


def archived(world: World) -> bytes:
    """The event's archive, as the organiser downloads it."""
    return bytes(world.organiser.ask("GET", f"{world.at}/desk/archive.json").data)


def shown(world: World) -> Any:
    """The standings of the interface."""
    return world.person("visitor").http.get(f"/api/v1/events/{world.event.slug}/standings?limit=1000").get_json()


def take_in(world: World, data: bytes) -> None:
    """Take an archive into another club's database, and look at that event from here on."""
    world.elsewhere()
    world.send_to("/desk/archive-in", file=(io.BytesIO(data), "archive.json"))
    world.arrive()


def _without_rows_gone(document: dict[str, Any]) -> dict[str, Any]:
    """The archive without the numbers of games and players that are gone since, which an import leaves out."""
    ids = {name: {row["id"] for row in document["tables"][name]} for name in ("game", "player", "team")}

    def kept(key: str, value: Any) -> Any:
        there = ids.get(key.removesuffix("s"))
        if there is None or (key == "teams" and not isinstance(value, list)):
            return value
        return [one for one in value if one in there] if isinstance(value, list) else value if value in there else None

    journal = [
        line | {"about": {k: v for k, v in ((k, kept(k, v)) for k, v in line["about"].items()) if v is not None}}
        for line in document["journal"]
    ]
    return document | {"journal": journal}


def restored_differences(world: World) -> Iterator[str]:
    """What differs once the event's archive was taken in elsewhere, where it stays."""
    yield from (f"{problem.promise}: {problem.what}" for problem in check_event(world.desk.s, world.event))
    data, standings = archived(world), shown(world)
    take_in(world, data)
    again = archived(world)
    if shown(world) != standings:
        yield f"the standings from the archive differ: {shown(world)} and not {standings}"
    before, after = (_without_rows_gone(without_moment(one)) for one in (data, again))
    yield from (f"the archive from the archive differs in {key}" for key in before if before[key] != after.get(key))
    yield from (f"{problem.promise}: {problem.what}" for problem in check_event(world.desk.s, world.event))
