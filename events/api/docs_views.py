"""The interface's description: as a page, and as an OpenAPI document."""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from flask import Blueprint, Response, json, render_template
from flask.typing import ResponseReturnValue

from events.api.admission import MOST, WINDOW
from events.api.described import document, plain_words

blueprint = Blueprint("docs", __name__)


@cache
def _document_text() -> str:
    return json.dumps(document())


@blueprint.get("/api/v1/openapi.json")
def openapi() -> ResponseReturnValue:
    """The OpenAPI 3.1 document, made once from the routes and their models."""
    return Response(_document_text(), mimetype="application/json")


@blueprint.get("/api/v1")
def interface() -> ResponseReturnValue:
    entry = document()
    return render_template(
        "api/interface.html",
        operations=[
            (method.upper(), path, operation, plain_words(operation["summary"]))
            for path, methods in entry["paths"].items()
            for method, operation in methods.items()
        ],
        models={
            name: model
            for name, model in entry["components"]["schemas"].items()
            if model.get("properties") and not name.endswith("Arguments")  # those are said at their addresses
        },
        said=partial(_said, entry["components"]["schemas"]),
        most=MOST,
        window=WINDOW,
    )


def _said(models: Mapping[str, Any], schema: dict[str, Any]) -> str:
    """A type in words: "list of Game"; a choice as its values."""
    if "$ref" in schema:
        name = str(schema["$ref"].rpartition("/")[2])
        return _said(models, models[name]) if models.get(name, {}).get("enum") else name
    if "anyOf" in schema:
        return " or ".join(_said(models, part) for part in schema["anyOf"])
    if schema.get("enum"):
        return " or ".join(f"“{part}”" for part in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_said(models, schema['items'])}"
    return str(schema.get("type", "value"))
