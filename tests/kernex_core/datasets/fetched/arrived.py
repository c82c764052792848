"""The path of a file that was asked for, as tests look at it."""

from kernex_core.datasets.fetched.download import obtain


def fetch(file, folder=None, **options):
    return obtain(file, folder, **options).path
