# SPDX-License-Identifier: Apache-2.0
# g500: "make help" lists the targets.

BIN      := bin/g500
# The address that README.md gives for "git clone", if it is set ("make golden" writes it there).
REPOSITORY_URL :=
# MPI=1 requires MPI, MPI=0 disables it; by default it is used if it is found. MPICC=mpicc.mpich selects the compiler
# wrapper of another library, MPIRUN= its launcher.
MPI      ?= auto
# The same for CUDA. NVCC= selects its compiler; CUDA_ARCH=90 compiles only for GPUs of compute capability 9.0.
CUDA     ?= auto
FUZZTIME ?= 5s
BENCH    ?= .
NP       ?= 4

ifneq ($(wildcard .go/bin/go),)
# This is the offline bundle, which has its own Go and modules.
export PATH        := $(CURDIR)/.go/bin:$(PATH)
export GOFLAGS     := -mod=vendor
export GOTOOLCHAIN := local
export GOCACHE     ?= $(CURDIR)/build/go-cache
unexport GOROOT
endif
# The output of "g500 version", from the file of an archive or from git. Without both it is the version in the source.
ifneq ($(wildcard .version),)
version   := $(filter-out -,$(shell cut -d ' ' -f 1 .version))
commit    := $(shell cut -d ' ' -f 2 .version)
else
version   := $(shell git describe --tags --dirty 2>/dev/null)
commit    := $(shell git describe --always --dirty --exclude '*' 2>/dev/null)
endif
stamp     := $(if $(version),-X g500/cmd/cli.Version=$(version:v%=%)) $(if $(commit),-X g500/cmd/cli.Commit=$(commit))
go_build  := go build -buildvcs=false -trimpath -ldflags '$(stamp)'

# Open MPI refuses root without these.
mpirun    := OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 $$(scripts/with-mpi.sh --mpirun)
mpi_tags  := $$(scripts/with-mpi.sh --tags)

go_files  := $(shell find . \( -name vendor -o -name build -o -name '.?*' \) -prune -o -name '*.go' -print)
# Packages whose tests rewrite their golden files with -update; packages with tests on MPI ranks.
golden    = $(sort $(dir $(shell grep -l 'expect\.Golden\|clitest\.Keep' $(filter %_test.go,$(go_files)))))
mpi_tests = $(sort $(dir $(shell grep -l '^//go:build mpi' $(filter %_test.go,$(go_files)))))

# with_gpu TARGET LIBRARY makes the target, of which the library takes long, if CUDA is found; CUDA=1 requires it.
define with_gpu
$(if $(filter 0,$(CUDA)),,@if cuda=$$($(with_cuda) 2>&1); then \
	[ -e $(2) ] || echo "$$cuda compiles the GPU kernels, which takes minutes on few cores;" \
		"CUDA=0 leaves them out, CUDA_ARCH=90 compiles them for one kind of GPU"; \
	$(MAKE) --no-print-directory -j$$(nproc) $(1) || \
	{ echo "the GPU program was not built; CUDA=0 does without" >&2; exit 1; }; \
elif [ "$(CUDA)" = 1 ]; then \
	echo "CUDA=1, but $$cuda; install the CUDA toolkit, or name its compiler with NVCC=" >&2; \
	exit 1; \
fi)
endef

.PHONY: build
build: ## Build bin/g500, with MPI and CUDA if found (MPI=1, CUDA=1 require them, MPI=0, CUDA=0 disable them)
ifeq ($(MPI),0)
	@CGO_ENABLED=0 $(go_build) -o $(BIN) ./cmd/g500
	@echo "$(BIN): loopback only"
else
	@if mpi=$$(scripts/with-mpi.sh 2>&1); then \
		scripts/with-mpi.sh $(go_build) -tags $(mpi_tags) -o $(BIN) ./cmd/g500 && \
		echo "$(BIN): loopback + MPI ($$mpi)"; \
	elif [ "$(MPI)" = 1 ]; then \
		echo "MPI=1, but $$mpi; install Open MPI (Debian: openmpi-bin libopenmpi-dev) or MPICH," \
			"or name its compiler wrapper with MPICC=" >&2; \
		exit 1; \
	else \
		CGO_ENABLED=0 $(go_build) -o $(BIN) ./cmd/g500 && \
		echo "$(BIN): loopback only: $$mpi; install Open MPI or MPICH, or MPI=0 to silence"; \
	fi
endif
	$(call with_gpu,gpu-program,$(kernels))

.PHONY: lab lab-program
lab: lab-program ## Build bin/g500-lab, which measures strategies of papers (docs/LAB.md), with CUDA if found
	$(call with_gpu,gpu-lab,$(lab_kernels))
lab-program:
	@CGO_ENABLED=0 $(go_build) -o $(BIN)-lab ./cmd/g500-lab
	@echo "$(BIN)-lab"

.PHONY: lab-emulated
lab-emulated: lab-program ## Build bin/g500-lab-child-emulated: GPU kernels on a CPU, for g500-lab --engine emulated
	@scripts/test-emulated.sh child
	@cp build/emulated/g500-lab-child-emulated $(BIN)-lab-child-emulated
	@echo "$(BIN)-lab-child-emulated"

include scripts/cuda.mk

.PHONY: run
run: ## Run the benchmark on this machine, only with Go: configs/laptop.toml
	@CGO_ENABLED=0 $(go_build) -o build/g500 ./cmd/g500
	build/g500 run --config configs/laptop.toml

.PHONY: run-mpi
run-mpi: ## Run a small benchmark on NP=4 MPI ranks of this machine: configs/tiny.toml
	@$(MAKE) --no-print-directory build MPI=1 CUDA=0
	$(mpirun) -np $(NP) $(BIN) run --config configs/tiny.toml

.PHONY: test
test: ## Run every test; installs a missing Open MPI through apt-get if possible
	@scripts/test.sh

.PHONY: check-results
check-results: ## Check the runs in results: rules of submissions, limits of machines, pictures drawn from them
	go test -count=1 -tags results ./results

.PHONY: test-emulated
test-emulated: ## Run the GPU kernels in an emulator on the CPU, on small graphs; needs a C++ compiler
	scripts/test-emulated.sh all

.PHONY: test-mpi
test-mpi: ## Run the MPI tests under mpirun with 1, 2, 3, 4 and 7 ranks
	scripts/with-mpi.sh go test -count=1 -p 1 -tags $(mpi_tags) -run MPI $(mpi_tests)

JOBS ?= 100
SEED ?= 1
# Not next to a GPU program, which would take some of the jobs.
JOBS_PROGRAM ?= build/random-jobs/g500

.PHONY: random-jobs
random-jobs: ## Run JOBS=100 random jobs drawn by SEED=1 and check how each ends
	@$(MAKE) --no-print-directory build CUDA=0 BIN=$(JOBS_PROGRAM)
	@OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 go run ./internal/jobtest \
		-program $(JOBS_PROGRAM) -mpirun "$$(scripts/with-mpi.sh --mpirun 2>/dev/null)" \
		-jobs $(JOBS) -seed $(SEED)

MUTANTS ?=

.PHONY: mutants
mutants: ## Break rules on purpose, one at a time, and check that tests notice; MUTANTS=6,15 selects some
	go run ./internal/mutationtest -only '$(MUTANTS)'

.PHONY: offline-bundle
offline-bundle: ## Pack sources, modules and a Go into build/g500-offline.tar.xz, to build without a network
	scripts/offline-bundle.sh

.PHONY: dist
dist: ## Pack a release into build/dist: sources, SBOM and checksums (packaging/RELEASING.md)
	@scripts/dist.sh

.PHONY: man
man: build lab-program ## Write the manual pages to build/man and completion for shells to build/completion
	@mkdir -p build/completion
	@for program in $(abspath $(BIN)) $(abspath $(BIN))-lab; do \
		$$program man --dir build/man || exit 1; \
		for shell in bash zsh fish; do \
			$$program completion $$shell >build/completion/$$(basename $$program).$$shell || exit 1; \
		done; \
	done
	@echo "build/man, build/completion"

PREFIX ?= /usr/local
share  := $(DESTDIR)$(PREFIX)/share

.PHONY: install
install: man ## Install programs, names of the reference code, manual pages and completion below PREFIX=/usr/local
	install -d $(DESTDIR)$(PREFIX)/bin $(addprefix $(share)/,man/man1 bash-completion/completions zsh/site-functions \
		fish/vendor_completions.d)
	for program in $(BIN) $(BIN)-cuda $(BIN)-lab $(BIN)-lab-cuda $(BIN)-lab-child-cuda \
		$(BIN)-lab-child-emulated; do \
		[ ! -e $$program ] || install $$program $(DESTDIR)$(PREFIX)/bin || exit 1; \
	done
	cd $(DESTDIR)$(PREFIX)/bin && for name in graph500_reference_bfs graph500_reference_bfs_sssp; do \
		if [ -e $$name ] && [ ! -L $$name ]; then echo "$(PREFIX)/bin/$$name stays: it is another program" >&2; \
		else ln -sf $(notdir $(BIN)) $$name || exit 1; fi; \
	done
	install -m 644 build/man/*.1 $(share)/man/man1
	for program in $(notdir $(BIN) $(BIN)-lab); do \
		install -m 644 build/completion/$$program.bash $(share)/bash-completion/completions/$$program && \
		install -m 644 build/completion/$$program.zsh $(share)/zsh/site-functions/_$$program && \
		install -m 644 build/completion/$$program.fish $(share)/fish/vendor_completions.d/ || exit 1; \
	done

.PHONY: nightly
nightly: ## Run long tests: all emulated cases, race detector, mutants, fuzz, 1,000 random jobs
	@scripts/nightly.sh

.PHONY: race
race: ## Run the unit tests with the race detector
	CGO_ENABLED=1 go test -race -timeout 30m ./...

.PHONY: fuzz
fuzz: ## Run each fuzz target for FUZZTIME=5s
	@scripts/fuzz.sh $(FUZZTIME)

.PHONY: bench
bench: ## Run the micro-benchmarks that match BENCH=.
	go test -run '^$$' -bench '$(BENCH)' -benchmem ./...

.PHONY: golden
golden: ## Rewrite the golden files of our own output; review the difference
	go test -count=1 $(golden) -update

.PHONY: pictures
pictures: ## Draw the pictures in docs/pictures again, from results; needs Chromium
	go test -tags results ./results -run TestPictures -update

.PHONY: fmt
fmt: ## Format every Go file
	gofmt -w $(go_files)

.PHONY: lint
lint: ## Check formatting; run go vet and staticcheck for every set of build tags
	@wrong=$$(gofmt -l $(go_files)); [ -z "$$wrong" ] || { echo "not formatted, run make fmt:" $$wrong; exit 1; }
	@scripts/every-tag-set.sh go vet
	@CGO_ENABLED=0 go test ./policy/generate ./lab/keygen # generated files are current
	@CGO_ENABLED=0 go build -C tools -o ../build/staticcheck honnef.co/go/tools/cmd/staticcheck
	@scripts/every-tag-set.sh build/staticcheck

.PHONY: clean
clean: ## Remove all built files
	rm -rf bin build

.PHONY: help
help: ## List the targets
	@sed -n 's/^\([a-z-]*\):[^#]* ## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "make %-18s %s\n", $$1, $$2 }'
