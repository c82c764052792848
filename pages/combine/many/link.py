"""What the address says of this page that no widget can: which kernels are chosen, weights by hand, the protocol."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import quote, unquote

from kernex_core.errors import InvalidInputError
from kernex_core.learning.folds import CrossValidation
from pages.shared import navigation, workspace

KERNELS: Final = "kernels"
WEIGHTS: Final = "weights"
PROTOCOL: Final = "protocol"


def asked_kernels(names: Sequence[str]) -> list[str]:
    """Kernels that the address newly asks for and that are there; [] where it asks for fewer than two of them."""
    asked = dict.fromkeys(map(unquote, navigation.newly_asked(KERNELS).split(",")))
    known = [name for name in asked if name in names]
    return known if len(known) > 1 else []


def write_kernels(chosen: Sequence[str], default: Sequence[str]) -> None:
    """Let the address name the chosen kernels, unless they are those of the start."""
    same = list(chosen) == list(default)
    navigation.write(KERNELS, "" if same else ",".join(quote(name, safe=" ") for name in chosen))


def asked_weights(count: int) -> tuple[float, ...]:
    """Weights that the address newly asks for, on the simplex; () where it asks for none, or for nonsense."""
    parts = navigation.newly_asked(WEIGHTS).split(",")
    try:
        given = [float(part) for part in parts]
    except ValueError:
        return ()
    if (
        len(given) != count
        or not all(math.isfinite(w) and 0.0 <= w <= 1.0 for w in given)
        or sum(given) <= 0.0
    ):
        return ()
    return tuple(w / sum(given) for w in given)


def write_weights(weights: Sequence[float]) -> None:
    """Let the address say weights by hand, unless they are equal or there are none."""
    equal = len(weights) == 0 or max(weights) - min(weights) < 1e-9
    navigation.write(WEIGHTS, "" if equal else ",".join(f"{weight:.6g}" for weight in weights))


def asked_protocol(usual: CrossValidation, key: str) -> CrossValidation:
    """Folds, repetitions, C, whether it is chosen, and seed as the address asked first; the usual ones where it did not."""
    parts = navigation.newly_asked(PROTOCOL).split(",")
    asked: CrossValidation = workspace.recall(key, usual)
    if len(parts) in (5, 6):
        try:
            folds, repeats, chosen, seed = (int(parts[k]) for k in (0, 1, 3, 4))
            asked = replace(
                usual, folds=folds, repeats=repeats, C=float(parts[2]), choose_C=bool(chosen), seed=seed,
                copies=parts[5] if len(parts) == 6 else usual.copies,
            )  # fmt: skip
        except (ValueError, InvalidInputError):
            return asked
        # the address speaks once; afterwards the widgets do
        workspace.remember(key, asked)
    return asked


def write_protocol(protocol: CrossValidation, usual: CrossValidation) -> None:
    """Let the address say the protocol, unless it is the usual one."""
    p = protocol
    said = f"{p.folds},{p.repeats},{p.C:.6g},{int(p.choose_C)},{p.seed}"
    said += f",{p.copies}" if p.copies != usual.copies else ""
    navigation.write(PROTOCOL, "" if protocol == usual else said)
