"""The part of the node without messages: a round robot's map, and paths on it in metres."""

import math

import numpy as np
import numpy.typing as npt

import waypost as wp


class RobotPlanner:
    """Plans for a round robot on the latest map; `jps` gives shortest paths, and needs no time to prepare."""

    def __init__(self, radius: float, planner: wp.PlannerName = wp.PlannerName("jps")) -> None:
        self.radius = radius
        self.planner_name = planner
        self.planner: wp.Planner | None = None

    def take_map(
        self, data: npt.ArrayLike, width: int, height: int, resolution: float, origin: tuple[float, float, float]
    ) -> None:
        """Take the fields of a nav_msgs/OccupancyGrid; unknown cells are walls."""
        grid = wp.grid_from_occupancy(data, width, height, resolution, origin)
        self.planner = wp.build(self.planner_name, grid.inflate(self.radius))

    def path(self, start: tuple[float, float], goal: tuple[float, float]) -> npt.NDArray[np.float64]:
        """The way in rows of x and y in metres and a heading in radians; to the nearest place if the goal has none."""
        if self.planner is None:
            raise wp.WaypostError("there is no map yet; a path needs one")
        frame = self.planner.grid.frame
        assert frame is not None  # noqa: S101 - grids from messages have one
        first, last = frame.to_cell(start, "start"), frame.to_cell(goal, "goal")
        return frame.poses(self.planner.path(self._nearest_place(first), last, nearest=True))

    def _nearest_place(self, cell: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
        """A place of the map for a robot that stands nearer to a wall than it should."""
        assert self.planner is not None  # noqa: S101
        if self.planner.grid.is_open[cell[1], cell[0]]:
            return cell.astype(np.int64)
        places = np.argwhere(self.planner.grid.is_open)[:, ::-1]
        return np.asarray(places[np.square(places - cell).sum(axis=1).argmin()])


def yaw_of(x: float, y: float, z: float, w: float) -> float:
    """The turn about the vertical axis of a quaternion, in radians."""
    return math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))


def quaternion_of(yaw: float) -> tuple[float, float, float, float]:
    """The quaternion x, y, z, w of a turn about the vertical axis."""
    return 0.0, 0.0, math.sin(yaw / 2), math.cos(yaw / 2)
