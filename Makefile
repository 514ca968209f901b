# Every target sets itself up from a bare Python 3.11+: nothing but `python3 -m venv` and pip.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
CORE   := $(VENV)/.core-installed
BENCH  := $(VENV)/.bench-installed
LEARN  := $(VENV)/.learn-installed
MAPS   := $(VENV)/.maps-installed
DEV    := $(VENV)/.dev-installed
DOCS   := $(VENV)/.docs-installed
PEERS  := build/peers-env
KERNEL_TESTS = $$(find tests -type d -name kernels)
SEED   ?= 0
THREADS ?= 2
SIDE   ?= 5478
PAPER_OPTIONS ?= --quick
NEW_SEED := $(or $(filter-out 0,$(SEED)),$(shell date +%s))
TESTS   = WAYPOST_TEST_SEED=$(SEED) $(BIN)/pytest --durations=20 --hypothesis-seed=$(SEED)
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo pictures docs test test-deep check check-types check-style test-jit test-kernels test-planners test-no-jit test-wheel test-docs wheel kernel-table hostile hostile-bounds clean \
  mutants bench bench-exact-astar bench-exact bench-speed bench-batch bench-latency bench-large bench-growth bench-start bench-demo bench-generators bench-inflate \
  bench-learning bench-climb bench-pra bench-dba bench-hub bench-hub-worlds bench-knn bench-dlrta bench-depth-tree bench-prlrta bench-cliques bench-harness bench-index bench-files bench-resume bench-tune bench-walker bench-fleet bench-edits bench-peers bench-versus bench-same bench-shipped bench-papers

demo: $(CORE)                 ## what this package is for, in a minute: planners on a large map, a crowd, a picture
	$(BIN)/waypost demo --out waypost-demo.png

pictures: $(BENCH)            ## the pictures of the documentation, by the commands that it shows
	$(BIN)/waypost demo --out docs/images/demo.png
	rm -rf build/bench-demo && $(BIN)/waypost bench demo --out build/bench-demo
	cp build/bench-demo/plots/suboptimality_percent-against-move_us_max.png docs/images/bench-demo.png
	$(BIN)/python examples/generators.py docs/images/generators.png
	$(BIN)/python examples/warehouse.py docs/images/warehouse.png
	$(BIN)/python examples/sizes.py docs/images/sizes.png
	$(BIN)/python examples/growing_town.py docs/images/growing_town.png
	$(BIN)/python docs/draw_pictures.py

docs: $(DOCS)                 ## the documentation as a site, at http://localhost:8000, built again at every change
	$(BIN)/zensical serve

test: $(DEV)                  ## everything that must be green: a quarter of the random cases, by one seed (SEED=N: by another)
	$(BIN)/waypost prepare --all   # once, for all that follows
	$(MAKE) -j2 test-planners test-no-jit test-kernels check-types check-style test-wheel test-docs   # side by side, on two cores

test-deep: $(DEV)             ## all random cases, by a new seed that it prints, and the wheel with machine code
	@echo "SEED=$(NEW_SEED)"
	WAYPOST_TEST_DEEP=1 $(MAKE) test SEED=$(NEW_SEED)
	$(MAKE) wheel

check: $(DEV)                 ## style, types and layers
	$(MAKE) -j2 check-types check-style

check-types: $(DEV)
	$(BIN)/mypy

check-style: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

test-jit: $(DEV)              ## all tests, kernels compiled
	$(TESTS) tests

test-kernels: $(DEV)          ## the part of them that is about kernels: all in folders of that name
	$(TESTS) $(KERNEL_TESTS) tests/test_signatures.py

test-planners: $(DEV)         ## all others
	$(TESTS) tests --ignore-glob='*/kernels'

test-no-jit: $(DEV)           ## kernel tests on tiny maps, kernels as plain Python: real coverage and tracebacks
	NUMBA_DISABLE_JIT=1 $(TESTS) $(KERNEL_TESTS) --cov=waypost --cov-fail-under=$(if $(filter 0,$(SEED)),100,99)

kernel-table: $(BENCH)        ## machine_code/signatures.json: the signature of every kernel, and which planners use it
	$(BIN)/python -m tools.kernel_table

wheel: $(DEV)                 ## a wheel with machine code, for this Python and system, tested in a clean environment
	rm -rf build/pure build/shipped-env && mkdir -p dist
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir build/pure .
	$(BIN)/python -m tools.platform_wheel $(foreach level,$(LEVELS),--level $(level)) build/pure/*.whl dist
	$(PYTHON) -m venv --clear build/shipped-env
	build/shipped-env/bin/python -m pip install --quiet --disable-pip-version-check $$(ls -t dist/*.whl | head -1) scikit-learn
	cd build && WAYPOST_CACHE=/dev/null shipped-env/bin/python -I ../tests/check_platform_wheel.py

test-wheel: $(DEV)            ## the installed wheel in a clean environment, and the example of a package beside it
	rm -rf build/wheel
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir build/wheel .
	$(PYTHON) -m venv --clear build/wheel-env
	build/wheel-env/bin/python -m pip install --quiet --disable-pip-version-check build/wheel/*.whl
	build/wheel-env/bin/python -m pip install --quiet --disable-pip-version-check --no-deps ./examples/own_planner
	cd build && wheel-env/bin/python -I ../tests/check_installed.py

test-docs: $(DEV)             ## the site: a broken link, an unknown name or a warning fails, and so does what another host would have to send
	rm -rf build/site
	$(BIN)/zensical build --strict --clean
	$(BIN)/python tests/check_site.py build/site

hostile: $(DEV)               ## input made to do harm: 10,000 cases of each suite, some of which `make test` runs
	$(BIN)/python -m tests.hostile

hostile-bounds: $(DEV)        ## the same, kernels compiled with bounds checks: into a folder of their own, Numba cannot tell them apart
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CURDIR)/build/bounds-checked $(BIN)/python -m tests.hostile

mutants: $(DEV)               ## faults planted by a program, and whether the tests of their family notice; SEED=N: others
	$(BIN)/python -m tools.mutants --seed $(SEED)

bench: bench-exact-astar bench-exact bench-speed bench-batch bench-latency bench-large bench-growth bench-start bench-demo bench-generators bench-inflate bench-learning bench-climb bench-pra bench-dba bench-hub bench-knn bench-dlrta bench-depth-tree bench-prlrta bench-cliques bench-harness bench-index bench-files bench-resume bench-walker bench-fleet bench-edits   ## every figure of docs/benchmarks.md

bench-exact-astar: $(CORE)    ## A* against stored scenario lengths and against a plain-Python oracle
	$(BIN)/python -m benchmarks.exact_astar
bench-exact: $(CORE)          ## jump point search against every stored scenario length
	$(BIN)/python -m benchmarks.exact
bench-batch: $(CORE)          ## batches on one thread and on several: THREADS="2 4 8 16"
	$(BIN)/python -m benchmarks.batch --threads $(THREADS)
bench-speed: $(CORE)          ## expansions per second
	$(BIN)/python -m benchmarks.speed
bench-latency: $(CORE)        ## refused and one-step queries
	$(BIN)/python -m benchmarks.latency
bench-large: $(MAPS)          ## a map of 30 million cells: seconds and bytes per cell of every step; SIDE=16384: of 268 million
	$(BIN)/python -m benchmarks.large_map --side $(SIDE)
bench-growth: $(CORE)         ## gates on maps of up to 2.7 * 10^8 cells, beside DBA*: growth, length, a fleet
	$(BIN)/python -m benchmarks.growth
bench-start: $(CORE)          ## start with machine code of each kind: shipped (make wheel first), cached and none
	$(BIN)/python -m benchmarks.start
bench-shipped: $(CORE)        ## machine code of a wheel beside native code (make wheel first)
	$(BIN)/python -m benchmarks.shipped_code
bench-demo: $(CORE)           ## make demo in fresh clones, and beside busy processes; writes its figures into docs/benchmarks.md
	$(BIN)/python -m benchmarks.demo
bench-generators: $(CORE)     ## maps of 30 million cells made from a seed
	$(BIN)/python -m benchmarks.generators
bench-inflate: $(CORE)        ## a map of 16 million cells inflated, beside loading it; paths shortened by lines of sight
	$(BIN)/python -m benchmarks.inflate
bench-learning: $(CORE)       ## LRTA* and its family, TBA*: speed, the papers' figures, constant work
	$(BIN)/python -m benchmarks.learning
bench-climb: $(CORE)          ## hill-climbing: time per step, compressed paths, the table against the definition
	$(BIN)/python -m benchmarks.climb
bench-pra: $(CORE)            ## PRA* of Dragon Age: time per query, suboptimality and size of the index
	$(BIN)/python -m benchmarks.pra
bench-dba: $(CORE)            ## DBA* and HCDPS: paths, memory, builds, time per move, growth with the map
	$(BIN)/python -m benchmarks.regions
bench-hub: $(CORE)            ## hub labels beside jump point search and DBA*: exact, times, sizes, growth, distances, a fleet: PARTS="ten fleet"
	$(BIN)/python -m benchmarks.hub $(PARTS)
bench-hub-worlds: $(DEV)      ## hub on 100,000 random small worlds, against Dijkstra and the twin, move by move; killed, it goes on
	$(BIN)/python -m benchmarks.hub_worlds
bench-knn: $(CORE)            ## kNN LRTA*: the 2009 form, and the 2010 form on maps of 10 million open cells
	$(BIN)/python -m benchmarks.records
bench-cliques: $(CORE)        ## PRA* on cliques: time per query and suboptimality, by setting
	$(BIN)/python -m benchmarks.cliques
bench-prlrta: $(CORE)         ## PR LRTA* beside D LRTA*, on maps as they are and enlarged by 3
	$(BIN)/python -m benchmarks.prlrta
bench-dlrta: $(CORE)          ## clique abstraction and D LRTA*: time, walks and memory, on a map of 10 million open cells
	$(BIN)/python -m benchmarks.dlrta
bench-depth-tree: $(LEARN)    ## LRTA* with a depth by decision tree and by oracle, beside fixed depth
	$(BIN)/python -m benchmarks.depth_tree
bench-harness: $(BENCH)        ## what the benchmark harness adds to a bare loop; kills and workers change nothing
	$(BIN)/python -m benchmarks.harness
bench-index: $(CORE)          ## loading an index file of 50 MB
	$(BIN)/python -m benchmarks.index_file
bench-files: $(CORE)          ## bad map and scenario files of 50 MB: how soon, and in how much memory they are refused
	$(BIN)/python -m benchmarks.files
bench-resume: $(CORE)         ## a build killed 20 times writes the file of an undisturbed one; what the journal costs
	$(BIN)/python -m benchmarks.resume
bench-walker: $(CORE)         ## walkers and subgoal trees: time per move, first move after loading, builds, walks beside A*
	$(BIN)/python -m benchmarks.walker
bench-fleet: $(PEERS)/.installed  ## fleets: a million agents, two cores, a frame budget, one click beside other libraries
	$(PEERS)/bin/python -m benchmarks.fleet
bench-edits: $(BENCH)          ## Worlds: repairs of cells and buildings, equal to rebuilds; a fleet while walls change; the dynamic track
	$(BIN)/python -m benchmarks.edits
bench-tune: $(BENCH)          ## waypost tune beside a walk of every setting on ten maps, rows kept in build/bench-tune: MAPS="rooms caves" for some
	$(BIN)/python -m benchmarks.tune $(MAPS)
bench-versus: $(CORE)         ## this tree beside another commit, in turns: make bench-versus OLD=HEAD~3
	$(BIN)/python -m benchmarks.versus $(OLD)
bench-same: $(CORE)           ## whether this tree walks as another commit did, and writes the same index files: make bench-same OLD=HEAD~3
	$(BIN)/python -m benchmarks.same $(OLD)
bench-papers: $(BENCH)         ## the five papers to scale, a report each in waypost-paper (PAPER_OPTIONS= for the whole of them)
	for paper in 2008 2009 2010 2011 2013; do $(BIN)/waypost paper $$paper $(PAPER_OPTIONS) || exit 1; done
bench-peers: $(PEERS)/.installed  ## Waypost beside other libraries, in an environment of their own; writes docs/peers.md
	$(PEERS)/bin/python -m benchmarks.peers

clean:                        ## remove everything that targets have made
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache .cache .coverage waypost-demo.png waypost-bench waypost-paper
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Waypost needs Python 3.11 or newer; say which with: make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(CORE): pyproject.toml $(VENV)/pyvenv.cfg
	$(PIP) --editable .
	@touch $@

$(BENCH): $(CORE)
	$(PIP) --editable '.[bench,plot,learn]'
	@touch $@

$(LEARN): $(CORE)
	$(PIP) --editable '.[learn]'
	@touch $@

$(MAPS): $(CORE)
	$(PIP) --editable '.[maps]'
	@touch $@

$(DOCS): $(CORE)
	$(PIP) --editable '.[docs]'
	@touch $@

$(DEV): $(CORE)
	$(PIP) --editable '.[dev]'
	@touch $@

# One by one: a library that does not install here is said to be missing in the report, and the others are measured.
$(PEERS)/.installed: pyproject.toml benchmarks/peers-requirements.txt
	$(PYTHON) -m venv --clear $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[plot]'
	@grep -v '^#' benchmarks/peers-requirements.txt | while read -r peer; do \
	  $(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check "$$peer" </dev/null || \
	    echo "$$peer does not install here"; done
	@touch $@
