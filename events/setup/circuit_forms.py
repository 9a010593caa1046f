"""The form of the points table of the series."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from events.journal.setting_words import label_of
from events.setup.pairing_actions import note_change
from events.setup.pairing_forms import SectionForm
from events.store.act import Act
from events.store.errors import Refused
from events.tournament.circuit import MOST_EVENTS, Circuit
from events.web.forms import number, text
from languages.message import message
from languages.words import N_, gettext, lazy_gettext
from models.event import Event


class CircuitForm(SectionForm):
    id = "circuit"
    points = text(
        lazy_gettext(label_of("points")), 500, required=False,
        description=lazy_gettext("From the first place on, such as 25, 18, 15, 12, 10, 8, 6, 4, 2, 1. Leave blank for "
            "no table."),
    )  # fmt: skip
    best = number(
        lazy_gettext("Best events that count"),
        1,
        MOST_EVENTS,
        required=False,
        description=lazy_gettext("Of each player. Leave blank for all."),
    )

    @classmethod
    def shown(cls, event: Event) -> Mapping[str, Any]:
        circuit = event.circuit
        points = ", ".join(map(str, circuit.points)) if circuit else ""
        return {"points": points, "best": circuit.best if circuit else None}

    def store(self, act: Act) -> None:
        """Store the points table; none without points. Raises Refused."""
        typed = [part.strip() for part in self.points.data.replace(";", ",").split(",") if part.strip()]
        if not all(part.isascii() and part.isdecimal() and len(part) < 6 for part in typed):
            raise Refused(gettext("This table is not possible: enter whole numbers, separated by commas."), "points")
        try:
            wanted = Circuit(tuple(map(int, typed)), self.best.data) if typed else None
        except ValueError as error:
            why = gettext("This table is not possible: points are whole numbers that do not rise from place to place.")
            raise Refused(why, "points") from error
        set_circuit(act, wanted)


def set_circuit(act: Act, wanted: Circuit | None) -> None:
    """Store the points table of the event's series. Raises Refused."""
    if wanted is not None and not act.event.series:
        raise Refused(gettext("The event is in no series: name one in the settings first."), "points")
    before, after = (asdict(circuit) if circuit else {"points": ()} for circuit in (act.event.circuit, wanted))
    if note_change(
        act, N_("Changed the points table of the series: %(settings)s"), dict.fromkeys(after) | before, after,
        {"best": message("Best events that count")},
    ):  # fmt: skip
        act.event.circuit = wanted
