# The environment is made once, and again when pyproject.toml changes. PYTHON= chooses another one.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

BLENDER := .blender/.ready

.PHONY: browser demo quick test test-all fuzz bench bench-peers bench-gpu docs lint clean

demo: $(READY)
	$(BIN)/pliant demo --out out

# An answer within 90 seconds on two cores: lint, types, and the fastest tests of every room (tests/quick.py).
quick: export OPENBLAS_NUM_THREADS = 1
quick: lint
	$(BIN)/pytest -n 2 -m "not slow" $$($(BIN)/python -m tests.quick)

# Two workers on two cores: BLAS threads of their own would only wait for each other.
test: export OPENBLAS_NUM_THREADS = 1
test: lint $(BLENDER)
	$(BIN)/pytest -n 2 -m "not slow"

test-all: export OPENBLAS_NUM_THREADS = 1
test-all: lint $(BLENDER)
	$(BIN)/pytest -n 2

# Broken scenes, meshes, takes, checkpoints, arguments and packets until the time is over; leaves with 1 if
# one was neither refused in one line nor used. One case again: python -m tests.fuzz --seed 7 --case takes:123
SECONDS ?= 600
JOBS ?= 1
fuzz: $(READY)
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) --jobs $(JOBS) $(if $(SEED),--seed $(SEED))

# A scheduler and two workers as processes of their own, a sweep, and a worker that is killed.
.PHONY: cluster-demo
cluster-demo: $(READY)
	$(BIN)/python integrations/cluster/demo.py

bench: $(READY)
	$(BIN)/python -m benchmarks

# Ours beside MuJoCo and Newton, each in its own environment; SIZES="1k 6k" chooses.
bench-peers: $(READY)
	$(BIN)/python -m benchmarks peers meetings $(SIZES)

# The same beam at 100k and 1M tetrahedra on a CUDA device.
bench-gpu: $(READY)
	$(BIN)/python -m benchmarks.gpu
	$(BIN)/python -m benchmarks.contact_gpu

# The pages, into site/: a gallery from running the examples, reports from running the studies (minutes, once).
docs: export NO_MKDOCS_2_WARNING = 1
docs: $(READY)
	$(BIN)/python -m mkdocs build --strict --site-dir site

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "pliant needs Python 3.10 or newer")'
	test -d .venv || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@

# The add-on, as the zip that Blender installs: dist/pliant-blender-VERSION.zip.
# WHEELS=1 adds pliant and all it needs for Blender on this platform, WHEELS=windows-x64 for another.
.PHONY: blender
blender:
	$(PYTHON) integrations/blender/build.py dist $(if $(WHEELS),--wheels $(filter-out 1,$(WHEELS)))

# Blender as a module needs its own Python and numpy; without Python 3.11 its tests are skipped.
$(BLENDER):
	if $(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))'; then \
	    $(PYTHON) -m venv .blender && \
	    .blender/bin/python -m pip install --quiet --disable-pip-version-check bpy==5.0.1; fi
	mkdir -p .blender && touch $@

# Chromium for the tests of pages; without it they are skipped.
browser:
	command -v chromium || (apt-get update --quiet && apt-get install --yes --quiet chromium)

clean:
	rm -rf .venv .blender benchmarks/peers/.environments out build dist .pytest_cache .ruff_cache .mypy_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
