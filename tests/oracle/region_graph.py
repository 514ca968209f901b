"""Which regions touch and which are within some hops, by definition; regions are a table from place to number."""

from tests.oracle.rules import neighbours


def adjacency(is_open, rule, region_of, count):
    touching = [set() for _ in range(count)]
    for place, region in region_of.items():
        for there, _ in neighbours(is_open, rule, "sqrt2", *place):
            touching[region].add(region_of[there])
    return [sorted(others - {region}) for region, others in enumerate(touching)]


def neighbourhoods(touching, hops):
    near = []
    for region in range(len(touching)):
        reached = {region}
        for _ in range(hops):
            reached |= {there for here in reached for there in touching[here]}
        near.append(sorted(reached - {region}))
    return near
