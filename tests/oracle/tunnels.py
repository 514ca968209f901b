"""Tunnels between components, by growing all of them at once into the walls."""

from collections import deque


def tunnels(label, width, height):
    """The places dug so that all components, given as a label of each open (x, y), become one."""
    owner = dict(label)
    back = {}
    group = {part: {part} for part in label.values()}
    dug = set()
    queue = deque(sorted(label, key=lambda place: (place[1], place[0])))
    while queue:
        x, y = here = queue.popleft()
        for there in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)):
            if not (0 <= there[0] < width and 0 <= there[1] < height):
                continue
            if there not in owner:
                owner[there] = owner[here]
                back[there] = here
                queue.append(there)
            elif group[owner[there]] is not group[owner[here]]:
                both = group[owner[there]] | group[owner[here]]
                for part in both:
                    group[part] = both
                for end in (here, there):
                    while end in back:
                        dug.add(end)
                        end = back[end]  # noqa: PLW2901 - the way back
    return dug
