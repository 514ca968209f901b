"""kNN LRTA* of 2009 and a goal on its way."""

import waypost as wp


def test_knn_of_2009_stops_on_a_goal_that_it_meets():
    grid = wp.grid_from_text(".##.\n....")
    planner = wp.build("knn-2009", grid, limit=2, depth=1)
    expected = [[3, 0], [3, 1], [2, 1], [1, 1]]
    assert planner.path((3, 0), (1, 1)).tolist() == expected
    assert planner.batch([(3, 0)], [(1, 1)], paths=True).path(0).tolist() == expected
    agent = planner.agent((3, 0), (1, 1))
    walk = agent.walk(4)
    assert walk.status is wp.RunStatus.ARRIVED
    assert grid.xys(walk.cells).tolist() == expected
