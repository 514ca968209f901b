"""A ROS 2 node that plans with Waypost: python3 node.py --ros-args -p radius:=0.22

It listens to `map` (nav_msgs/OccupancyGrid) and answers the service `plan` (nav_msgs/GetPlan) with a nav_msgs/Path in
the frame of the map, which it also publishes as `path`. It needs rclpy and nav_msgs, which come with ROS 2.
"""

from typing import Any

import rclpy
from geometry_msgs.msg import PoseStamped, Quaternion
from nav_msgs.msg import OccupancyGrid, Path
from nav_msgs.srv import GetPlan
from planning import RobotPlanner, quaternion_of, yaw_of
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile

from waypost import WaypostError


class PlannerNode(Node):  # type: ignore[misc] # rclpy has no types
    """One robot of the parameter `radius`, in metres."""

    def __init__(self) -> None:
        super().__init__("waypost")
        self.robot = RobotPlanner(self.declare_parameter("radius", 0.2).value)
        self.map_frame = "map"
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)  # as map_server publishes
        self.create_subscription(OccupancyGrid, "map", self.take_map, latched)
        self.create_service(GetPlan, "plan", self.plan)
        self.publisher = self.create_publisher(Path, "path", 1)

    def take_map(self, message: Any) -> None:
        """Plan on this map from now on."""
        info, turned = message.info, message.info.origin.orientation
        origin = (
            info.origin.position.x,
            info.origin.position.y,
            yaw_of(turned.x, turned.y, turned.z, turned.w),
        )
        try:
            self.robot.take_map(message.data, info.width, info.height, info.resolution, origin)
            self.map_frame = message.header.frame_id
        except WaypostError as error:
            self.get_logger().error(str(error))

    def plan(self, request: Any, response: Any) -> Any:
        """Answer with the path, or with none and a line in the log."""
        response.plan.header.frame_id = self.map_frame
        response.plan.header.stamp = self.get_clock().now().to_msg()
        start, goal = (ends.pose.position for ends in (request.start, request.goal))
        try:
            for x, y, heading in self.robot.path((start.x, start.y), (goal.x, goal.y)).tolist():
                pose = PoseStamped(header=response.plan.header)
                pose.pose.position.x, pose.pose.position.y = x, y
                pose.pose.orientation = Quaternion(**dict(zip("xyzw", quaternion_of(heading), strict=True)))
                response.plan.poses.append(pose)
        except WaypostError as error:
            self.get_logger().warning(str(error))
        self.publisher.publish(response.plan)
        return response


def main() -> None:
    """Spin until the node is told to stop."""
    rclpy.init()
    rclpy.spin(PlannerNode())


if __name__ == "__main__":
    main()
