"""Every row of every game's ledger is proven: by the rulebook, by code that plays, by a test."""

import re

import pytest

from scripts import rule_marks, rules


@pytest.fixture(scope="module")
def marks(request):
    """The tests that carry each rule; pytest collects them anew if this run has not all of them."""
    items = request.session.items
    if not {str(one.path) for one in items}.issuperset(rules.marked_files(rules.TESTS)):
        return rules.collect_marks()
    return {rule: frozenset(tests) for rule, tests in rule_marks.tests_of(items).items()}


def test_no_row_of_any_ledger_is_missing(marks):
    found = rules.games()
    all_rows = [row for game in found for row in game.rows(marks)]
    missing = [f"{row.id}: {row.lack}" for row in all_rows if not row.live]
    assert not missing, "\n".join(missing)
    assert [line for game in found for line in game.unread()] == []
    assert sum(row.game == "toast" for row in all_rows) == 152
    assert sum(row.game == "toaster" for row in all_rows) == 410
    assert sum(row.game == "lucky_stars" for row in all_rows) == 89
    assert sum(row.game == "objects" for row in all_rows) == 112
    assert list(rules.strays()) == []


def test_ids_without_code_prove_nothing(marks, tmp_path, monkeypatch):
    """A game whose code is gone, with every id left in a comment, has no proven rule to play."""
    for ledger in rules.GAMES.glob("*/ledger.txt"):
        folder = tmp_path / ledger.parent.name
        folder.mkdir()
        (folder / "ledger.txt").write_bytes(ledger.read_bytes())
        ids = " ".join(rules.kinds_of(ledger))
        (folder / "__init__.py").write_text(f'"""{ids}"""\n# {ids}\ngame = None\n')
        (folder / "data.toml").write_text(f'[[option]]  # {ids}\nkey = "of_no_use"\n')
    monkeypatch.setattr(rules, "GAMES", tmp_path)
    rows = [row for game in rules.games() for row in game.rows(marks)]
    assert len(rows) == 763
    assert not [row for row in rows if row.coded]


@pytest.mark.slow
def test_ids_in_comments_of_tests_prove_nothing(tmp_path):
    (tmp_path / "test_coin.py").write_text(
        "# coin.1-flip\n"
        "import pytest\n"
        'def test_a(): "coin.2-toss"\n'
        '@pytest.mark.rule("coin.3-edge")\n'
        "def test_b(): pass\n"
        '@pytest.mark.rule("coin.4-lost")\n'
        "def not_a_test(): pass\n"
        'ONE = pytest.param(1, marks=pytest.mark.rule("coin.5-one"))\n'
        '@pytest.mark.parametrize("face", [ONE])\n'
        "def test_c(face): pass\n"
    )
    marks = rules.collect_marks(tmp_path)
    assert sorted(marks) == ["coin.3-edge", "coin.5-one"]
    assert [re.sub(".*::", "", one) for one in marks["coin.5-one"]] == ["test_c[1]"]


BOOK = '[[rule]]\nid = "coin.1-flip"\n[[rule]]\nid = "coin.2-text"\n[[rule]]\nid = "coin.3-heads"\n'
LEDGER = """# id and kind
coin.1-flip core
coin.2-text text
coin.3-heads option
coin.4-untold ruling
coin.5-dead core
coin.6-face data
coin.7-never data
"""
GAME = '''"""A coin."""
from kitchentable.rulesets.coin.play import *
from kitchentable.rulesets.coin import play
from kitchentable.rulesets.coin.play import flip as throw

game = (throw, play.Coin)
'''
PLAY = '''"""How a coin is played (coin.5-dead)."""

#: coin.4-untold
DATA = read("face")


def flip(dice):
    """Flip (coin.1-flip)."""
    return f"coin.3-{dice}"


class Coin:
    """A coin."""

    def value(self):
        return FACES[self.name]

    def never(self):
        """coin.5-dead"""


#: coin.6-face
FACES = DATA


def dead():
    """coin.5-dead"""
    return Coin().asked
'''


@pytest.fixture
def coin(tmp_path, monkeypatch):
    """A game with a ledger of seven rows."""
    game, tests = tmp_path / "rulesets" / "coin", tmp_path / "tests" / "coin"
    game.mkdir(parents=True)
    tests.mkdir(parents=True)
    (game / "rulebook.toml").write_text(BOOK)
    (game / "ledger.txt").write_text(LEDGER)
    (game / "__init__.py").write_text(GAME)
    (game / "play.py").write_text(PLAY)
    (game / "data.toml").write_text(
        '[[face]]  # coin.6-face\nkey = "heads"\n[[unread]]\nrule = "coin.7-never"\n'
    )
    monkeypatch.setattr(rules, "GAMES", tmp_path / "rulesets")
    monkeypatch.setattr(rules, "TESTS", tmp_path / "tests")
    return rules.Game(game, frozenset({"value"}), frozenset())


MARKS = {f"coin.{rule}": frozenset({"t"}) for rule in ("1-flip", "4-untold", "5-dead", "6-face")}


def test_what_a_row_lacks_is_told(coin):
    dead = "no code that the product reaches cites it"
    untold = "no entry in the rulebook"
    assert {row.id: row.lack for row in coin.rows(MARKS)} == {
        "coin.1-flip": "",
        "coin.2-text": "",
        "coin.3-heads": "no test carries its id",
        "coin.4-untold": untold,
        "coin.5-dead": f"{untold} and {dead}",
        "coin.6-face": untold,
        "coin.7-never": f"{untold} and {dead} and no test carries its id",
    }
    assert list(coin.unread()) == ["coin: nothing reads the table unread"]


def test_a_rows_own_test_has_to_run_what_cites_it(coin):
    flip = next(one for one in coin.reached.values() if one.name == "flip")
    another = {"coin": {"play.py": {flip.last: frozenset({"other"})}}}
    lacks = {row.id: row.lack for row in coin.rows(MARKS, another)}
    assert lacks["coin.1-flip"] == "none of its tests runs the code that cites it"
    own = {"coin": {"play.py": {flip.last: frozenset({"other", "t"})}}}
    assert {row.id: row.lack for row in coin.rows(MARKS, own)}["coin.1-flip"] == ""


BROKEN = '''"""A coin that two tests look at."""


def face(thrown, *, good="heads"):
    """coin.1-flip"""
    return good if thrown else "tails"


def edge(thrown):
    """coin.4-untold"""
    return thrown > 1


class Coin:
    """coin.6-face"""

    worth = property(lambda self: 1)
'''
TESTED = """
import pytest
from coined import Coin, edge, face
@pytest.mark.rule("coin.1-flip")
def test_a(): assert face(1) == "heads"
@pytest.mark.rule("coin.4-untold")
def test_b(): edge(2)
@pytest.mark.rule("coin.6-face")
def test_c(): assert Coin().worth == 1
@pytest.mark.rule("coin.7-never")
def test_d(): pass
"""


@pytest.mark.slow
def test_a_beginning_of_no_rule_is_refused(marks):
    books = "these do: objects., stars., toast., toaster."
    with pytest.raises(SystemExit, match=f"begins with 'lucky-stars.'; {books}"):
        list(rules.unnoticed(marks, "lucky-stars."))


@pytest.mark.slow
def test_a_row_whose_tests_do_not_notice_broken_code_is_told(tmp_path):
    code = tmp_path / "coined.py"
    code.write_text(BROKEN)
    tests = f"import sys\nsys.path.append({str(tmp_path)!r})\n{TESTED}"
    (tmp_path / "test_coined.py").write_text(tests)
    face, edge, coin = (
        (str(code), "face", 6, 6),
        (str(code), "edge", 11, 11),
        (str(code), "Coin", 14, 17),
    )
    cited = {
        "coin.1-flip": [[face], [edge]],
        "coin.4-untold": [[edge], [face]],
        "coin.6-face": [[face], [coin]],
        "coin.7-never": [[face, edge], []],
    }
    assert rules.break_cited(cited, tmp_path) == {
        "coin.1-flip": {"face": "noticed"},
        "coin.4-untold": {"edge": "green"},
        "coin.6-face": {"face": "not run", "Coin": "noticed"},
        "coin.7-never": {"face": "not run", "edge": "not run"},
    }


@pytest.mark.soak
@pytest.mark.parametrize("book", ["toast", "objects", "stars", "toaster"])
def test_every_rows_own_tests_notice_when_the_code_that_cites_it_is_broken(marks, book):
    assert list(rules.unnoticed(marks, f"{book}.")) == []


def test_an_option_that_nothing_reads_is_told(coin):
    (coin.folder / "data.toml").write_text('[[option]]\nkey = "edge"\n[[option]]\nkey = "face"\n')
    game = rules.Game(coin.folder, frozenset({"value"}), frozenset({"option"}))
    assert list(game.unread()) == ["coin: nothing reads the option edge"]


def test_the_report_ends_with_an_error_and_names_what_is_missing(coin, monkeypatch, capsys):
    monkeypatch.setattr(rules, "collect_marks", lambda: MARKS)
    with pytest.raises(SystemExit) as ended:
        rules.main(["--quick"])
    assert ended.value.code == 1
    said = capsys.readouterr().out
    assert "coin          core           1        1\n" in said
    assert "missing: coin.3-heads (option): no test carries its id\n" in said
    assert "unread: coin: nothing reads the table unread\n" in said


def test_an_id_of_no_ledger_is_told_with_who_names_it(coin, tmp_path):
    """Ids that are put together in place are looked for by how they begin, and are none."""
    assert [one.id for one in rules.strays()] == []
    (tmp_path / "tests" / "test_table.py").write_text(
        'A = ("coin.1-flop", "coin.2.1-deep", "silver.coin.9-no", "coin.9", "coin.4-untold")\n'
        'B = f"coin.8-face-{1}" + "coin.7-side-" + f"coin.6-{1}"\n'
    )
    (tmp_path / "rulesets" / "coin" / "more.py").write_text("# coin.1-flop\n")
    assert {one.id: one.where for one in rules.strays()} == {
        "coin.1-flop": ("rulesets/coin/more.py", "tests/test_table.py"),
        "coin.2.1-deep": ("tests/test_table.py",),
    }


def test_a_book_may_lie_in_several_files(coin):
    (coin.folder / "rulebook").mkdir()
    (coin.folder / "rulebook" / "4_more.toml").write_text('[[rule]]\nid = "coin.4-untold"\n')
    assert "coin.4-untold" in coin.told
