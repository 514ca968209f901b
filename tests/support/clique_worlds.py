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

JUST_ENOUGH_NODES = """
    ###########
    #.#..a....#
    #.#######.#
    #.#.......#
    #.#.#####.#
    #.b.#...#.#
    #######.#.#
    #.#.....#.#
    #.#.#.###.#
    #...#.....#
    ###########
"""
"""49 open cells, and a level of 14 nodes: as many as PRA* wants at least on the level that it begins with."""

LOOKING_BACK = """
    #################
    #.#....b#.......#
    #.#.###.#.#######
    #...#...#..a....#
    #####.#######.#.#
    #.#...#.....#.#.#
    #.#.###.#.#.###.#
    #...#...#.#...#.#
    #.#####.#.###.#.#
    #.....#.#...#.#.#
    #####.###.#.#.#.#
    #...#...#.#.#.#.#
    #.#####.###.#.#.#
    #.#...#.....#.#.#
    #.#.#.#######.#.#
    #.#.#.#.....#...#
    #.#.#.#.###.###.#
    #...#.....#.....#
    #################
"""
"""From a to b a deep lookahead sees a tile of the table in which only things about an earlier subgoal were learned."""
LOOKING_BACK_PARAMS = {"level": 4, "by_progress": 1, "depth": 1, "deepest": 10}
