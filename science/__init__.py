"""Large runs beside what is published: `make science`, or `python -m science RUN…`. Not part of the tests."""
