"""Is all well with quoth here, what to do if not, and making derived things anew."""

from ._examine import SOURCE_SAMPLE, examine
from ._repair import repair

__all__ = ["SOURCE_SAMPLE", "examine", "repair"]
