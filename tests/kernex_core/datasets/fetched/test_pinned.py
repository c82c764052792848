"""What is known of fetched data stands here once more: no digest, address or error changes unnoticed."""

from kernex_core.completion.views.methods import REPORTED
from kernex_core.datasets.fetched.fetch import PUBLIC_DATASETS

RAW = "https://raw.githubusercontent.com"
SIX_VIEWS = f"{RAW}/RiikkaHuu/CVKT/63a361b63e96f8c639b66deded75e0618134fe88/data/digits"
FILES = {
    "promoters": [
        (
            f"{RAW}/farhan-137/dna-promoter-classifier/585478d4bcbeb8a6293f777d9d1abfae91c6db59/data/promoters.data",
            "9cba9e8661ab04760d69b857f62259233446f2dce5ec9b515efe0b23c315bb29",
        )
    ],
    "colon": [
        (
            f"{RAW}/lata1207/DMD_Clustering/7d5dd7e591a3751b36230db3fb471634144de277/I2000.txt",
            "ebbe6fc11ef84748fdb8482c8e074d10c20f37d3da372e0957efd33386017069",
        )
    ],
    "lymphoma": [
        (
            f"{RAW}/hankuipeng/Cluster_GeneExpression/1033633c7fa25e96790db65ff5d59b48f4c154da/lymphoma.matrix",
            "48e1a8249d32842d706c4e6c3783402b2fc05c01121183dad99a8fa278606c84",
        )
    ],
    "scope40": [
        (
            "https://scop.berkeley.edu/downloads/scopeseq-2.08/astral-scopedom-seqres-gd-sel-gs-bib-40-2.08.fa",
            "",
        )
    ],
    "mutag": [
        (
            "https://www.chrsmrrs.com/graphkerneldatasets/MUTAG.zip",
            "a93e4272551ea6a6089ae76d80e9200d7de206bbf6d0bc4ccfd4000c728d70d2",
        )
    ],
    "enzymes": [
        (
            "https://www.chrsmrrs.com/graphkerneldatasets/ENZYMES.zip",
            "e7147d6ecc0d8401930eb47ac6392956c7d8461cac3f00fdcb768670c18b3b07",
        )
    ],
    "proteins": [("https://www.chrsmrrs.com/graphkerneldatasets/PROTEINS.zip", "")],
    "digits_in_six_views": [
        (
            f"{SIX_VIEWS}/digits_K_n200.mat",
            "9411dc7d21dbfd136bfc7a475288b2db6c07c5abdf4740efe512246fd5629402",
        ),
        (
            f"{SIX_VIEWS}/digits_MID_missing40_n200.mat",
            "3821e1906b973499351e87cfb0300496dc257e1bdb2fa107b62481f9d07f7fa7",
        ),
        (
            f"{SIX_VIEWS}/digits_labels_n200.mat",
            "1dd386c87d9d6d23b0d6084ce60ba3d4403dea247d92bd47475e84bb0bd6ac8d",
        ),
    ],
}
"""Addresses and digests by the name of the data set."""
KNOWN = {
    10: {"fast": ".00087/.0815", "tuned": ".00083/.0777", "MKMC": ".00093/.0838", "CVKT": ".0110/.1558"},
    20: {"fast": ".00174/.0893", "tuned": ".00167/.0863", "MKMC": ".00178/.0902", "CVKT": ".0131/.1759"},
    30: {"fast": ".00269/.0964", "tuned": ".00255/.0929", "MKMC": ".00277/.0971", "CVKT": ".0154/.1844"},
    40: {"fast": ".00410/.1112", "tuned": ".00392/.1082", "MKMC": ".00427/.1134", "CVKT": ".0160/.1900"},
    50: {"fast": ".00580/.1236", "tuned": ".00560/.1211", "MKMC": ".00594/.1248", "CVKT": ".0192/.2074"},
    60: {"fast": ".00804/.1397", "tuned": ".00782/.1377", "MKMC": ".00844/.1435", "CVKT": ".0215/.2145"},
}
"""Errors on the digits in six views by percentage missing and by way: CA error/ARE."""


def numbers(errors):
    return {way: (one.alignment_error, one.relative_error) for way, one in errors.items()}


def test_addresses_and_digests_are_these():
    found = {entry.name: [(file.url, file.sha256) for file in entry.files] for entry in PUBLIC_DATASETS}
    assert found == FILES


def test_expected_errors_are_these():
    known = {
        percent: {way: tuple(map(float, pair.split("/"))) for way, pair in ways.items()}
        for percent, ways in KNOWN.items()
    }
    assert {percent: numbers(ways) for percent, ways in REPORTED.items()} == known
    expected = {entry.name: numbers(entry.expected) for entry in PUBLIC_DATASETS if entry.expected}
    assert expected == {"digits_in_six_views": known[40]}
