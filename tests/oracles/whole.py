"""Studies that run in pieces, run to their end."""

from kernex_core.pieces import finished
from kernex_core.studies.inspection import condition, inspecting
from kernex_core.studies.treatment import treating


def inspect(config, K, labels=None):
    return finished(inspecting(config, condition(config, K), labels))


def treat(made, method, labels=None):
    return finished(treating(made, method, labels))
