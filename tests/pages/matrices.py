"""What a page hands to the linked matrices, as the browser gets it."""

import json

import numpy as np

from pages.ui import payload


def head(at, key):
    """Head of the view of that key."""
    (found,) = (
        each.proto
        for each in at.get("bidi_component")
        if each.proto.component_name.endswith("kernex_matrices") and f"-{key}" in each.proto.id
    )
    return json.loads(found.json)


def blobs(at):
    """Numbers of all carriers, by digest."""
    made = {}
    for each in at.get("bidi_component"):
        if each.proto.component_name.endswith("kernex_carrier"):
            data = each.proto.bytes
            length = int.from_bytes(data[:4], "little")
            said = json.loads(data[4 : 4 + length])
            kind = payload.TYPES.get(said["kind"])
            start = -(-(4 + length) // 8) * 8
            made[said["digest"]] = (said, None if kind is None else np.frombuffer(data[start:], kind))
    return made


def triangle(at, key, panel=0):
    """Numbers of a panel: the lower triangle of its matrix, as sent."""
    return blobs(at)[head(at, key)["panels"][panel]["digest"]][1]
