"""Play every game's golden playthrough again and write down the new logs.

The steps are kept; the indented lines below them are replaced. Read the difference before you
commit it: players would notice each changed line.
"""

from pathlib import Path

from kitchentable.app.playthrough import play

GAMES = Path(__file__).resolve().parent.parent / "src" / "kitchentable" / "rulesets"


def main() -> None:
    """Rewrite each playthrough that differs, and name it."""
    for path in sorted(GAMES.glob("*/playthrough.txt")):
        script = path.read_text(encoding="utf-8")
        played = play(path.parent.name, script)
        if played != script:
            path.write_text(played, encoding="utf-8")
            print(f"{path.parent.name}: written anew")


if __name__ == "__main__":
    main()
