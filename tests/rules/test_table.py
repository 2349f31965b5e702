"""What tables keep of what was read once, and which tables share it."""

from dataclasses import replace

from kitchentable.rules import Entity, Table

AVA = Entity("ava", "Ava", "pc", "ana", {"rank": 5}, {})


def test_values_for_rules_are_read_once_for_tables_that_share_them():
    read = []

    def ranks(table: Table, of: Entity | None = AVA) -> int:
        return table.for_rules("ranks", lambda: read.append(of) or len(read), of)

    first = Table(options={"zeros": True}, own={"data": {}})
    later = replace(first, number=7).sharing(first)
    assert (ranks(first), ranks(later), ranks(first)) == (1, 1, 1)
    # Somebody else's reading of the same entity has another object, and never gets this one's.
    assert ranks(later, replace(AVA, sheet={})) == 2
    assert ranks(first) == 3
    for changed in (replace(first, options={"zeros": True}), replace(first, own={"data": {}})):
        assert ranks(changed.sharing(first)) == len(read) > 3


def test_the_cache_for_many_entities_is_bounded():
    table = Table(options={})
    for number in range(1_200):
        table.for_rules(f"of {number}", lambda: number, AVA)  # noqa: B023 - called at once
    assert len(table.once("for rules", dict)) <= 500
