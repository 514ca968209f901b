"""The parts of a map, what it costs between their gates, and what is stored (docs/planners/gates-rules.md alone)."""

import math

BLOCK = 4
NEAR = (0, 8, 12, 16, 24, 32, 48)


class Part:
    """A rectangle of sectors: `separator` and `boundary` are lists of gates; `cost` and `way` of two of them."""

    def __init__(self, box, children=()):
        self.box, self.children = box, children
        self.parent = None
        for child in children:
            child.parent = self

    def know(self, separator, boundary):
        self.separator, self.boundary = separator, boundary
        self.list = separator + boundary
        self.place = {gate: i for i, gate in enumerate(self.list)}
        self.cost, self.way = {}, {}

    def improve(self, a, b, cost, way):
        if cost < self.cost.get((a, b), math.inf):
            self.cost[a, b] = self.cost[b, a] = cost
            self.way[a, b] = self.way[b, a] = way

    def eliminate(self):
        """Costs and ways from those of the children, then by each gate of the separator."""
        for which, child in enumerate(self.children):
            known = [gate for gate in child.boundary if gate in self.place]
            for i, a in enumerate(known):
                for b in known[i + 1 :]:
                    if (a, b) in child.cost:
                        self.improve(a, b, child.cost[a, b], which)
        for i, gate in enumerate(self.separator):
            later = [other for other in self.list[i + 1 :] if (gate, other) in self.cost]
            for j, a in enumerate(later):
                for b in later[j + 1 :]:
                    self.improve(a, b, self.cost[gate, a] + self.cost[gate, b], 2 + i)


class Tree:
    """All parts: `blocks` by (column, row), `parts` in order, `leaves` by sector."""

    def __init__(self, gates, thin):
        self.gates = gates
        self.first_choice = {gate for gates in self.by_border() for gate in self.first_choices(gates)}
        self.leaves, self.blocks, self.parts = {}, {}, []
        across, down = math.ceil(gates.across / BLOCK), math.ceil(gates.down / BLOCK)
        for y in range(down):
            for x in range(across):
                right, bottom = min((x + 1) * BLOCK, gates.across), min((y + 1) * BLOCK, gates.down)
                self.blocks[x, y] = self.cut((x * BLOCK, y * BLOCK, right, bottom), self.leaf, self.parts)
        self.near_count = len(self.parts)
        self.larger = []
        self.root = self.cut((0, 0, across, down), lambda x, y: self.blocks[x, y], self.larger)
        for part in self.parts:
            part.know(*self.lists(part, lambda _: True))
            if part.children:
                part.eliminate()
            else:
                part.cost = gates.sector_costs(*part.box[:2])
        self.larger = [part for part in self.larger if part not in self.blocks.values()]
        self.larger.sort(key=self.level)  # in order within a level
        self.kept = set()
        for part in self.larger:
            x, y, right, bottom = part.box
            part.blocks = max(right - x, bottom - y)
            part.box = x * BLOCK, y * BLOCK, min(right * BLOCK, gates.across), min(bottom * BLOCK, gates.down)
        for part in self.larger:
            self.thin(part, thin)
        for part in self.larger:
            part.know(*self.lists(part, self.kept.__contains__))
            part.eliminate()
        self.parts += self.larger

    def by_border(self):
        return [[(*border, i) for i in range(len(found))] for border, found in self.gates.borders.items()]

    def first_choices(self, names):
        """Of each run the gate nearest to the middle of the border; every slanting gate and corner."""
        runs = []
        for name in names:
            (a, b), _ = self.gates.borders[name[:3]][name[3]]
            if a[0] != b[0] and a[1] != b[1]:
                yield name
                continue
            if not runs or not self.is_one_run(runs[-1][-1], name):
                runs.append([])
            runs[-1].append(name)
        for run in runs:
            yield min(run, key=lambda name: abs(self.offset(name) - 8))

    def offset(self, name):
        (x, y), _ = self.gates.borders[name[:3]][name[3]][0]
        return (y if name[2] == 0 else x) % 16

    def is_one_run(self, name, other):
        """Whether all pairs between two gates of a border are open."""
        (x, y), (there_x, there_y) = (self.gates.borders[n[:3]][n[3]][0][0] for n in (name, other))
        on, over = ((0, 1), (1, 0)) if name[2] == 0 else ((1, 0), (0, 1))
        length = there_x - x + there_y - y
        pairs = [(x + i * on[0], y + i * on[1]) for i in range(length)]
        return all(self.gates.is_free(*p) and self.gates.is_free(p[0] + over[0], p[1] + over[1]) for p in pairs)

    def leaf(self, x, y):
        part = self.leaves[x, y] = Part((x, y, x + 1, y + 1))
        return part

    def cut(self, box, end, made):
        """Cut a rectangle in halves until single squares are left; all parts go into `made`, halves first."""
        left, top, right, bottom = box
        if right - left == bottom - top == 1:
            part = end(left, top)
        elif right - left >= bottom - top:
            middle = (left + right) // 2
            halves = (left, top, middle, bottom), (middle, top, right, bottom)
            part = Part(box, tuple(self.cut(half, end, made) for half in halves))
        else:
            middle = (top + bottom) // 2
            halves = (left, top, right, middle), (left, middle, right, bottom)
            part = Part(box, tuple(self.cut(half, end, made) for half in halves))
        made.append(part)
        return part

    def level(self, part):
        if part in self.blocks.values():
            return 0
        return 1 + max(self.level(child) for child in part.children)

    def line(self, kind, place, first, end):
        """Gates on the line behind a column (kind 0) or row (1) of sectors."""
        borders = [(place, i, 0) if kind == 0 else (i, place, 1) for i in range(first, end)]
        return [(*border, i) for border in borders for i in range(len(self.gates.borders.get(border, ())))]

    def cut_line(self, part):
        left, top, right, bottom = part.box
        x, y = part.children[1].box[:2]
        return self.line(0, x - 1, top, bottom) if x > left else self.line(1, y - 1, left, right)

    def lists(self, part, is_known):
        """The separator and the boundary."""
        left, top, right, bottom = part.box
        sides = self.line(1, top - 1, left, right), self.line(0, left - 1, top, bottom)
        sides += self.line(0, right - 1, top, bottom), self.line(1, bottom - 1, left, right)
        separator = self.cut_line(part) if part.children else []
        return [gate for gate in separator if is_known(gate)], [g for side in sides for g in side if is_known(g)]

    def thin(self, part, percent):
        """Choose which gates on the line that cuts a part larger parts know, block by block."""
        near = NEAR[min(math.ceil(math.log2(part.blocks)), len(NEAR) - 1)] * self.gates.straight * percent // 100
        kept = {}
        for gate in self.cut_line(part):
            x, y, kind, _ = gate
            ends = (x // BLOCK, y // BLOCK), ((x + (kind == 0)) // BLOCK, (y + (kind == 1)) // BLOCK)
            earlier = kept.setdefault(ends, [])
            if gate in self.first_choice and not any(
                max(self.blocks[end].cost.get((other, gate), math.inf) for end in ends) <= near for other in earlier
            ):
                earlier.append(gate)
        self.kept.update(gate for found in kept.values() for gate in found)

    def stored(self):
        """The arrays of an index, `kept` as a list of bits."""
        arrays = {name: [] for name in ("near_costs", "far_costs", "near_ways", "far_ways")}
        for number, part in enumerate(self.parts):
            costs, ways = (("far_costs", "far_ways"), ("near_costs", "near_ways"))[number < self.near_count]
            rows = len(part.list) if part in self.blocks.values() else len(part.separator)
            for i, a in enumerate(part.list):
                for b in part.list[i + 1 :]:
                    if i < rows:
                        arrays[costs].append(part.cost.get((a, b), -1) + 1)
                    if part.children:
                        arrays[ways].append(part.way.get((a, b), 0))
        ordered = [
            (x, y, kind, i)
            for y in range(self.gates.down)
            for x in range(self.gates.across)
            for kind in (0, 1)
            for i in range(len(self.gates.borders[x, y, kind]))
        ]
        return arrays | {"kept": [int(gate in self.kept) for gate in ordered]}
