"""The command `wiki`, and `python -m wiki_tools`: from its first moment on Ctrl-C just ends it."""

import gc
import sys

SELDOM = 100_000
"""New objects after which Python looks for cycles among them: a command makes few cycles and loads
400 modules, and a look after each 700 objects takes a twentieth of `wiki verify`."""


def main() -> None:
    """Run the command line; importing it takes long enough for somebody to change their mind."""
    try:
        from wiki_tools.collector import without_collector

        with without_collector():
            from wiki_tools.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    gc.set_threshold(SELDOM)
    run()


if __name__ == "__main__":
    main()
