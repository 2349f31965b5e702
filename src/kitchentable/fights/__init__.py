"""Forecasts of fights: winners, rounds and remaining health, solved or counted."""

from kitchentable.fights.forecast import Fate, Forecast, Found, Lengths
from kitchentable.fights.grids import Grid, sweep
from kitchentable.fights.named import fight, forecast, foresee, throw
from kitchentable.fights.series import Series, foresee_series, series
from kitchentable.rules.combat import BadBattle, NeverEnds, NoSuchPolicy

__all__ = [
    "BadBattle",
    "Fate",
    "Forecast",
    "Found",
    "Grid",
    "Lengths",
    "NeverEnds",
    "NoSuchPolicy",
    "Series",
    "fight",
    "forecast",
    "foresee",
    "foresee_series",
    "series",
    "sweep",
    "throw",
]
