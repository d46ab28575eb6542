"""What is installed is locked: every package by version and hash, made from the short lists by a tool."""

import os
import re
import subprocess
import sys
from importlib.metadata import distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
_PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)")


def pins(name: str) -> dict[str, str]:
    found = map(_PIN.match, (ROOT / name).read_text().splitlines())
    return {re.sub(r"[-_.]+", "-", pin[1]).lower(): pin[2] for pin in found if pin}


@pytest.mark.parametrize("name", ["requirements", "requirements-dev"])
def test_the_lock_is_of_its_list(name):
    """When this fails: `make lock`."""
    wanted, locked = pins(f"{name}.in"), pins(f"{name}.txt")

    assert wanted
    assert {package: locked.get(package) for package in wanted} == wanted


@pytest.mark.parametrize("name", ["requirements", "requirements-dev"])
def test_every_package_is_locked_with_hashes(name):
    text = (ROOT / f"{name}.txt").read_text()
    blocks = re.split(r"\n(?=[A-Za-z0-9])", text.strip())

    assert len(blocks) >= len(pins(f"{name}.in"))
    assert all(_PIN.match(block) and "--hash=sha256:" in block for block in blocks)


@pytest.mark.soak
@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
@pytest.mark.parametrize(
    "machine", ["x86_64-manylinux_2_28", "aarch64-manylinux_2_28", "aarch64-apple-darwin"]
)
def test_every_package_has_a_wheel(tmp_path, python, machine):
    """Ask the index, as `pip` on that machine would. A Mac is asked for as of macOS 15."""
    options = (
        f"--python-version {python} --python-platform {machine} --target {tmp_path} "
        "--dry-run --no-deps --only-binary :all: --requirement requirements.txt"
    )
    asked = subprocess.run(
        [Path(sys.prefix, "bin", "uv"), "pip", "install", *options.split()],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | {"MACOSX_DEPLOYMENT_TARGET": "15.0"},
    )

    assert asked.returncode == 0, asked.stderr


def test_tools_are_of_the_versions_that_the_product_is_locked_to():
    product, tools = pins("requirements.txt"), pins("requirements-dev.txt")

    assert {name: product[name] for name in tools.keys() & product.keys()} == {
        name: tools[name] for name in tools.keys() & product.keys()
    }


def test_every_dependency_is_told_with_a_licence():
    told = dict(
        re.findall(
            r"^\| ([\w.-]+) \| ([^|?]+) \|$", (ROOT / "THIRD_PARTY.md").read_text(), re.MULTILINE
        )
    )

    assert {re.sub(r"[-_.]+", "-", name).lower() for name in told} >= set(pins("requirements.in"))


def test_nothing_installed_is_under_the_gpl_alone():
    """LGPL and MPL are told of in THIRD_PARTY.md; what one may choose otherwise is no matter."""
    locked = pins("requirements.txt")
    for found in distributions():
        if re.sub(r"[-_.]+", "-", found.name).lower() not in locked:
            continue
        words = [found.metadata.get("License-Expression") or ""]
        words += [each for each in found.metadata.get_all("Classifier") or () if "License" in each]
        told = " ".join(words)
        assert not re.search(r"\bA?GPL\b|Affero|GNU General", told) or "MPL" in told, found.name
