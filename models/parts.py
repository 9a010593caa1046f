"""Rows that belong to another row: an event's players, a round's games."""

from typing import Any

from sqlmodel import Relationship


def parts(name: str, order: str = "id", **more: Any) -> Any:
    """The rows of the class ``name`` that belong to this row: read once in a session, when first asked for.

    They are in this order when they are loaded, and a new one comes last. One that is removed from the list is deleted.
    Only the owner knows its parts: a row that knew its owner too would be freed late (decision 0180).
    """
    arguments = {
        "cascade": "save-update, merge, expunge, delete, delete-orphan",
        "passive_deletes": True,
        "order_by": f"{name}.{order}",
    }
    return Relationship(sa_relationship_kwargs=arguments | more)
