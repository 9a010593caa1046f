"""The JSON Schema of an archive, made from the tables: what another program can rely on in a file of this version."""

from functools import cache
from typing import Any, Literal

from pydantic import create_model

import migrations
from events.setup.archive import FORMAT, tables
from events.setup.archive_rows import Line, Parts, row_model
from models.facts import fact_of
from validators.kit.shapes import Part


@cache
def archive_schema() -> dict[str, Any]:
    """The schema (2020-12) of the archives that this version writes; ``revision`` says which version.

    Columns have the labels that the journal uses. What no schema can say, such as the checksum, only the import checks.
    """
    rows = {table.name: (list[row_model(table)], ...) for table in tables()}  # type: ignore[misc]
    whole = create_model(
        "Archive",
        __base__=Parts,
        format=Literal[FORMAT],
        revision=Literal[migrations.head()],
        tables=create_model("Tables", __base__=Part, **rows),  # type: ignore[call-overload]
        journal=list[Line],
    )
    entry: dict[str, Any] = whole.model_json_schema()
    for table in tables():
        for name, about in entry["$defs"][table.name]["properties"].items():
            label = fact_of(table.columns[name]).label if name != "id" else ""
            about.pop("title", None)
            about |= {"title": label} if label else {}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **entry}
