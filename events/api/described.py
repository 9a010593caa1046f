"""What each address of the interface takes and sends: checked here, and said by the document that spectree makes."""

import re
from collections.abc import Callable, Mapping
from functools import cache, partial, wraps
from http import HTTPStatus
from typing import Any, Concatenate, ParamSpec, TypeVar

from flask import request
from flask.typing import ResponseReturnValue
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from spectree import Response as Answers
from spectree import SecurityScheme, SpecTree
from spectree.models import SecureType, SecuritySchemeData
from werkzeug.exceptions import BadRequest, UnsupportedMediaType

from events.api.schemas import Limit, Number, Problem, page_model
from events.web.answers import MIMETYPE, WrongRequest
from events.web.idempotency import KEY
from validators.contract import UnreadableForce
from validators.kit.shapes import WRONG_TYPE
from validators.strict_json import read_json

Where = ParamSpec("Where")
Asked = TypeVar("Asked", bound=BaseModel)

TOKEN = SecurityScheme(name="token", data=SecuritySchemeData(type=SecureType.HTTP, scheme="bearer"))
INTRODUCTION = (
    "Reads give what the pages of an event show to everybody. Writes, and reading payments, need a token of the event."
)
SPEC = SpecTree(
    "flask", mode="strict", title="Overseer", version="1", description=INTRODUCTION, security_schemes=[TOKEN],
    naming_strategy=lambda model: model.__name__, nested_naming_strategy=lambda parent, child: child,
)  # fmt: skip
OPERATIONS: list[Callable[[], None]] = []
"""What describes each view to ``SPEC``. That takes longer than to load the rest, so ``document`` calls it."""
OF_READS = (400, 401, 404, 422, 429)
OF_WRITES = (400, 401, 403, 404, 409, 413, 415, 422, 429)


class Nothing(BaseModel):
    """An address without arguments."""

    model_config = ConfigDict(extra="forbid", defer_build=True)


class Cursor(Nothing):
    """Which page of a collection, and which fields."""

    cursor: Number | None = Field(None, ge=0, le=2**31 - 1, description="“next” of the page before.")
    limit: Limit = Field(200, description="The most items of a page.")


def paged(item: type[BaseModel], asks: type[Cursor] = Cursor) -> tuple[Any, Any]:
    """A page of these items, and the arguments for one, with ``fields``."""
    text = f"({'|'.join(item.model_fields)})"
    words = "The fields to send, with commas between; by default all."
    fields: Any = (str, Field("", pattern=f"^({text}(,{text}){{0,40}})?$", description=words))
    return page_model(item), create_model(f"{item.__name__}Arguments", __base__=asks, fields=fields)


class Sent(BaseModel):
    """The base of what a write takes. Unknown fields and other types are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)


Empty = create_model("Empty", __base__=Sent, __doc__="An empty object.")


def described_read(
    answer: type[BaseModel],
    asks: type[Asked] = Nothing,  # type: ignore[assignment]
    *,
    with_token: bool = False,
) -> Callable[[Callable[Concatenate[Asked, Where], ResponseReturnValue]], Callable[Where, ResponseReturnValue]]:
    """Decorator of a view that reads: it is given the checked arguments of the address. Raises WrongRequest."""

    def decorate(
        view: Callable[Concatenate[Asked, Where], ResponseReturnValue],
    ) -> Callable[Where, ResponseReturnValue]:
        @wraps(view)
        def checked(*args: Where.args, **kwargs: Where.kwargs) -> ResponseReturnValue:
            return view(_valid(asks, _arguments()), *args, **kwargs)

        asked = {"query": asks} if asks.model_fields else {}
        needs: list[dict[str, list[str]]] = [{"token": []}] if with_token else [{"token": []}, {}]
        others = (*OF_READS, 403) if with_token else OF_READS
        OPERATIONS.append(partial(_describe, checked, 200, answer, others, asked, needs))
        return checked

    return decorate


def described_write(
    answer: type[BaseModel], takes: type[Asked], status: int = 200
) -> Callable[[Callable[Concatenate[Asked, Where], ResponseReturnValue]], Callable[Where, ResponseReturnValue]]:
    """Decorator of a view that writes: it is given the checked JSON of the request. Raises WrongRequest, BadRequest."""

    def decorate(
        view: Callable[Concatenate[Asked, Where], ResponseReturnValue],
    ) -> Callable[Where, ResponseReturnValue]:
        @wraps(view)
        def checked(*args: Where.args, **kwargs: Where.kwargs) -> ResponseReturnValue:
            _valid(Nothing, _arguments())
            return view(_valid(takes, _sent()), *args, **kwargs)

        asked = {"json": takes, "headers": Key}
        OPERATIONS.append(partial(_describe, checked, status, answer, OF_WRITES, asked, [{"token": []}]))
        return checked

    return decorate


class Key(BaseModel):
    """The header of writes."""

    key: str | None = Field(
        None, alias="Idempotency-Key",
        description="Of your choice. A request sent again with the same key is carried out once.",
    )  # fmt: skip


def _describe(
    view: Callable[..., Any], status: int, answer: type[BaseModel], others: tuple[int, ...], asks: Mapping[str, Any],
    security: list[dict[str, list[str]]],
) -> None:  # fmt: skip
    answers = {f"HTTP_{status}": answer} | {f"HTTP_{number}": Problem for number in others}
    described = SPEC.validate(
        resp=Answers(**answers), skip_validation=True, security=security,
        operation_id=view.__name__, validation_error_status=422, **asks,
    )(view)  # fmt: skip
    SPEC._function_metadata[view] = SPEC._function_metadata[described]


def _arguments() -> dict[str, Any]:
    repeated = [name for name, values in request.args.lists() if len(values) > 1]
    if repeated:
        raise WrongRequest("The address has this argument twice.", repeated[0])
    return request.args.to_dict()


def _sent() -> dict[str, Any]:
    """The JSON of the request, read as strictly as files are. Raises UnsupportedMediaType and BadRequest."""
    body = request.get_data()
    if not body:
        return {}
    if not request.is_json:
        raise UnsupportedMediaType("Send JSON, with the header “Content-Type: application/json”.")
    try:
        sent = read_json(body, len(body))
    except UnreadableForce as unreadable:
        raise BadRequest(str(unreadable).replace("the file", "The body", 1)) from None
    if not isinstance(sent, dict):
        raise BadRequest("Send a JSON object.")
    return sent


def _valid(model: type[Asked], given: Mapping[str, Any]) -> Asked:
    """What was given as a model. Raises WrongRequest with the fields that are wrong."""
    try:
        return model.model_validate(given)
    except ValidationError as error:
        faults = error.errors(include_input=False)
        wrong = [(_field(fault, given), WRONG_TYPE.get(fault["type"], fault["msg"])) for fault in faults]
        raise WrongRequest("Some fields are wrong.", also=tuple(wrong)) from None


def _field(fault: Any, given: object) -> str:
    """The path of a fault in what was given, without the types that pydantic tried there."""
    steps: list[str] = []
    for step in fault["loc"]:
        inside = dict(enumerate(given)) if isinstance(given, list) else given if isinstance(given, Mapping) else {}
        if step in inside or (fault["type"], step) == ("missing", fault["loc"][-1]):
            steps.append(str(step))
            given = inside.get(step)
    return ".".join(steps)


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document, with the problems' own content type and the bounds of ids in addresses."""
    for describe in OPERATIONS:
        describe()
    entry: dict[str, Any] = SPEC.spec
    for path in entry["paths"].values():
        for operation in path.values():
            for body in operation.get("requestBody", {}).get("content", {}).values():
                name = body["schema"]["$ref"].rpartition("/")[2]
                operation["requestBody"]["required"] = bool(entry["components"]["schemas"][name].get("required"))
            for status, answer in operation["responses"].items():
                answer["description"] = HTTPStatus(int(status)).phrase
                if int(status) >= 400 and "application/json" in answer.get("content", {}):
                    answer["content"] = {MIMETYPE: answer["content"].pop("application/json")}
            for parameter in operation["parameters"]:
                if parameter["in"] == "header":  # a header is never null
                    parameter["schema"] = {"type": "string", "pattern": KEY.pattern, "minLength": 16, "maxLength": 64}
                if parameter["in"] == "path" and parameter["schema"]["type"] == "integer":
                    parameter["schema"] |= {"minimum": 1, "maximum": 2**31 - 1}
                elif parameter["in"] == "path":
                    parameter["schema"] |= {"minLength": 1, "maxLength": 60, "pattern": "^[a-z0-9-]+$"}
    return entry


def plain_words(text: str) -> str:
    """A docstring's text without its markup."""
    return re.sub(r"\s+", " ", text.replace("``", "")).strip()
