"""`python -m wiki_tools.worker --frameworks torch --socket 5 --folder F`: a preloaded parent."""

import os
import socket
import sys


def main(arguments: list[str]) -> None:
    """Import what is asked for and serve jobs on the socket that was inherited."""
    options = dict(zip(arguments[::2], arguments[1::2], strict=True))
    frameworks = tuple(filter(None, options.get("--frameworks", "").split(",")))
    if "--once" in options:
        from wiki_tools.worker.once import run_once

        run_once()
        return
    from wiki_tools.worker.zygote import Zygote, preload

    preload(frameworks)
    with socket.socket(fileno=int(options["--socket"])) as wire:
        Zygote(wire, options["--folder"]).serve()
    os._exit(0)  # without the frameworks' own farewells


if __name__ == "__main__":
    main(sys.argv[1:])
