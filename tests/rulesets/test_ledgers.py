"""Every row of every game's ledger is live: told in the rulebook, in the code, and in a test."""

import pytest

from scripts import rules


def test_no_row_of_any_ledger_is_missing():
    found = list(rules.rows())
    missing = [f"{row.id}: {row.lack}" for row in found if not row.live]
    assert not missing, "\n".join(missing)
    assert sum(row.game == "toast" for row in found) == 152
    assert sum(row.game == "toaster" for row in found) == 410
    assert sum(row.game == "lucky_stars" for row in found) == 89
    assert list(rules.strays()) == []


BOOK = (
    '[[rule]]\nid = "coin.1-flip"\n[[rule]]\nid = "coin.2-text"\n[[rule]]\nid = "coin.3-made-up"\n'
)


@pytest.fixture
def coin(tmp_path, monkeypatch):
    """A game with a ledger of five rows, of which two are live."""
    game, tests = tmp_path / "games" / "coin", tmp_path / "tests" / "coin"
    game.mkdir(parents=True)
    tests.mkdir(parents=True)
    (game / "rulebook.toml").write_text(BOOK)
    (game / "ledger.txt").write_text(
        "# id and kind\ncoin.1-flip core\ncoin.2-text text\ncoin.3-made-up option\n"
        "coin.4-untold ruling\ncoin.1-fl core\n"
    )
    (game / "mechanics.py").write_text('"""coin.1-flip, coin.4-untold"""\nID = f"coin.3-{1}"\n')
    (tests / "test_flip.py").write_text("# coin.1-flip\n")
    monkeypatch.setattr(rules, "GAMES", tmp_path / "games")
    monkeypatch.setattr(rules, "TESTS", tmp_path / "tests")
    monkeypatch.setattr(rules, "ALL_TESTS", tmp_path / "tests")


def test_what_a_row_lacks_is_told(coin, capsys):
    assert {row.id: row.lack for row in rules.rows()} == {
        "coin.1-flip": "",
        "coin.2-text": "",
        "coin.3-made-up": "no test carries its id",
        "coin.4-untold": "no entry in the rulebook and no test carries its id",
        "coin.1-fl": "no entry in the rulebook and no code cites it and no test carries its id",
    }
    with pytest.raises(SystemExit) as ended:
        rules.main()
    assert ended.value.code == 1
    said = capsys.readouterr().out
    assert "coin          core           1        1\n" in said
    assert "missing: coin.3-made-up (option): no test carries its id\n" in said


def test_an_id_of_no_ledger_is_told_with_who_names_it(coin, tmp_path, capsys):
    """Ids that are put together in place are looked for by how they begin, and are none."""
    assert [one.id for one in rules.strays()] == []
    (tmp_path / "tests" / "test_table.py").write_text(
        'A = ("coin.1-flop", "coin.2.1-deep", "silver.coin.9-no", "coin.9", "coin.4-untold")\n'
        'B = f"coin.8-face-{1}" + "coin.7-side-" + f"coin.6-{1}"\n'
    )
    (tmp_path / "games" / "coin" / "more.py").write_text("# coin.1-flop\n")
    assert {one.id: one.where for one in rules.strays()} == {
        "coin.1-flop": ("games/coin/more.py", "tests/test_table.py"),
        "coin.2.1-deep": ("tests/test_table.py",),
    }
    with pytest.raises(SystemExit) as ended:
        rules.main()
    assert ended.value.code == 1
    assert "in no ledger: coin.1-flop, named in games/coin/more.py" in capsys.readouterr().out


def test_a_book_may_lie_in_several_files(coin, tmp_path):
    game = tmp_path / "games" / "coin"
    (game / "rulebook").mkdir()
    (game / "data").mkdir()
    (game / "rulebook" / "4_more.toml").write_text('[[rule]]\nid = "coin.4-untold"\n')
    (game / "data" / "faces.toml").write_text('[[faces]]\nrule = "coin.1-fl"\n')
    lacks = {row.id: row.lack for row in rules.rows()}
    assert lacks["coin.4-untold"] == "no test carries its id"
    assert lacks["coin.1-fl"] == "no entry in the rulebook and no test carries its id"
