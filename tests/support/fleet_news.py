"""What a fleet has in store to tell."""

import copy


def news_of(fleet):
    """What the next tick would say, of itself and of what happened before it; a copy is asked."""
    ahead = copy.deepcopy(fleet)
    ahead.tick()
    return [ids.tolist() for ids in ahead.events]
