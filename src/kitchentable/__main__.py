"""`python -m kitchentable` is the same as `kitchentable`."""

from kitchentable.cli import main

if __name__ == "__main__":
    main()
