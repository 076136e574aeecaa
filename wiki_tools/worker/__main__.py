"""`python -m wiki_tools.worker --frameworks torch --socket 5 --folder F`: a preloaded parent."""

import os
import sys


def main(arguments: list[str]) -> None:
    """Import what is asked for and serve jobs on the socket that was inherited."""
    options = dict(zip(arguments[::2], arguments[1::2], strict=True))
    frameworks = tuple(filter(None, options.get("--frameworks", "").split(",")))
    how, group = options.get("--sandbox", ""), int(options.get("--group", -1))
    if "--once" in options:
        from wiki_tools.worker.once import run_once

        run_once(how, group)
        return
    from wiki_tools.worker.order import REFUSES
    from wiki_tools.worker.sandbox.inside import enter_sandbox
    from wiki_tools.worker.zygote import TouchedError, Zygote, keep_trace, preload

    folder = options["--folder"]
    sandbox = enter_sandbox(how, folder, group)
    wire = keep_trace(int(options["--socket"]))
    try:
        preload(frameworks, folder)
        Zygote(wire, folder, sandbox, int(options["--jobs"])).serve()
    except TouchedError as error:
        print(f"must not fork: {error}", file=sys.stderr, flush=True)
        os._exit(REFUSES)
    os._exit(0)  # without the frameworks' own farewells


if __name__ == "__main__":
    main(sys.argv[1:])
