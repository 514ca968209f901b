"""Next hops between regions by definition: all distances, all optimal first hops, rows cut where they must be.

`lists[i]` is a dict from neighbour to cost, in the order of ranks (algorithms 11.2, 12.3).
"""

INFINITE = float("inf")


def distances(lists):
    """Distances between all regions (Floyd 1962)."""
    everyone = range(len(lists))
    distance = [[0 if i == j else lists[i].get(j, INFINITE) for j in everyone] for i in everyone]
    for k in everyone:
        for i in everyone:
            for j in everyone:
                distance[i][j] = min(distance[i][j], distance[i][k] + distance[k][j])
    return distance


def optimal_hops(lists, distance, i, j):
    """The ranks of all neighbours of i that a shortest way to j may go through first."""
    return {rank for rank, (k, cost) in enumerate(lists[i].items()) if cost + distance[k][j] == distance[i][j]}


def needed(lists, i, k):
    """Whether no two paths together replace the one from i to k."""
    return not any(lists[i][m] + lists[m][k] <= lists[i][k] for m in lists[i] if k in lists[m])


def runs(lists, distance, i, columns):
    """(first column, rank) of the runs of row i; `columns` are regions in order."""
    made = []
    common = None
    for column, j in enumerate(columns):
        if j == i or distance[i][j] == INFINITE:
            continue
        hops = optimal_hops(lists, distance, i, j)
        if common is not None and common & hops:
            common &= hops
            made[-1] = made[-1][0], min(common)
        else:
            common = set(hops)
            made.append((column if made else 0, min(common)))
    return made


def fewest_runs(lists, distance, i, columns):
    """How few runs a row can do with, by trying every hop in every column."""
    fewest = {}
    for j in columns:
        if j != i and distance[i][j] < INFINITE:
            anew = min(fewest.values(), default=0) + 1
            fewest = {hop: min(anew, fewest.get(hop, INFINITE)) for hop in optimal_hops(lists, distance, i, j)}
    return min(fewest.values(), default=0)
