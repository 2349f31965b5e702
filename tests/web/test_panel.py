"""What the panel shows again of a form that is being filled in."""

from kitchentable.game import Choice, Field
from kitchentable.web.panel import shown_values

ROWS = Field(
    "why",
    "Why",
    "rows",
    columns=(
        Field("id", "Key"),
        Field("text", "What"),
        Field("worth", "Worth", "choice", (Choice("", "one"), Choice("2", "two")), default=""),
    ),
)


def test_a_blank_row_is_not_shown_again_and_what_was_typed_is():
    """The form has one blank row of its own; else each refresh would add another."""
    sent = {"why.0.text": "rain", "why.0.worth": "", "why.1.text": " ", "why.1.worth": ""}
    assert shown_values((ROWS,), sent) == {"why": [{"text": "rain", "worth": ""}]}
    half = {"why.0.text": "", "why.0.worth": "2"}
    assert shown_values((ROWS,), half) == {"why": [{"text": "", "worth": "2"}]}
    assert shown_values((ROWS,), {}) == {}
