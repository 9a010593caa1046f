"""The interface's description: as a page, and as an OpenAPI document."""

from typing import Any

from flask import Blueprint, Response, json, render_template
from flask.typing import ResponseReturnValue

from events.api.admission import MOST, WINDOW
from events.api.described import document, plain_words

blueprint = Blueprint("docs", __name__)


@blueprint.get("/api/v1/openapi.json")
def openapi() -> ResponseReturnValue:
    """The OpenAPI 3.1 document, made from the routes and their models."""
    return Response(json.dumps(document()), mimetype="application/json")


@blueprint.get("/api/v1")
def interface() -> ResponseReturnValue:
    """The same for people."""
    found = document()
    return render_template(
        "api/interface.html",
        operations=[
            (method.upper(), path, operation, plain_words(operation["summary"]))
            for path, methods in found["paths"].items()
            for method, operation in methods.items()
        ],
        models={name: model for name, model in found["components"]["schemas"].items() if model.get("properties")},
        said=_said,
        most=MOST,
        window=WINDOW,
    )


def _said(schema: dict[str, Any]) -> str:
    """A type in words: "list of Game"."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " or ".join(_said(one) for one in schema["anyOf"])
    if schema.get("enum"):
        return " or ".join(f"“{one}”" for one in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_said(schema['items'])}"
    return str(schema.get("type", "value"))
