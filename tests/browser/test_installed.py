"""A wheel, built and installed into an environment that knows nothing of the source tree, starts the same app.

Nothing is downloaded: the new environment borrows the libraries of this one, not its Kernex.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tests import container
from tests.browser.conftest import free_port, started
from tests.browser.script_runs import settle
from tests.browser.test_upload import button
from tests.conftest import REPOSITORY
from tests.patience import PATIENCE, until

CLEAN = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
BESIDE = {"app.py", ".streamlit/config.toml", "docs/glossary.md", "requirements.txt"}
"""What the app reads of the repository, but for its own folder."""
MATRIX = ",p,q,r,s\np,3,1,1,0\nq,1,3,1,0\nr,1,1,3,0\ns,0,0,0,3\n"
LABELS = "id,label\np,a\nq,a\nr,b\ns,b\n"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built as `pip wheel .` does, but with the Hatchling of this environment, of what a container is built of."""
    source, folder = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    container.context(source)
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=source, capture_output=True, check=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def kernex(wheel, tmp_path_factory):
    """Path of the command in an environment with the wheel."""
    folder = tmp_path_factory.mktemp("empty") / "venv"
    venv.create(folder, symlinks=os.name != "nt")
    bin = folder / ("Scripts" if os.name == "nt" else "bin")
    pip = [sys.executable, "-m", "pip", "--python", str(bin / "python"), "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-index", "--no-compile", str(wheel)], env=CLEAN, check=True)
    ask = [bin / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    own = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip()
    Path(own, "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return bin / "kernex"


def tracked(*below):
    """Files of the repository below folders, but for what Python and Numba keep beside them."""
    files = (path for folder in below for path in (REPOSITORY / folder).rglob("*") if path.is_file())
    return {path.relative_to(REPOSITORY).as_posix() for path in files if "__pycache__" not in path.parts}


def test_all_of_the_app_and_the_core_travel_and_nothing_else(wheel):
    there = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    app = {f"kernex/app/{name}" for name in tracked("pages") | BESIDE}
    assert there == tracked("kernex", "kernex_core") | app


def test_what_it_requires_is_what_the_repository_requires(wheel):
    (name,) = (name for name in zipfile.ZipFile(wheel).namelist() if name.endswith("METADATA"))
    said = zipfile.ZipFile(wheel).read(name).decode().splitlines()
    lines = (REPOSITORY / "requirements.txt").read_text("utf-8").splitlines()
    wanted = {line.split(">")[0] for line in lines if not line.startswith("#")}
    required = [line.removeprefix("Requires-Dist: ") for line in said if line.startswith("Requires-Dist")]
    assert {line.split("<")[0] for line in required if "extra ==" not in line} == wanted


def test_it_shows_the_files_that_it_is_started_with_and_a_demo(kernex, new_tab, tmp_path):
    page, port, log, shown = new_tab, free_port(), tmp_path / "log", tmp_path / "shown"
    page.set_default_timeout(1000 * PATIENCE)
    (tmp_path / "data.csv").write_text(MATRIX)
    (tmp_path / "labels.csv").write_text(LABELS)
    browser = tmp_path / "browser.py"
    browser.write_text(f"import pathlib, sys; pathlib.Path({str(shown)!r}).write_text(sys.argv[1])")
    settings = {"KERNEX_NUMBA": "0", "BROWSER": f"{sys.executable} {browser} %s"}
    command = [kernex, "--port", str(port), "--open", "data.csv", "labels.csv"]
    address = f"http://localhost:{port}"
    process = started(command, address, log, cwd=tmp_path, env=CLEAN | settings)
    try:
        until(lambda: shown.exists() and shown.read_text() == address)
        page.goto(address)
        settle(page)
        assert page.url == f"{address}/data"
        page.get_by_text("Similarities of 4 items").wait_for()
        button(page, "Add as new data set")
        assert "4 items · 2 classes" in page.get_by_test_id("stSidebar").inner_text()
        # they are brought once
        page.goto(address)
        settle(page)
        assert page.url == f"{address}/"
        page.goto(f"{address}/kernels?data=Florentine+families")
        settle(page)
        assert page.locator("figure canvas").count() > 0
        assert page.get_by_test_id("stException").count() == 0
    finally:
        process.send_signal(signal.SIGTERM if os.name == "nt" else signal.SIGINT)
        code = process.wait(PATIENCE)
    assert os.name == "nt" or code == 0
    assert "Traceback" not in log.read_text()


def test_it_says_what_it_is_and_what_is_missing(kernex, tmp_path):
    def said(*arguments):
        command = [kernex, *arguments]
        return subprocess.run(command, cwd=tmp_path, env=CLEAN, capture_output=True, text=True, check=False)

    assert said("version").stdout.startswith("kernex ")
    found = said("check", "--port", str(free_port()))
    assert found.returncode == 0, found.stdout
    assert "streamlit" in found.stdout
    assert str(kernex.parent.parent) in next(line for line in found.stdout.splitlines() if "kept in" in line)
    wrong = said("nowhere.csv")
    assert (wrong.returncode, wrong.stdout, wrong.stderr.count("\n")) == (2, "", 1)


def engine():
    """Docker or Podman, where its daemon answers."""
    names = [name for name in ("docker", "podman") if shutil.which(name)]
    return next((n for n in names if not subprocess.run([n, "info"], capture_output=True).returncode), None)


def test_the_image_is_built_and_started(tmp_path):
    tool, port = engine(), free_port()
    if tool is None:
        pytest.skip("neither Docker nor Podman answers")
    base = re.search(r"^FROM (\S+)", (REPOSITORY / "Dockerfile").read_text("utf-8"), re.MULTILINE)[1]
    if subprocess.run([tool, "pull", "--quiet", base], capture_output=True).returncode:
        pytest.skip(f"{base} cannot be fetched")
    subprocess.run([tool, "build", "--tag", "kernex-test", str(REPOSITORY)], check=True)
    said = f"run --rm --read-only --tmpfs /tmp --cap-drop ALL --name kernex-{port} --publish 127.0.0.1:{port}:8501"
    command = [tool, *said.split(), "kernex-test", "--base", "kernex"]
    process = started(command, f"http://127.0.0.1:{port}/kernex", tmp_path / "log")
    try:
        inside = [tool, "exec", f"kernex-{port}"]
        subprocess.run([*inside, *container.dockerfile().health], check=True)
        assert subprocess.check_output([*inside, "id", "-u"]).strip() != b"0"
        said = subprocess.check_output([*inside, "kernex", "check", "--port", "8502"], text=True)
        assert "loops are compiled" in said
    finally:
        subprocess.run([tool, "rm", "--force", f"kernex-{port}"], capture_output=True)
        process.wait(PATIENCE)


@pytest.mark.skipif(os.name != "posix", reason="a container has a shell")
def test_what_the_image_starts_is_well_below_a_path(kernex, tmp_path):
    """Its command and its health check, in the environment with the wheel: where there is no Docker, what can be tried."""
    image, port = container.dockerfile(), str(free_port())
    made, scratch = str(kernex.parent.parent), tmp_path / "tmp"
    for folder in (scratch, kernex.parent.parent / "loops"):
        folder.mkdir(exist_ok=True)

    places = {"/opt/kernex": made, "/tmp": str(scratch), "8501": port}

    def here(said):
        return re.sub("|".join(places), lambda found: places[found[0]], said)

    settings = {name: here(value) for name, value in image.settings.items()}
    settings["PATH"] = settings["PATH"].replace("$PATH", os.environ["PATH"])
    env = CLEAN | settings | {"KERNEX_NUMBA": "0", "KERNEX_TOKEN": "correct horse"}
    command = [*map(here, image.entrypoint), "--base", "kernex"]
    process = started(command, f"http://localhost:{port}/kernex", tmp_path / "log", env=env)
    try:
        subprocess.run([*map(here, image.health)], env=env, check=True)
    finally:
        process.terminate()
        process.wait(PATIENCE)
    assert (scratch / "loops").is_dir()
