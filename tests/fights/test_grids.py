"""A fight over a grid: the same forecasts one after the other, beside each other, and resumed."""

import importlib
import pickle
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from fractions import Fraction

import pytest

import kitchentable as kt
from kitchentable.dice import BadInput
from kitchentable.fights import Grid, grids, sweep
from kitchentable.rules import Policy

MELEE = ("toast", "melee")
SIDES = {"ours": "5/6/4/4", "theirs": "{many}x2/{attack}/3/1"}
OVER = {"many": [1, 2], "attack": [3, 5, 7]}


class Elsewhere(Executor):
    """A worker like another process: arguments and results pass as bytes."""

    def __init__(self):
        self.tasks = 0

    def submit(self, function, /, *args, **kwargs):
        self.tasks += 1
        function, args, kwargs = pickle.loads(pickle.dumps((function, args, kwargs)))
        future = Future()
        future.set_result(pickle.loads(pickle.dumps(function(*args, **kwargs))))
        return future


@pytest.fixture(scope="module")
def grid():
    return sweep(*MELEE, over=OVER, **SIDES)


def test_each_point_is_the_fight_by_itself(grid):
    assert len(grid.found) == 6
    assert (grid.missing, grid.failed) == ((), {})
    alone = kt.fight(*MELEE, ours="5/6/4/4", theirs="2x2/5/3/1")
    assert grid[2, 5] == alone
    assert grid.wins("ours")[2, 5] == alone.wins["ours"]


def test_it_is_shown_as_a_table_and_as_rows(grid):
    lines = grid.table("theirs").splitlines()
    assert lines[0].split() == ["attack=3", "attack=5", "attack=7"]
    assert [line.split()[0] for line in lines[1:]] == ["many=1", "many=2"]
    row = list(grid.rows())[4]
    assert (row["many"], row["attack"], row["found"]) == (2, 5, "fractions")
    assert row["ours win"] == float(grid[2, 5].wins["ours"])
    with pytest.raises(BadInput, match="Choose one of ours, theirs"):
        grid.table("us")


def test_fair_fights_are_found(grid):
    best = grid.nearest("ours", 0.9, many=2)
    wins = {point: abs(float(won) - 0.9) for point, won in grid.wins("ours").items()}
    assert best == sorted(wins, key=wins.get)[:2]


@pytest.mark.parametrize("fights", [0, 300])
def test_it_is_the_same_wherever_it_is_worked_out(fights, monkeypatch):
    monkeypatch.setattr(grids, "TASK", 100)
    here = sweep(*MELEE, over=OVER, fights=fights, seed=5, **SIDES)
    elsewhere = Elsewhere()
    assert sweep(*MELEE, over=OVER, fights=fights, seed=5, executor=elsewhere, **SIDES) == here
    assert 1 < elsewhere.tasks < 6
    with ThreadPoolExecutor(2) as threads:
        assert sweep(*MELEE, over=OVER, fights=fights, seed=5, executor=threads, **SIDES) == here


@pytest.mark.soak
def test_it_is_the_same_in_processes_and_on_a_dask_cluster():
    asked = {"over": OVER, "fights": 300, "seed": 5, **SIDES}
    here = sweep(*MELEE, **asked)
    assert sweep(*MELEE, processes=2, **asked) == here
    cluster = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    for processes in (False, True):
        with importlib.import_module("distributed").Client(processes=processes, **cluster) as one:
            assert sweep(*MELEE, executor=one.get_executor(), **asked) == here


def test_a_roll_is_swept_too():
    over = {"trait": [3, 5], "medium": [11, 14]}
    grid = sweep("toast", "task", difficulty="medium", over=over, executor=Elsewhere())
    hard = kt.game("toast", medium=14).odds("task", trait=5, difficulty="medium")
    assert grid[5, 14].wins == dict(hard.told())
    assert grid.wins("success")[5, 14] == Fraction(1, 6)
    assert grid.table("success").splitlines()[1].split() == ["trait=3", "25.0", "%", "0.0", "%"]
    row, *_ = grid.rows()
    assert sum(row[name] for name in row if name not in over) == pytest.approx(1)
    numbers = sweep("lucky_stars", "dice", count=2, over={"sides": [6, 8]})
    assert numbers.table("mean").split() == ["sides=6", "sides=8", "7", "9"]
    assert "mean" not in next(sweep("lucky_stars", "supply", over={"die": [8]}).rows())
    with pytest.raises(BadInput, match="for fights"):
        sweep("toast", "task", over=over, fights=3)


def test_a_grid_is_a_file_for_spreadsheets(grid):
    header, *rows = grid.csv().splitlines()
    assert header.startswith("many,attack,ours win,theirs win,rounds,")
    assert (len(rows), rows[0].split(",")[:2]) == (6, ["1", "3"])


def test_an_error_in_a_function_of_ones_own_names_the_point():
    def fussy(me, foe, health):
        return 1 / (foe.attack - 5)

    with pytest.raises(ZeroDivisionError) as raised:
        sweep(*MELEE, over=OVER, policy=Policy("somebody", fussy), **SIDES)
    assert any("at many=" in note and "attack=5" in note for note in raised.value.__notes__)


def test_a_lost_worker_leaves_what_was_found():
    class Losing(Elsewhere):
        def submit(self, function, /, *args, **kwargs):
            future = super().submit(function, *args, **kwargs)
            if self.tasks > 1:
                future = Future()
                future.set_exception(BrokenExecutor("It was killed."))
            return future

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grids, "TASK", 1)
        part = sweep(*MELEE, over=OVER, executor=Losing(), **SIDES)
    assert part.stopped == "The sweep lost a worker: It was killed."
    assert len(part.found) + len(part.missing) == 6
    assert sweep(*MELEE, over=OVER, known=part, **SIDES).missing == ()


def test_options_and_named_values_are_axes_too():
    over = {"initiative_each_round": [True, False], "theirs": ["1/4/9/1", "9/4/9/1"]}
    grid = sweep(*MELEE, over=over, ours="9/9/4/1")
    kept = kt.game("toast", initiative_each_round=False)
    assert grid[False, "1/4/9/1"] == kt.fight(kept, "melee", ours="9/9/4/1", theirs="1/4/9/1")
    assert grid[True, "1/4/9/1"].wins != grid[False, "1/4/9/1"].wins
    options = {"initiative_each_round": False}
    sides = {"ours": "9/9/4/1", "theirs": "1/{attack}/9/1"}
    assert (
        sweep(*MELEE, over={"attack": [4]}, options=options, **sides)[4] == grid[False, "1/4/9/1"]
    )


def test_a_point_that_is_refused_says_so_and_the_others_stand():
    grid = sweep(*MELEE, over={"left": [1, 0]}, ours="4/4/4/{left}", theirs="4/4/4/1")
    assert grid.missing == ()
    assert grid.table("ours").split()[-2:] == ["%", "refused"]
    with pytest.raises(BadInput, match=r"at left=0\. ours needs at least one fighter"):
        grid[0]


def test_an_interrupted_sweep_keeps_what_it_has_and_goes_on():
    heard = []

    def stop(done, all_):
        heard.append((done, all_))
        if done == 2:
            raise KeyboardInterrupt

    part = sweep(*MELEE, over=OVER, progress=stop, **SIDES)
    # The greatest fights come first.
    assert set(part.found) <= {(2, attack) for attack in OVER["attack"]}
    assert (len(part.found), len(part.missing), heard) == (2, 4, [(1, 6), (2, 6)])
    heard.clear()
    whole = sweep(*MELEE, over=OVER, known=part, progress=lambda *now: heard.append(now), **SIDES)
    assert whole == sweep(*MELEE, over=OVER, **SIDES)
    assert heard[0] == (3, 6)


def test_what_cannot_be_swept_gets_a_sentence():
    with pytest.raises(BadInput, match="A sweep needs axes with values"):
        sweep(*MELEE, over={}, ours="4/4/4/1", theirs="4/4/4/1")
    with pytest.raises(BadInput, match=r"\{few\} has no values"):
        sweep(*MELEE, over={"many": [1]}, ours="4/4/4/1", theirs="{few}x4/4/4/1")
    with pytest.raises(BadInput, match="does not take many"):
        sweep(*MELEE, over={"many": [1]}, ours="4/4/4/1", theirs="4/4/4/1")
    with pytest.raises(BadInput, match="did not reach it"):
        Grid({"many": (1,)}, {})[1]
