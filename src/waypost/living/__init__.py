"""Maps that change while planners plan and agents walk on them."""
