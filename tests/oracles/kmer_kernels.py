"""Spectrum and mismatch kernels by counting and by enumerating every k-mer of the alphabet."""

import itertools
from collections import Counter


def windows(string, k, letters=None):
    found = (string[i : i + k] for i in range(len(string) - k + 1))
    return [window for window in found if letters is None or set(window) <= set(letters)]


def spectrum(s, t, k, letters=None):
    a, b = Counter(windows(s, k, letters)), Counter(windows(t, k, letters))
    return sum(a[u] * b[u] for u in a)


def mismatch(s, t, k, m, letters):
    total = 0
    for u in itertools.product(letters, repeat=k):
        total += _near(u, s, m, letters) * _near(u, t, m, letters)
    return total


def _near(u, string, m, letters):
    return sum(
        sum(a != b for a, b in zip(u, window, strict=True)) <= m
        for window in windows(string, len(u), letters)
    )
