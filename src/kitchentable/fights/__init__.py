"""Fights to the end: who wins, how long it takes and what it costs, exactly or in bulk."""

from kitchentable.fights.bout import Bout, Steps
from kitchentable.fights.bulk import Toll, run_bulk
from kitchentable.fights.errors import NeverEnds, TooManyStates
from kitchentable.fights.exact import Ending, solve_bout
from kitchentable.fights.named import Forecast, fight, forecast, foresee

__all__ = [
    "Bout",
    "Ending",
    "Forecast",
    "NeverEnds",
    "Steps",
    "Toll",
    "TooManyStates",
    "fight",
    "forecast",
    "foresee",
    "run_bulk",
    "solve_bout",
]
