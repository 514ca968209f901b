"""The node of examples/ros2: its part without messages as it is, and the rest with stand-ins for ROS."""

import math
import runpy
import sys
from array import array
from types import ModuleType
from types import SimpleNamespace as Some

import numpy as np
import pytest

import waypost as wp
from tests.test_readme import ROOT

FOLDER = ROOT / "examples" / "ros2"
DATA = np.zeros((40, 60), np.int8)  # the lower row first
DATA[12:, 30] = 100
FIELDS = (array("b", DATA.tobytes()), 60, 40, float(np.float32(0.1)), (1.0, 2.0, 0.5))
PLACES = wp.Frame(0.1, 1.0, 2.0, 0.5, 60, 40)
START, GOAL = (tuple(place) for place in PLACES.to_metres([(10, 5), (50, 5)]).tolist())


@pytest.fixture
def planning(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    monkeypatch.delitem(sys.modules, "planning", raising=False)
    return runpy.run_path(FOLDER / "planning.py")


def test_paths_keep_the_robot_off_walls(planning):
    robot = planning["RobotPlanner"](radius=0.35)
    with pytest.raises(wp.WaypostError, match="there is no map yet"):
        robot.path(START, GOAL)
    robot.take_map(*FIELDS)
    poses = robot.path(START, GOAL)
    assert poses[[0, -1], :2] == pytest.approx(np.array([START, GOAL]))
    wall = PLACES.to_metres([(30, y) for y in range(28)])
    nearest = np.hypot(*(poses[:, None, :2] - wall[None]).transpose(2, 0, 1)).min()
    assert 0.35 <= nearest < 0.55
    steps = np.diff(poses[:, :2], axis=0)
    assert poses[:-1, 2] == pytest.approx(np.arctan2(steps[:, 1], steps[:, 0]))


def test_a_robot_that_stands_too_near_to_a_wall(planning):
    robot = planning["RobotPlanner"](radius=0.35)
    robot.take_map(*FIELDS)
    edge = tuple(PLACES.to_metres((1, 20)).tolist())
    assert robot.path(edge, START)[0, :2] == pytest.approx(PLACES.to_metres((3, 20)))
    with pytest.raises(wp.WaypostError, match=r"goal .* is off the map"):
        robot.path(START, (0, 0))


@pytest.mark.parametrize("yaw", [0, 0.3, -2, math.pi])
def test_quaternions(planning, yaw):
    assert math.cos(planning["yaw_of"](*planning["quaternion_of"](yaw)) - yaw) == pytest.approx(1)


class StandIn:
    """Takes any call, as ROS would; keeps what is published and logged."""

    def __init__(self, *_, **fields):
        self.told = []
        self.__dict__.update(fields)

    def __getattr__(self, name):
        if name == "declare_parameter":
            return lambda _, default: Some(value=default)
        if name in ("publish", "error", "warning"):
            return self.told.append
        return lambda *_, **__: self


@pytest.fixture
def node(planning, monkeypatch):
    names = {
        "rclpy": {},
        "rclpy.node": {"Node": StandIn},
        "rclpy.qos": {"DurabilityPolicy": Some(TRANSIENT_LOCAL=1), "QoSProfile": StandIn},
        "geometry_msgs.msg": {
            "PoseStamped": lambda header: Some(header=header, pose=Some(position=Some())),
            "Quaternion": Some,
        },
        "nav_msgs.msg": {"OccupancyGrid": None, "Path": None},
        "nav_msgs.srv": {"GetPlan": None},
    }
    for name, members in names.items():
        for part in (name.partition(".")[0], name):
            monkeypatch.setitem(sys.modules, part, ModuleType(part))
        sys.modules[name].__dict__.update(members)
    return runpy.run_path(FOLDER / "node.py")["PlannerNode"]()


def ask(node, start, goal):
    ends = (Some(pose=Some(position=Some(x=x, y=y))) for x, y in (start, goal))
    empty = Some(plan=Some(header=Some(), poses=[]))
    return node.plan(Some(**dict(zip(("start", "goal"), ends, strict=True))), empty).plan


def test_the_node_answers_with_a_path(node):
    assert ask(node, START, GOAL).poses == []
    assert "there is no map yet" in node.told[0]
    half = {"z": math.sin(0.25), "w": math.cos(0.25)}
    pose = Some(position=Some(x=1.0, y=2.0), orientation=Some(x=0.0, y=0.0, **half))
    data, width, height, resolution, _ = FIELDS
    info = Some(width=width, height=height, resolution=resolution, origin=pose)
    node.take_map(Some(data=data, info=info, header=Some(frame_id="floor_2")))
    plan = ask(node, START, GOAL)
    assert plan.header.frame_id == "floor_2"
    assert node.told[-1] is plan, "it is published, too"
    ends = [(pose.pose.position.x, pose.pose.position.y) for pose in (plan.poses[0], plan.poses[-1])]
    assert ends == [pytest.approx(START), pytest.approx(GOAL)]
    node.take_map(Some(data=data, info=Some(**vars(info) | {"width": 7}), header=Some(frame_id="floor_3")))
    assert "data holds 2,400 numbers" in node.told[-1]
    assert ask(node, START, GOAL).header.frame_id == "floor_2", "the map before is still there"
