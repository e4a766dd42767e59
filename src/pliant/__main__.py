"""`python -m pliant`."""

from pliant.cli import main

if __name__ == "__main__":
    main()
