"""The page Kernels."""

from pages.shared.frame import open_page

open_page("Kernels", "What does this kernel see, and is it a kernel at all?")
