"""The command `kernex`: starts the app, and says what is here and what is missing.

    kernex [FILE ...]      kernex --port 8600 --open      kernex version      kernex check
    kernex predict MODEL ITEMS > predictions.csv

A command is a line in COMMANDS: name, what it does, what it may be given, and the function that does it and returns the exit
code. What begins with the name of none starts the app. A wrong argument is one sentence and exit code 2.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
import urllib.request
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn

from kernex.check import lines, why_not
from kernex_core.base.references import versions

PORT: Final = 8501
MOST_PORTS: Final = 100
"""How many ports after the usual one are tried where it is taken and none was asked for."""
WRONG: Final = 2
"""Exit code where an argument cannot be."""
PULSE: Final = 0.2


def root() -> Path:
    """Folder of the app: inside the installed package, or the repository around this one."""
    inside = Path(__file__).with_name("app")
    return inside if inside.is_dir() else Path(__file__).parents[1]


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, without the usage around it."""

    def error(self, message: str) -> NoReturn:
        """End with that sentence."""
        self.exit(WRONG, f"kernex: {message}. `kernex --help` says what there is.\n")


@dataclass(frozen=True)
class Command:
    """One command."""

    name: str
    does: str
    takes: Callable[[Parser], None]
    run: Callable[[argparse.Namespace], int]


def port_number(text: str) -> int:
    """Return the port of an argument."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 5 and 1 <= int(text) <= 65_535):
        raise argparse.ArgumentTypeError(f"a port is a whole number from 1 to 65535, not {text!r}")
    return int(text)


def file_path(text: str) -> Path:
    """Return the path of a file that can be read, as it is called from everywhere."""
    path = Path(text).expanduser()
    try:
        with path.open("rb"):
            return path.absolute()
    except IsADirectoryError:
        raise argparse.ArgumentTypeError(f"{text!r} is a folder: name the files in it") from None
    except OSError as error:
        # Windows says of a folder that it is not permitted
        why = "it is a folder" if path.is_dir() else error.strerror or "the system does not say why"
        raise argparse.ArgumentTypeError(f"{text!r} cannot be read: {why}") from None


def _takes_place(parser: Parser) -> None:
    parser.add_argument("--port", type=port_number, help=f"{PORT}, or the next one that is free")
    parser.add_argument(
        "--address", default="localhost",
        help="who can reach it: localhost, this machine alone (so without it); 0.0.0.0, the whole network",
    )  # fmt: skip


def _takes_start(parser: Parser) -> None:
    parser.add_argument("files", nargs="*", type=file_path, metavar="FILE", help="opened on the page Data")
    _takes_place(parser)
    parser.add_argument("--base", default="", help="path below which all addresses are, behind a proxy")
    parser.add_argument("--open", action="store_true", help="show it in the browser")
    parser.add_argument(
        "--for-all", action="store_true", help="files are opened for everybody who comes from other machines, too"
    )  # fmt: skip


def start(given: argparse.Namespace) -> int:
    """Start the app as `streamlit run` does, in this process, until it is stopped."""
    sys.path.insert(0, str(root()))
    try:
        from click.exceptions import Abort  # comes with Streamlit
        from streamlit.web import cli

        from pages.server.visitors.limits import ALONE
    except ModuleNotFoundError as error:
        return _refused(f"{error.name} is not here: `kernex check` says what is missing", 1)
    if given.files and given.address not in ALONE and not given.for_all:
        return _refused("whoever reaches this address would see these files: if they may, say --for-all")
    port = given.port or next(
        (port for port in range(PORT, PORT + MOST_PORTS) if not why_not(port, given.address)), PORT
    )
    if problem := why_not(port, given.address):
        return _refused(problem)
    if given.open:
        place = "localhost" if given.address in ("0.0.0.0", "::") else given.address
        address = f"http://{f'[{place}]' if ':' in place else place}:{port}/{given.base.strip('/')}"
        threading.Thread(target=_show, args=(address.rstrip("/"),), daemon=True).start()
    settings = [
        f"--server.port={port}",
        f"--server.address={given.address}",
        f"--server.baseUrlPath={given.base}",
    ]
    own = [*(["--for-all"] if given.for_all else []), *map(str, given.files)]
    command = ["run", str(root() / "app.py"), *settings, "--", *own]
    with suppress(Abort):  # Ctrl+C
        cli.main(command, prog_name="streamlit", standalone_mode=False)
    return 0


def _refused(problem: str, code: int = WRONG) -> int:
    print(f"kernex: {problem}.", file=sys.stderr)
    return code


def _show(address: str) -> None:
    """Show it in the browser as soon as it answers."""
    while True:
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=10.0).close()
            break
        except OSError:
            time.sleep(PULSE)
    webbrowser.open(address)


def say_version(_: argparse.Namespace) -> int:
    """Print the version of Kernex, and of what it computes with."""
    for name, number in versions().items():
        print(name, number)
    return 0


def look(given: argparse.Namespace) -> int:
    """Print what is there and what is missing, a line each; 1 where something has to be done before Kernex runs."""
    found = list(lines(root(), given.port or PORT, given.address))
    for line in found:
        print(line)
    return int(any(line.is_wrong for line in found))


def _takes_model(parser: Parser) -> None:
    parser.add_argument("model", type=file_path, metavar="MODEL", help="the file that Save model gave")
    parser.add_argument(
        "items", type=file_path, metavar="ITEMS", help="new items: sequences, vectors, graphs, or rows of similarities"
    )  # fmt: skip


def predict(given: argparse.Namespace) -> int:
    """Print what a saved model says of new items, as CSV."""
    from kernex_core import KernexError, predict_csv

    try:
        print(predict_csv(given.model.read_bytes(), given.items.read_bytes(), given.items.name), end="")
    except KernexError as error:
        return _refused(str(error).removesuffix("."))
    return 0


COMMANDS: Final = (
    Command("start", "start the app; `kernex FILE ...` is the same", _takes_start, start),
    Command("version", "say which version this is", lambda _: None, say_version),
    Command("predict", "predict new items by a saved model, as CSV", _takes_model, predict),
    Command("check", "say what is missing for Kernex to run here", _takes_place, look),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says, and return the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    parser = Parser(
        prog="kernex",
        description="Kernel methods on incomplete data, in the browser.",
        epilog="`kernex` alone starts the app, `kernex data.csv labels.csv` opens these files in it; "
        "`kernex start --help` says what else it may be given.",
    )  # fmt: skip
    made = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        own = made.add_parser(command.name, help=command.does, description=command.does)
        command.takes(own)
        own.set_defaults(run=command.run)
    if not given or given[0] not in (*(command.name for command in COMMANDS), "-h", "--help"):
        given = ["start", *given]
    chosen = parser.parse_args(given)
    run: Callable[[argparse.Namespace], int] = chosen.run
    return run(chosen)
