"""Which planner with which parameters: settings raced on one map until the best within a user's limits is left."""
