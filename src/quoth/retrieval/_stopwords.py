"""English words that say how something is asked, not what about."""

from __future__ import annotations

__all__ = ["STOP_WORDS"]

_FUNCTION = """
a about above after again all also am an and any are aren't as at be because been before
being below between both but by can can't cannot could couldn't did didn't do does
doesn't doing don't down during each few for from further had hadn't has hasn't have
haven't having he her here hers herself him himself his how i i'd i'll i'm i've if in
into is isn't it it's its itself just let's me more most my myself no nor not now of off
on once only or other our ours ourselves out over own same she should shouldn't so some
such than that that's the their theirs them themselves then there there's these they
they're this those through to too under until up us very was wasn't we we'd we'll we're
we've were weren't what what's when where which while who whom why will with won't would
wouldn't you you'd you'll you're you've your yours yourself yourselves
"""

# What frames a question to one's own memory: "what did I say about …", "remind me …".
_SCAFFOLDING = """
ask asked remember recall remind said say says talk talked talking tell told discuss
discussed discussing mention mentioned mentioning conversation conversations chat chats
previously earlier ago please
"""

STOP_WORDS = frozenset(f"{_FUNCTION} {_SCAFFOLDING}".split())
