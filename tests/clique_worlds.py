"""Worlds for tests of planners on cliques."""

ROUND_AGAIN = """
    .###..#.####.
    ###......##..
    ###.#..#.#...
    ##..##.#.....
    ##b.##.#.##..
    ##..##.####a.
    ##..##.####..
    ##..##.####..
    ############.
    ###########..
    .##########..
    #.#######.#..
    ###########.#
    ##.########.#
    ###########.#
    #.#########.#
    .######......
"""
"""Without diagonals, PRA* from a to b that refines one step of each way at a time comes back to where it planned."""
ROUND_AGAIN_PARAMS = {"steps": 1, "width": 1, "euclid": 1}
