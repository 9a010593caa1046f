"""The archive of an event without its persons: with the same games and lists, and so the same standings. Pure.

Names are replaced as an erasure does it. Rows are numbered anew, so that no number says how many rows there are, who
signed up first, or whose page it is; lots fall as they fell. It can be imported like a whole archive.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlmodel import SQLModel

from events.registration.neutral import Neutral
from events.rounds.outcome import drawn_then
from events.tournament.pairing.certificate import discreet
from events.tournament.pairing.knockout import order_by_lot
from events.tournament.pairing.levels import club_key
from events.tournament.pairing.request import from_document, to_document
from events.tournament.pairing.seats import lot
from events.web.parsing import first_name
from validators.strict_json import canonical_text, sha256_of

LEFT_OUT = {
    "announcement": "written for the day",
    "code_use": "by which code a player came",
    "join_code": "labels name persons",
    "campaign_step": "names of figures; campaigns have no such archive",
    "delivery": "messages to players",
    "door_prize": "given on the day",
    "force_step": "earlier states of lists",
    "kept_apart": "wishes; the draws have them as far as they can be seen",
    "message": "messages to players",
    "payment": "what players paid",
    "prize_draw": "names of those who were here",
}
"""Tables that are empty without persons, and why."""
BY_STAFF = ("by", "taken_back_by")
REASONS = ("reason", "ending_reason", "sent_back_note")
DOCUMENTS = {"force_list", "fielded_force"}
OF_EVENT: dict[str, Any] = dict.fromkeys(("contact", "pay_link", "fee", "fee_currency"), "") | {
    "awards_published": None, "fee_amount": None, "questions": [],
}  # fmt: skip
TABLES = SQLModel.metadata.tables
SEATS = {"player": "", "team": "t"}
"""The tables whose numbers draws and lots read, with what stands before a number there."""
AS_STORED = ("round", "round_draw", "team_match", "game")
"""Tables whose rows keep their order, which is that of rounds and tables."""
RENUMBERED = "%s, numbered anew"
"""The algorithm of a draw whose lots cannot be drawn again, because they were drawn by other numbers."""
Row = dict[str, Any]
Numbers = Mapping[str, Mapping[int, int]]
"""By table, the new number for each one of the whole archive."""


def leave_out_persons(archive: Mapping[str, Any], ranked: Sequence[int]) -> dict[str, Any]:
    """A whole archive, without its checksum, as one without persons; ``ranked`` are the players in their order."""
    neutral = _neutral(archive["tables"], ranked)
    tables = {
        name: [] if name in LEFT_OUT else [_without(neutral, name, row) for row in rows]
        for name, rows in archive["tables"].items()
    }
    return {**archive, "tables": _renumbered(tables), "journal": []}


def _seat_numbers(rows: list[Row], before: str, seed: int) -> dict[int, int]:
    """New numbers, given so that the tie-break by lot puts their holders in the same order; not from 1.

    There they would be the old ones of a club's first event, in the order of sign-up.
    """
    first = 100 + lot(seed, "numbers") % 900
    numbers = sorted(range(first, first + len(rows)), key=lambda number: lot(seed, "tie-break", f"{before}{number}"))
    held = sorted((row["id"] for row in rows), key=lambda number: lot(seed, "tie-break", f"{before}{number}"))
    return dict(zip(held, numbers, strict=True))


def _renumbered(tables: Mapping[str, list[Row]]) -> dict[str, list[Row]]:
    """The rows with new numbers, in an order that says nothing of when they were made."""
    seed, renumbered = tables["event"][0]["seed"], dict[str, list[Row]]()
    numbers = {name: _seat_numbers(tables[name], before, seed) for name, before in SEATS.items()}
    for name, rows in tables.items():  # each after those to which its rows refer
        new = [_pointed(name, row, numbers) for row in rows]
        if name not in SEATS:
            keys = [] if name in AS_STORED else [key.parent.name for key in TABLES[name].foreign_keys]
            order = sorted((*(str(row.get(key)).zfill(9) for key in sorted(keys)), row["id"]) for row in new)
            numbers[name] = {old: number for number, (*_, old) in enumerate(order, 1)}
        renumbered[name] = [{**row, "id": numbers[name][row["id"]]} for row in new]
        renumbered[name].sort(key=lambda row: int(row["id"]))
    first = min((row["registered_at"] for row in renumbered["player"]), default=None)
    renumbered["player"] = [{**row, "registered_at": first} for row in renumbered["player"]]
    return renumbered


def _pointed(name: str, row: Row, numbers: Numbers) -> Row:
    """A row with new numbers for the rows to which it refers, also in its draw and its choice of boards."""
    pointed = dict(row)
    for column in TABLES[name].columns:
        for key in column.foreign_keys:
            if pointed.get(column.name) is not None:
                pointed[column.name] = numbers[key.column.table.name][pointed[column.name]]
    if name == "team_match":
        people = numbers["player"]
        pointed |= {key: [people.get(id_) for id_ in row[key]] for key in ("a_order", "b_order") if row[key]}
    if name == "round_draw":
        seats = {
            f"{before}{old}": f"{before}{new}" for table, before in SEATS.items() for old, new in numbers[table].items()
        }
        pointed |= {key: _seats_in(row[key], seats) for key in ("inputs", "outcome")}
    return pointed


def _seats_in(value: Any, seats: Mapping[str, str]) -> Any:
    """A part of a draw with the new numbers of its seats."""
    if isinstance(value, list | tuple):
        return [_seats_in(part, seats) for part in value]
    if isinstance(value, dict):
        return {key: _seats_in(part, seats) for key, part in value.items()}
    return seats.get(value, value) if isinstance(value, str) else value


def _neutral(tables: Mapping[str, list[Row]], ranked: Sequence[int]) -> Neutral:
    """“Player 3” for the third of the standings, else by the new number; “Club 2” for the second club."""
    new = _seat_numbers(tables["player"], SEATS["player"], tables["event"][0]["seed"])
    places = {id_: place for place, id_ in enumerate(ranked)}
    order = sorted(tables["player"], key=lambda row: (places.get(row["id"], len(places)), new[row["id"]]))
    names = {row["id"]: f"Player {number}" for number, row in enumerate(order, 1)}
    words: dict[str, str] = {}
    for row in tables["player"]:
        called = (row["name"], row["partner"], first_name(row["name"], row["partner"]))
        words |= {term: names[row["id"]] for term in called if term}
    written = [row["club"] for name in ("player", "team") for row in tables[name] if row["club"]]
    numbers: dict[str, str] = {}
    for club in sorted(written, key=club_key):
        numbers.setdefault(club_key(club), f"Club {len(numbers) + 1}")
    return Neutral(names, {club: numbers[club_key(club)] for club in written} | words, numbers)


def _without(neutral: Neutral, name: str, row: Row) -> Row:
    entry = neutral.row(TABLES[name], row["id"], row)
    entry |= {column: "" for column in (*BY_STAFF, *REASONS) if entry.get(column)}
    if name == "event":
        entry |= OF_EVENT
    if name == "team":
        entry["club"] = ""
    if name == "game":
        entry["code"] = ""  # it opens the form of the sheet
    if name == "round_draw":
        _draw(entry)
    if name in DOCUMENTS:
        entry["document"] = _without_titles(entry["document"])
    if name == "list_seal":
        sealed = json.loads(entry["text"])
        entry["text"] = canonical_text({key: _without_titles(value) for key, value in sealed.items()})
        entry["sha256"] = sha256_of(entry["text"])
    return entry


def _draw(row: Row) -> None:
    """Wishes are hidden as in the round's public file, and what staff did with the draft.

    Places by lot are written out, as the new numbers would draw others.
    """
    outcome = {key: value for key, value in row["outcome"].items() if key not in ("steps", "locked")}
    request = discreet(from_document(row["inputs"]), drawn_then(outcome))
    form = request.format
    if form.kind in ("knockout", "round_robin") and not form.through:
        order = order_by_lot(form.order, [seat.id for seat in request.seats], request.seed)
        request = replace(request, format=replace(form, order=order))
    row["inputs"] = to_document(request)
    row["outcome"] = outcome | {"algorithm": RENUMBERED % outcome["algorithm"]}


def _without_titles(document: Any) -> Any:
    """A force without the names that the player gave to it and to its figures."""
    if not isinstance(document, dict):
        return document
    titles = document | ({"name": ""} if "name" in document else {})
    if titles.get("not_read"):
        titles["not_read"] = ["(left out)"] * len(titles["not_read"])
    if isinstance(titles.get("models"), list):
        titles["models"] = [model | {"called": ""} if "called" in model else model for model in titles["models"]]
    return titles
