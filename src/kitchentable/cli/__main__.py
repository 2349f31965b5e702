"""`python -m kitchentable.cli` is the same as `kitchentable`."""

from kitchentable.cli.main import main

if __name__ == "__main__":
    main()
