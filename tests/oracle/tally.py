"""What a recorded run amounts to, move by move."""

import itertools


def tally_run(points, move_ns, work, straight, diagonal, total_ns, optimal, *memory):
    """Moves, cost, optimum, revisits, five times, memory, then sums and maxima of each work counter and of all.

    The times are of all moves, of the first move and of the first 20, the 99th percentile and the longest.
    """
    moves = list(itertools.pairwise(points))
    cost = sum(
        0 if here == there else straight if here[0] == there[0] or here[1] == there[1] else diagonal
        for here, there in moves
    )
    entered = [there for here, there in moves if here != there]
    revisits = sum(place in [points[0], *entered[:i]] for i, place in enumerate(entered))
    columns = [*zip(*work, strict=True)] if work else [()] * 5
    columns.append(tuple(sum(row) for row in work))
    enough = [ns for ns in move_ns if 100 * sum(other <= ns for other in move_ns) >= 99 * len(move_ns)]
    times = sum(move_ns[:1]), sum(move_ns[:20]), min(enough, default=0), max(move_ns, default=0)
    sums, maxima = map(sum, columns), (max(column, default=0) for column in columns)
    return [len(moves), cost, optimal, revisits, total_ns, *times, *memory, *sums, *maxima]
