"""The Dockerfile read, and its steps run where there is no Docker.

    unshare --mount python -m tests.container ROOT PORT      by root, on Linux; in ROOT lies a Debian, of
                debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates bookworm ROOT

Both stages are made in the one root. What is started has the root read-only, /tmp in memory and /kept to write in, as
compose.yaml says, and is looked at as a health check does. The mounts end with their namespace.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from tests.conftest import REPOSITORY
from tests.patience import until


@dataclass
class Image:
    """What the Dockerfile says.

    Attributes
    ----------
    runs : list
        Folder and command of each step.
    settings : dict
        Environment of what is started.
    user : str
    entrypoint, health : list
        What is started, and what asks whether it is well.
    """

    runs: list[tuple[str, str]] = field(default_factory=list)
    settings: dict[str, str] = field(default_factory=dict)
    user: str = "root"
    entrypoint: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)


def read(text):
    """Read a Dockerfile whose instructions are a line each."""
    image, folder = Image(), "/"
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == "FROM":
            folder = "/"
        elif word == "WORKDIR":
            folder = rest
        elif word == "RUN":
            image.runs.append((folder, rest))
        elif word == "USER":
            image.user = rest
        elif word == "ENV":
            image.settings.update(pair.split("=", 1) for pair in rest.split())
        elif word == "ENTRYPOINT":
            image.entrypoint = json.loads(rest)
        elif word == "HEALTHCHECK":
            image.health = json.loads(rest.split("CMD ", 1)[1])
    return image


def dockerfile():
    return read((REPOSITORY / "Dockerfile").read_text("utf-8"))


def context(folder):
    """Copy what is sent to the builder: what .dockerignore lets pass."""
    lines = (REPOSITORY / ".dockerignore").read_text("utf-8").splitlines()
    for name in (line[1:] for line in lines if line.startswith("!")):
        source, target = REPOSITORY / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
        else:
            shutil.copy(source, target)


def within(root, command, settings=None, user="root"):
    """A command as it is run in the root."""
    said = [f"{name}={value}" for name, value in (settings or {}).items()]
    return ["chroot", f"--userspec={user}", str(root), "/usr/bin/env", *said, *command]


def main(root, port):
    image = dockerfile()
    context(root / "src")
    shutil.copy("/etc/resolv.conf", root / "etc")
    for what in ("proc", "dev"):
        subprocess.run(["mount", "--rbind", f"/{what}", root / what], check=True)
    for folder, command in image.runs:
        print(f"{folder}$ {command}", flush=True)
        subprocess.run(within(root, ["sh", "-c", f"cd {folder} && {command}"]), check=True)
    kept = root.with_name("kept")
    kept.mkdir(exist_ok=True)
    shutil.chown(kept, int(subprocess.check_output(within(root, ["id", "-u", image.user]))))
    subprocess.run(["mount", "--rbind", root, root], check=True)
    subprocess.run(["mount", "-o", "remount,ro,bind", root], check=True)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", root / "tmp"], check=True)
    subprocess.run(["mount", "--bind", kept, root / "kept"], check=True)
    settings = image.settings | {"KERNEX_KEEP": "/kept", "FORWARDED_ALLOW_IPS": "*"}
    settings |= {name: os.environ[name] for name in ("KERNEX_TOKEN",) if name in os.environ}
    settings["PATH"] = settings["PATH"].replace("$PATH", "/usr/local/bin:/usr/bin:/bin")
    start = [each.replace("8501", port) for each in image.entrypoint]
    ask = [each.replace("8501", port) for each in image.health]
    process = subprocess.Popen(within(root, [*start, "--base", "kernex"], settings, image.user))
    try:
        until(
            lambda: (
                not subprocess.run(within(root, ask, settings, image.user), capture_output=True).returncode
            )
        )
        print(f"It is well, at http://localhost:{port}/kernex/; Ctrl+C ends it", flush=True)
        process.wait()
    finally:
        process.terminate()


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2])
