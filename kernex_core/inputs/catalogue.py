"""FORMATS: every file format that Kernex reads, one line each."""

from __future__ import annotations

from kernex_core.inputs.format import Format
from kernex_core.inputs.formats import (
    adjacency,
    edge_list,
    graph_files,
    hits,
    labels,
    matlab_file,
    matrix,
    matrix_market,
    network_markup,
    numpy_file,
    r_file,
    sequence_files,
    sequence_table,
    svmlight,
    tool_matrix,
    tudataset,
    vector_arrays,
    vectors,
    workbook,
)

LABELS = labels.FORMAT.name
"""The format of files that hold labels of items rather than items."""

FORMATS: tuple[Format, ...] = (
    matrix.FORMAT,
    workbook.FORMAT,
    numpy_file.FORMAT,
    matlab_file.FORMAT,
    r_file.FORMAT,
    tool_matrix.FORMAT,
    matrix_market.SIMILARITY,
    hits.PAIRS,
    hits.HITS,
    sequence_files.FASTA,
    sequence_table.FORMAT,
    sequence_files.ALIGNMENT,
    sequence_files.RECORDS,
    vectors.FORMAT,
    vector_arrays.FORMAT,
    svmlight.FORMAT,
    svmlight.ONES,
    matrix_market.VECTORS,
    edge_list.FORMAT,
    adjacency.FORMAT,
    matrix_market.NETWORK,
    network_markup.GRAPHML,
    network_markup.GML,
    network_markup.GEXF,
    network_markup.PAJEK,
    edge_list.SIF,
    tudataset.FORMAT,
    graph_files.FORMAT,
    labels.FORMAT,
)


def format_named(name: str) -> Format:
    """Return the format of that name.

    Raises
    ------
    KeyError
        There is none.
    """
    return {form.name: form for form in FORMATS}[name]
