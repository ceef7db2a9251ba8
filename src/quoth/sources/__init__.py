"""Adapters: one module per assistant, each turning its files into conversations."""

from ._protocol import Source
from ._registry import BUILTIN_SOURCES, installed_sources

__all__ = ["BUILTIN_SOURCES", "Source", "installed_sources"]
