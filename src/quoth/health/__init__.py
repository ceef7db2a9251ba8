"""Is all well with quoth here, what to do if not; derived things made anew; proofs."""

from ._examine import SOURCE_SAMPLE, examine
from ._proof import Control, Obstacle, Packet, Proof, Run, Shown, Written
from ._prove import prove
from ._repair import repair

__all__ = [
    "SOURCE_SAMPLE",
    "Control",
    "Obstacle",
    "Packet",
    "Proof",
    "Run",
    "Shown",
    "Written",
    "examine",
    "prove",
    "repair",
]
