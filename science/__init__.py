"""Large runs beside what is published: `make science`, or `python -m science RUN…`. Not part of the tests.

A run is a file in `runs`; nothing else has to know of it. It has

TITLE           what is run, as a sentence
SMALL           its constants on the scale of `make test`, which runs every run once
rows(map_)      yields `table.Row`; `map_(f, tasks)` works on all cores, so `f` is a function of the module

and asks `data` for public data sets, which are not part of the repository: where they are absent, the run is left out.
"""
