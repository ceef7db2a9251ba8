"""A question to ranked hits: parse, gather candidates, fuse, roll up, count."""

from ._meaning import Vectors
from ._search import SearchRequest, empty_page, search

__all__ = ["SearchRequest", "Vectors", "empty_page", "search"]
