"""`python -m benchmarks`: every table, or those that are named."""

import sys
from collections.abc import Callable

from benchmarks import checking, context, isolation, measuring, repeating, site, verifying

TABLES: dict[str, Callable[[], None]] = {
    "isolation": isolation.print_table,
    "checking": checking.print_table,
    "site": site.print_table,
    "measuring": measuring.print_table,
    "repeating": repeating.print_table,
    "verifying": verifying.print_table,
    "context": context.print_table,
}


def main() -> None:
    """Print the tables that the command line names, all by default."""
    names = sys.argv[1:] or list(TABLES)
    unknown = [name for name in names if name not in TABLES]
    if unknown:
        sys.exit(f"benchmarks: no table {unknown[0]}; there are {', '.join(TABLES)}")
    for name in names:
        TABLES[name]()


main()
