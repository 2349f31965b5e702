"""The OpenAPI document of the HTTP API, and its page.

Addresses and parameters are read from the routes, schemas from the types of commands and read
models.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from importlib.metadata import version
from operator import or_
from types import MappingProxyType
from typing import Any

from litestar import Litestar, Request, get
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from kitchentable.app import shapes
from kitchentable.campaign.commands import Command
from kitchentable.web import api
from kitchentable.web.answers import JSON, Answer, as_json, page
from kitchentable.web.site import Asked
from kitchentable.web.urls import path

ABOUT = shapes.in_paragraphs(str(api.__doc__))
_KEPT = "kitchentable.openapi"
_SCHEMAS = "#/components/schemas/"
#: Bodies that people send, by handler.
_COMMANDS = tuple(one for one in Command.__subclasses__() if one not in api.NEWCOMERS)
BODIES: Mapping[str, Any] = MappingProxyType(
    {
        "api_knock": shapes.Knock,
        "api_lines": shapes.LineSent,
        "api_undo": shapes.TakenBack,
        "api_commands": reduce(or_, _COMMANDS),
    }
)
_REFUSALS = MappingProxyType(
    {
        "400": "The request cannot be read or carried out.",
        "401": "The key is not valid for a seat of this campaign.",
        "403": "This seat may not do that.",
        "404": "Nothing is at this address.",
        "409": "Something else was done first.",
        "413": "The request is too long.",
        "422": "Answers are missing or wrong; `problems` has their places.",
        "429": "Too many wrong keys, streams or odds at once.",
        "503": "The server cannot use its database now.",
    }
)


class Nothing(JsonRenderPlugin):
    """A placeholder for litestar's own document, which lacks our types."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Errors: NotFoundException, always."""
        raise NotFoundException


CONFIG = OpenAPIConfig(
    title="Kitchen Table",
    version=version("kitchentable"),
    description=ABOUT,
    path="/api",
    use_handler_docstrings=True,
    render_plugins=[Nothing(path="/openapi.json")],
)


@get(path("api_document"))
async def api_document(request: Asked) -> Answer:
    """The document, for programs."""
    described = await _document(request)
    return await request.site.beside(as_json, request, described)


@get(path("api"))
async def api_page(request: Asked) -> Answer:
    """The document for people: every address, every command with its fields."""
    described = await _document(request)
    schemas = described["components"]["schemas"]
    commands = [
        (one.__struct_config__.tag, schemas[one.__name__]["description"], _fields(schemas, one))
        for one in _COMMANDS
    ]
    return await request.site.beside(
        page, request, "pages/api.html", paths=described["paths"], about=ABOUT, commands=commands
    )


async def _document(request: Asked) -> dict[str, Any]:
    """The document, made in a thread when it is first asked for."""
    state = request.app.state
    if _KEPT not in state:
        state[_KEPT] = await request.site.beside(document, request.app)
    found: dict[str, Any] = state[_KEPT]
    return found


def _fields(schemas: Mapping[str, Any], kind: type[Command]) -> list[tuple[str, bool]]:
    """The fields of a command that its sender fills in, and whether they have to be there."""
    schema = schemas[kind.__name__]
    own = [name for name in schema["properties"] if name not in {"do", "seat"}]
    return [(name, name in schema["required"]) for name in own]


def document(app: Litestar) -> dict[str, Any]:
    """The document of all routes for programs, as plain data."""
    drawn = _drawn(app)
    found = list(_handlers(app))
    kinds = [shapes.Refused, *(one.opt["answers"] for _, one in found), *BODIES.values()]
    types = [kind for kind in dict.fromkeys(kinds) if not isinstance(kind, str)]
    listed, parts = shapes.schemas(types, _SCHEMAS + "{name}")
    schemas = dict(zip(types, listed, strict=True))
    refused = {JSON: {"schema": schemas[shapes.Refused]}}
    paths: dict[str, Any] = {}
    for where, handler in found:
        (method,) = handler.http_methods
        name, answers = handler.handler_name, handler.opt["answers"]
        known = answers not in schemas
        asked = drawn["paths"][where][method.lower()]
        operation = {
            **asked,
            "description": shapes.in_paragraphs(asked["description"]),
            "operationId": name,
            "security": [{"key": []}],
            "responses": {
                "200": {
                    "description": "Done." if method == "POST" else "As this seat sees it.",
                    "content": {answers: {"schema": {"type": "string"}}}
                    if known
                    else {JSON: {"schema": schemas[answers]}},
                },
                **{code: {"description": t, "content": refused} for code, t in _REFUSALS.items()},
            },
        }
        if name in BODIES:
            body = {JSON: {"schema": schemas[BODIES[name]]}}
            operation["requestBody"] = {"required": True, "content": body}
        paths.setdefault(where, {})[method.lower()] = operation
    keys = {"key": {"type": "http", "scheme": "bearer"}}
    return {**drawn, "paths": paths, "components": {"schemas": parts, "securitySchemes": keys}}


def _drawn(app: Litestar) -> dict[str, Any]:
    """Litestar's own document.

    It adds the parameters of a path to the functions that do not ask for them, which every refusal
    would then miss; they are taken out again.
    """
    signatures = [handler.parsed_fn_signature.parameters for _, handler in _handlers(app)]
    before = [frozenset(asked) for asked in signatures]
    drawn: dict[str, Any] = app.openapi_schema.to_schema()
    for asked, names in zip(signatures, before, strict=True):
        for name in asked.keys() - names:
            del asked[name]
    return drawn


def _handlers(app: Litestar) -> Iterator[tuple[str, HTTPRouteHandler]]:
    """The routes for programs, each with its path."""
    for route in app.routes:
        for handler in getattr(route, "route_handlers", ()):
            if "answers" in handler.opt:
                yield route.path_format, handler
