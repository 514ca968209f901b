"""What all learning walkers share: where they stand, what they know of each goal, and what they are counted by."""

from abc import ABC, abstractmethod

from tests.oracle.rules import heuristic, move_costs, neighbours

GOALS_KEPT = 8


class Walker(ABC):
    """One walker: `place` it, `set_goal`, then `step`. A subclass says in `plan` which moves are made next."""

    keeps_tables = True

    def __init__(self, is_open, rule, costs):
        self.is_open, self.rule, self.costs = is_open, rule, costs
        self.straight, _ = move_costs(rule, costs)
        self.around = {}

    def place(self, start):
        """Begin again: nothing is known of any goal."""
        self.here, self.goal, self.moves = start, None, []
        self.tables = {}
        self.looked_at = []
        """Every look around of the last step, in order."""
        self.target = None
        """What the last plan was made for; None if it was to go back."""
        self.most_open = self.most_closed = self.ever_learned = 0

    def set_goal(self, goal):
        """Also a goal that was set before, even the present one, starts without a plan."""
        table = self.tables.pop(goal, {}) if self.keeps_tables else {}
        self.tables[goal] = table  # now the last one
        for forgotten in list(self.tables)[:-GOALS_KEPT]:
            del self.tables[forgotten]
        self.goal, self.moves = goal, []
        self.begin()

    def begin(self):  # noqa: B027 - most have nothing else
        """What else a new goal sets back."""

    @abstractmethod
    def plan(self):
        """The places to go to from here, one after the other."""

    def step(self):
        """Make one move: where that leads, and how many expansions it took."""
        self.looked_at = []
        if self.here == self.goal:
            return self.here, 0
        if not self.moves:
            self.moves = self.plan()
        self.here = self.moves.pop(0)
        return self.here, len(self.looked_at)

    def neighbours(self, place):
        """(neighbour, cost of the move) in the order of the rules."""
        if place not in self.around:
            self.around[place] = list(neighbours(self.is_open, self.rule, self.costs, *place))
        return self.around[place]

    def look_around(self, place):
        """The neighbours, and one expansion more."""
        self.looked_at.append(place)
        return self.neighbours(place)

    def h0(self, place):
        return heuristic(self.rule, self.costs, place, self.goal)

    def h(self, place):
        return self.tables[self.goal].get(place, self.h0(place))

    def learn(self, place, value):
        """h becomes this value; it must never fall."""
        assert value >= self.h(place), f"h of {place} falls from {self.h(place)} to {value}"
        if value > self.h0(place):
            self.ever_learned += place not in self.tables[self.goal]
            self.tables[self.goal][place] = value

    def raise_h(self, place, value):
        self.learn(place, max(self.h(place), value))

    def best_neighbour(self, around):
        """The y with the least c + h(y), then the largest c, then the first; `around` is what a look around gave."""
        return min(around, key=lambda found: (found[1] + self.h(found[0]), -found[1]))[0]

    def note_memory(self, *, open_nodes, closed_nodes):
        self.most_open = max(self.most_open, open_nodes)
        self.most_closed = max(self.most_closed, closed_nodes)

    @property
    def learned(self):
        """{place: h} of all places where h is above h0, for the present goal."""
        return dict(self.tables[self.goal])

    @property
    def memory(self):
        """(open, closed, learned)."""
        return self.most_open, self.most_closed, self.ever_learned
