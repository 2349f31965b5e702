"""The types of the options; data.toml declares them."""

from __future__ import annotations

from kitchentable.rules.kit import Rows
from kitchentable.rules.kit.books import open_book
from kitchentable.rules.kit.listings import Listing, fresh_key, name_of
from kitchentable.rules.kit.settings import Settings
from kitchentable.rules.values import record

#: The key for names without a letter.
_NAMELESS = "nameless"

#: The book's files in this folder: tables, rulebook, golden playthrough.
BOOK = open_book("kitchentable.rulesets.objects")


@record
class Type:
    """A type of object at this table: key, name, whether it has a will."""

    key: str
    name: str
    hint: str = ""
    sentient: bool = False


@record
class Basic:
    """A talent of all objects of a type, which makes them comparable."""

    key: str
    name: str
    hint: str = ""

    @property
    def rule(self) -> str:
        """The talent's rule, or for a table's own talent the rule of all basic ones."""
        own = f"objects.2.3-bt-{self.key}"
        return own if own in BOOK.rulebook else "objects.2.3-basic-talents"


class Options(Settings, options=BOOK.options):
    """The options that this code reads by name, with their types.

    >>> [one.key for one in Options({"types": [{"name": "Giant robot"}]}).types]
    ['giant-robot']
    """

    types = Listing(Type, "", _NAMELESS)
    basic_talents: Rows
    story_sentences: int
    many_sixes: int
    suitable: str
    modifier_detail: str
    modifier_usual: int
    modifier_shown: str
    status_by: str
    karma_start: int
    karma_cap: int | None
    gm_numbers: str
    house_rules: str

    def type_of(self, key: str) -> Type:
        """The type with this key; a removed type has its key as its name."""
        found = next((one for one in self.types if one.key == key), None)
        return found or Type(key, name_of(key))

    def basics(self, key: str) -> tuple[Basic, ...]:
        """The basic talents of a type; none without the split (objects.2.3-split-optional).

        The list names a type by its name or its key, ignoring case.
        """
        one, found = self.type_of(key), dict[str, Basic]()
        names = {one.key.casefold(), one.name.casefold()}
        for row in self.basic_talents if self.use_split else ():
            if str(row.get("type")).strip().casefold() in names:
                known = fresh_key(row["talent"], (), _NAMELESS)
                found.setdefault(known, Basic(known, row["talent"], row.get("hint") or ""))
        return tuple(found.values())


problem = BOOK.problem
