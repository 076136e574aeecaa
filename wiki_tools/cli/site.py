"""`wiki build` and `wiki serve`: the site, from pages and evidence; nothing is run."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from wiki_tools.cli.common import Docs
from wiki_tools.config import Config, read_config, read_mkdocs
from wiki_tools.errors import ConfigError, UsageError


def build(
    docs: Docs = None,
    site: Annotated[
        Path | None,
        typer.Option("--site", metavar="DIR", help="Where to write. [default: site_dir]"),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings fail the build.")] = False,
    generator: Annotated[
        str,
        typer.Option(
            "--generator", metavar="NAME", help="What builds it: `mkdocs`, or `zensical`."
        ),
    ] = "mkdocs",
) -> None:
    """Build the site from pages and evidence; nothing is run.

    Example: `wiki build --site public`
    """
    config = _settings(docs)
    if generator not in ("mkdocs", "zensical"):
        raise UsageError(f"--generator {generator!r}: expected mkdocs or zensical")
    settings = read_mkdocs(config)
    target = site.resolve() if site else config.root / str(settings.get("site_dir") or "site")
    _check_writable(target)
    if generator == "zensical":
        code = _zensical(config, settings, target, strict=strict)
    else:
        arguments = ["--quiet", "--site-dir", str(target), *["--strict"] * strict]
        code = _mkdocs(config, "build", *arguments)
    if not code:
        typer.echo(target / "index.html")
    raise typer.Exit(code)


def serve(
    docs: Docs = None,
    address: Annotated[
        str, typer.Option("--address", metavar="HOST:PORT", help="Where to listen.")
    ] = "127.0.0.1:8000",
) -> None:
    """Serve the site on this machine and rebuild it whenever a page or its evidence changes.

    Example: `wiki serve --address 127.0.0.1:9000`
    """
    config = _settings(docs)
    _check_free(address)
    raise typer.Exit(_mkdocs(config, "serve", "--dev-addr", address))


def _check_writable(target: Path) -> None:
    """Make sure that a site can be written there: MkDocs ends in a traceback where it cannot.

    Raises:
        UsageError: it cannot.
    """
    try:
        target.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=target):
            pass
    except OSError as error:
        reason = f"no site can be written there: {error.strerror}"
        raise UsageError(f"{target}: {reason}; name another folder with --site DIR") from None


def _check_free(address: str) -> None:
    """Make sure that somebody can listen there.

    Raises:
        UsageError: the address is none, or taken.
    """
    host, _, port = address.rpartition(":")
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host.strip("[]"), int(port)))
    except (OSError, ValueError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or "expected HOST:PORT"
        raise UsageError(
            f"--address {address}: cannot listen there: {reason}; "
            "choose another, such as --address 127.0.0.1:8001"
        ) from None


def _settings(docs: Path | None) -> Config:
    config = read_config(docs)
    if not (config.root / "mkdocs.yml").is_file():
        raise ConfigError(
            f"{config.root / 'mkdocs.yml'}: not there, and a site needs one; "
            "the shortest is: site_name: My wiki / theme: material / plugins: [search, wiki]"
        )
    return config


def _zensical(config: Config, settings: dict[str, Any], target: Path, *, strict: bool) -> int:
    """Render the vault, and let Zensical build a project for each language.

    Raises:
        UsageError: Zensical is not installed.
    """
    from importlib.util import find_spec

    from wiki_tools.render.vault import render_vault
    from wiki_tools.render.zensical import join_sites, write_projects

    if find_spec("zensical") is None:
        raise UsageError("Zensical is not installed; pip install 'wiki_tools[zensical]'")
    rendered, tree = render_vault(config.docs)
    out = config.root / ".wiki" / "zensical"
    projects = write_projects(rendered, tree, out, settings)
    for project in projects:
        command = [sys.executable, "-m", "zensical", "build", "-f", str(project.config)]
        done = subprocess.run([*command, *["--strict"] * strict], check=False)
        if done.returncode:
            return 1
    join_sites(projects, target)
    return 0


def _mkdocs(config: Config, *arguments: str) -> int:
    """Run MkDocs in its own process, since it keeps global state; return its exit code.

    Raises:
        UsageError: MkDocs is not installed.
    """
    from importlib.util import find_spec

    if find_spec("mkdocs") is None:
        raise UsageError("MkDocs is not installed; pip install 'wiki_tools[site]'")
    file = str(config.root / "mkdocs.yml")
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "true"}  # Material's notice on MkDocs 2.0
    quiet["WIKI_SERVE"] = "1"  # where it serves, plugins warn and do not tell of each step
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        *arguments[:1],
        "--config-file",
        file,
        *arguments[1:],
    ]
    with subprocess.Popen(command, env=quiet) as process:
        signal.signal(signal.SIGTERM, lambda *_: process.terminate())  # leave no server behind
        try:
            code = process.wait()
        except KeyboardInterrupt:
            process.wait()
            return 0
    return 0 if code in (0, -signal.SIGTERM) else 1
