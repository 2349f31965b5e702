"""A newer version of the package: a copy with one more kind of event, and its command."""

import shutil
from pathlib import Path

import kitchentable

PACKAGE = Path(kitchentable.__file__).parent

#: What is added to each file of a copy, before the line that begins so.
ADDED = {
    "campaign/kinds.py": (
        '        "undone": Kind(',
        '        "weather-set": Kind(_with("{who} lets it {weather}."), "evenings"),\n',
    ),
    "campaign/commands.py": (
        "class Undo(",
        '''class SetWeather(Command, frozen=True):
    """The GM changes the weather."""

    sender = Who.GM
    weather: str


''',
    ),
    "campaign/decide/chat.py": (
        "def set_note(",
        '''def set_weather(context: Context, command: Any) -> Event:
    """The weather of the place changes."""
    changes = [Change(("notes", "weather"), command.weather)]
    return context.event("weather-set", changes, data={"weather": command.weather})


''',
    ),
    "campaign/decide/__init__.py": (
        "        c.SetNote:",
        "        c.SetWeather: chat.set_weather,\n",
    ),
}


def make_newer(folder: Path) -> None:
    """Make the copy in a folder, which goes before all others in PYTHONPATH."""
    package = folder / "kitchentable"
    package.mkdir()
    for one in PACKAGE.iterdir():
        if one.name not in {"campaign", "__pycache__"}:
            (package / one.name).symlink_to(one)
    shutil.copytree(
        PACKAGE / "campaign", package / "campaign", ignore=shutil.ignore_patterns("__pycache__")
    )
    for name, (before, text) in ADDED.items():
        source = (package / name).read_text(encoding="utf-8")
        assert source.count(f"\n{before}") == 1
        (package / name).write_text(source.replace(f"\n{before}", f"\n{text}{before}"), "utf-8")
