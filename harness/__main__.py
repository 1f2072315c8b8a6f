"""`python -m harness` is `bakeoff`."""

from harness.cli.main import main

if __name__ == "__main__":
    main()
