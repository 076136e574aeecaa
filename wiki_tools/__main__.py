"""The command `wiki`, and `python -m wiki_tools`: from its first moment on Ctrl-C just ends it."""

import sys


def main() -> None:
    """Run the command line; importing it takes long enough for somebody to change their mind."""
    try:
        from wiki_tools.collector import without_collector

        with without_collector():
            from wiki_tools.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
