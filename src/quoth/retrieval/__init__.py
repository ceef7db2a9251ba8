"""A question to ranked hits: parse, gather candidates, fuse, roll up, count."""

from ._search import SearchRequest, empty_page, search

__all__ = ["SearchRequest", "empty_page", "search"]
