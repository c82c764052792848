"""Studies that run in pieces, run to their end."""

from kernex_core.runtime.progress import finished
from kernex_core.studies.inspection import condition, inspecting, treating


def inspect(config, K, labels=None):
    return finished(inspecting(config, condition(config, K), labels))


def treat(made, method, labels=None):
    return finished(treating(made, method, labels))
