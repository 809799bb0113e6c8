# The front door. Meson and ninja do the work. Plain `make` installs no packages: it says what is missing, and
# `make deps` installs it. Targets that need more than a compiler (demo, test, lint, ...) list and install it.
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
BENCH ?=
MUTANTS ?= --n 200 --seed 1
# Tests that drive browsers and devices wait more than they work, so there are more tests than processors.
TEST_PROCESSES ?= $(shell echo $$(($$(nproc) + 3)))

.PHONY: all deps check-deps configured demo test asan lint format fuzz bench sweep coverage mutants regen web web-check install dist deb package-check clean

all: check-deps configured
	ninja -C build

deps:
	tools/setup build

check-deps:
	@tools/setup --check build

configured:
	@[ -f build/build.ninja ] || meson setup build --prefix=$(abspath $(PREFIX)) >/dev/null

# Only the program: neither tests nor benchmarks.
demo: deps configured
	ninja -C build tactus
	tools/demo

# The tools come first: meson looks for a quick linker.
test: deps
	tools/setup test
	$(MAKE) --no-print-directory configured
	ninja -C build
	tools/run-tests build --num-processes $(TEST_PROCESSES)

# Compiling with sanitizers takes twice as long with -O2 and all of -g; a report needs lines only. What is not
# run there says so in tests/meson.build.
asan:
	tools/setup build test
	[ -d build-asan ] || meson setup build-asan -Db_sanitize=address,undefined -Db_lundef=false \
		-Dwerror=false -Dchecks=true -Doptimization=1 -Ddebug=false -Dc_args=-g1 >/dev/null
	ninja -C build-asan
	UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 tools/run-tests build-asan \
		--num-processes $(TEST_PROCESSES) --timeout-multiplier 3

lint:
	tools/setup build lint
	tools/lint

format:
	tools/setup lint
	git ls-files '*.[ch]' | xargs clang-format -i

fuzz:
	tools/setup build fuzz
	tools/fuzz $(FUZZ_SECONDS)

bench: all
	tools/setup build test
	tools/bench $(BENCH)

# Long checks whose results stand in docs/: forged certificates, kills and faults, faults seeded in homes.
sweep: deps configured
	TACTUS_SWEEP=1 TACTUS=$$PWD/build/tactus TACTUS_SOURCE_ROOT=$$PWD python3 tests/browser/check_web_times.py
	for check in web_wild web web_faults reproduce todomvc portal; do TACTUS_SWEEP=1 TACTUS=$$PWD/build/tactus TACTUS_SOURCE_ROOT=$$PWD \
		python3 tests/browser/check_$$check.py || [ $$? = 77 ] || exit 1; done
	for check in unknown delay; do TACTUS_SWEEP=1 TACTUS=$$PWD/build/tactus TACTUS_SOURCE_ROOT=$$PWD \
		python3 tests/property/check_$$check.py || exit 1; done
	ninja -C build tests/unit/test_flow_random tests/unit/test_flow_spin
	TACTUS_SWEEP=1 TACTUS_SOURCE_ROOT=$$PWD build/tests/unit/test_flow_random
	TACTUS_SWEEP=1 TACTUS_SOURCE_ROOT=$$PWD build/tests/unit/test_flow_spin
	TACTUS_SWEEP=1 TACTUS=$$PWD/build/tactus python3 tests/check_look_alikes.py
	TACTUS_SWEEP=1 TACTUS=$$PWD/build/tactus TACTUS_SOURCE_ROOT=$$PWD python3 tests/report/gate_simulation.py
	TACTUS_SWEEP=1 TACTUS=$$PWD/build/tactus TACTUS_CORPUS=$${TACTUS_CORPUS:-../shared/corpus} \
		python3 tests/check_graphwalker_judge.py || [ $$? = 77 ]
	tools/paper-readings
	tools/network-sweep
	tools/web-sweep
	tools/recording-sweep
	tools/functional-sweep matrix --runs 5 --steps 60 --reproduce
	tools/functional-sweep mutants
	tools/functional-sweep clean --runs 100
	ninja -C build bench/mining_generate
	TACTUS_CORPUS=$${TACTUS_CORPUS:-../shared/corpus} tools/mining-figures all
	tools/mining-sweep
	ninja -C build tactus tests/certificates/mutate_certificates
	TACTUS_CORPUS=$${TACTUS_CORPUS:-../shared/corpus} python3 tests/certificates/sweep.py \
		build/tests/certificates/mutate_certificates build/tactus $(FORGERIES)
	ninja -C build tests/faults.so tests/mutate_index tests/unit/test_store_places
	rm -rf build/mutated && build/tactus run --device sim:examples/apps/player.json --monkey 12 --steps 3 \
		--property examples/demo/playback.props -o build/mutated >/dev/null
	build/tests/mutate_index build/mutated 10000
	for check in postgres injection lease_model; do TACTUS=$$PWD/build/tactus TACTUS_SCALE=full \
		python3 tests/store/check_$$check.py || [ $$? = 77 ] || exit 1; done
	TACTUS=$$PWD/build/tactus TACTUS_SOURCE_ROOT=$$PWD python3 tests/android/check_several_phones.py check_asking_phone || [ $$? = 77 ]
	TACTUS=$$PWD/build/tactus python3 tests/store/check_farm.py || [ $$? = 77 ]
	TACTUS=$$PWD/build/tactus TACTUS_KILLS=50 python3 tests/store/check_kills.py
	TACTUS_SWEEP=1 TACTUS=$$PWD/build/tactus TACTUS_SOURCE_ROOT=$$PWD python3 tests/jvm/check_jvm.py || [ $$? = 77 ]
	TACTUS=$$PWD/build/tactus TACTUS_MUTATIONS=10000 python3 tests/store/check_store.py
	TACTUS=$$PWD/build/tactus TACTUS_FAULT_LIBRARY=$$PWD/build/tests/faults.so TACTUS_FAULTS=all \
		python3 tests/store/check_faults.py
	TACTUS=$$PWD/build/tactus TACTUS_CORPUS=$${TACTUS_CORPUS:-../shared/corpus} \
		python3 tests/automation/seed_faults.py --limit 240

coverage:
	tools/setup build test coverage
	[ -d build-coverage ] || meson setup build-coverage -Db_coverage=true -Doptimization=0 \
		-Dwerror=false >/dev/null
	meson test -C build-coverage --timeout-multiplier 4; code=$$?; \
	gcovr -r . --object-directory build-coverage -f src/ --html-details build-coverage/coverage.html \
		--print-summary && exit $$code

# Changes src/ in one place at a time: do the tests notice? docs/mutants.md; tools/mutate has more options.
mutants:
	tools/setup build test
	tools/mutate $(MUTANTS)

# Everything that is generated and committed: man pages and golden outputs.
regen: all
	rm -f man/*.1 && build/tactus help --man-pages man
	build/tactus help --schemas schemas
	for area in tests/cli/*/; do TACTUS_REGENERATE=1 TACTUS=build/tactus tests/run_cli.py $$area; done
	TACTUS_REGENERATE=1 TACTUS=build/tactus FIGURES=$(CURDIR)/build/tests/figures/figures tests/run_cli.py tests/figures/golden

# The report's page. The built file is committed, so that building Tactus needs no Node.
web:
	tools/setup web
	cd web && npm install --no-audit --no-fund --no-package-lock --silent && npm run build

web-check: web
	git diff --exit-code --stat web/dist || { echo "web/dist is not current; run 'make web'"; exit 1; }

# The prefix counts also when build/ is there already and was made with another one.
install: check-deps configured
	meson configure build --prefix=$(abspath $(PREFIX))
	ninja -C build
	meson install -C build --no-rebuild

# A source archive that builds without git, and the Debian packages from it, in build/package.
dist:
	tools/package dist

deb: deps
	tools/setup package
	tools/package deb

# Two builds are the same; the packages work in a Debian with nothing else and leave nothing. Needs root.
package-check: deps
	tools/setup package
	tools/package check

clean:
	rm -rf build build-asan build-clang build-fuzz build-coverage build-mutants
