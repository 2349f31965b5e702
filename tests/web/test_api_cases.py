"""Requests made from the OpenAPI document, right and wrong ones: answers are as it says.

A few of each in the suite; `make soak` sends a thousand to each address.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS

from tests.web.visitors import Visited, Visitor, visit

#: A stream without an end is read in test_api_events.py.
ENDLESS = "/t/{campaign}/api/v1/events"
#: Where a request of the right form may name somebody who is not there, or words that mean nothing.
REFUSING = {f"/t/{{campaign}}/api/v1/{one}" for one in ("line", "lines", "undo", "commands")}


def send_all(visited: Visited, who: str, many: int) -> dict[str, Counter[int]]:
    """Send this many right and wrong requests to every address; how often each status came."""
    key = visited.server.keys.issue("seat-link", visited.campaign, visited.seats[who].id)
    one = visited.stranger(authorization=f"Bearer {key}", accept="application/json")
    document = one.get("/api/v1/openapi.json").json()
    for methods in document["paths"].values():
        for operation in methods.values():
            # The key comes with each request; tests/web/test_auth.py has those without.
            operation.pop("security")
    schema = schemathesis.openapi.from_dict(document)
    entity = next(iter(visited.server.tables.campaign(visited.campaign).table.entities))
    found: dict[str, Counter[int]] = {}
    for result in schema.get_all_operations():
        operation = result.ok()
        if operation.path == ENDLESS:
            continue
        sender = Sender(one, {"campaign": visited.campaign, "entity": entity}, operation.path)
        for mode in modes_of(document["paths"][operation.path][operation.method]):
            run(operation.as_strategy(generation_mode=mode), sender.check, many)
        found[operation.path] = sender.said
    return found


@dataclass
class Sender:
    """Sends the cases of one address; `real` are names that are there."""

    visitor: Visitor
    real: dict[str, str]
    path: str
    said: Counter[int] = field(default_factory=Counter)

    def check(self, case: Any) -> None:
        """Send a case and compare the answer with the document."""
        case.path_parameters = {name: self.real[name] for name in case.path_parameters or ()}
        answer = self.visitor.request(**asked(case, self.visitor.headers["authorization"]))
        self.said[answer.status_code] += 1
        left_out = [CHECKS.get_one("positive_data_acceptance")]
        case.validate_response(answer, excluded_checks=left_out if self.path in REFUSING else [])


def asked(case: Any, key: str) -> dict[str, Any]:
    """A case as a request of our client."""
    words = case.as_transport_kwargs(base_url="http://table.example")
    body = words.get("data")
    content = body if isinstance(body, str | bytes | None) else str(body)
    kept = {name: words[name] for name in ("method", "url", "params", "json") if words.get(name)}
    sent = {name: value for name, value in words["headers"].items() if name == "Content-Type"}
    return {**kept, "headers": {**sent, "authorization": key}, "content": content}


def modes_of(operation: dict[str, Any]) -> tuple[GenerationMode, ...]:
    """Right requests, and wrong ones where something is asked that is not in the path."""
    asked = "requestBody" in operation or any(
        one["in"] == "query" for one in operation.get("parameters", ())
    )
    return (GenerationMode.POSITIVE, *([GenerationMode.NEGATIVE] if asked else []))


def run(cases: Any, check: Callable[[Any], None], many: int) -> None:
    """Check this many cases, the same each time."""
    told = settings(
        max_examples=many,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    told(given(cases)(lambda case: check(case)))()  # noqa: PLW0108 - given sets names on it


@pytest.mark.slow
def test_every_address_answers_as_the_document_says():
    with visit() as visited:
        found = send_all(visited, "GM", 4)
    refused = {path for path, said in found.items() if 200 not in said}
    below = "/t/{campaign}/api/v1"
    assert refused <= {"/api/v1/knock", f"{below}/undo", f"{below}/commands"}


@pytest.mark.soak
@pytest.mark.parametrize("who", ["GM", "Mara"])
def test_a_thousand_requests_to_every_address(who):
    with visit() as visited:
        found = send_all(visited, who, 500)
    assert sum(map(sum, (said.values() for said in found.values()))) > 5000
