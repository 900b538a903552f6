# SPDX-License-Identifier: Apache-2.0
# The GPU programs: cuda/*/*.cu, compiled by nvcc into a static library for the benchmark and one for the laboratory,
# and Go with the tag cuda. For the Makefile.

with_cuda   := NVCC='$(NVCC)' CUDA_ARCH='$(CUDA_ARCH)' scripts/with-cuda.sh
kernels     := build/libg500cuda.a
lab_kernels := build/libg500lab.a
child       := $(BIN)-lab-child-cuda
# Two files launch kernels from kernels. Only their device code must be linked, with CUDA's device runtime.
from_device := build/cuda/lab/tail_loop.o build/cuda/lab/children.o
lab_sources := $(wildcard $(addsuffix /*.cu,$(addprefix cuda/,lab color pages)))
objects      = $(patsubst cuda/%.cu,build/cuda/%.o,$(1))

ifneq ($(filter gpu-program gpu-lab test-gpu test-gpu-sanitized,$(MAKECMDGOALS)),)
nvcc       := $(shell $(with_cuda) --nvcc)
cuda_arch  := $(shell $(with_cuda) --arch)
nvcc_flags := -O3 -std=c++17 -Icuda -Xcompiler -fPIC $(cuda_arch) $(NVCCFLAGS)
find_mpi   := PATH='$(PATH)' MPICC='$(MPICC)' scripts/with-mpi.sh --tags
gpu_mpi    := $(if $(filter 0,$(MPI)),,$(shell $(find_mpi) 2>/dev/null))
gpu_tags   := cuda$(gpu_mpi:%=,%)
gpu_go     := $(if $(gpu_mpi),scripts/with-mpi.sh) env $(with_cuda)
endif

# The targets of the kernels, such as sm_90,compute_90, and a hash of the libraries, because Go does not notice their
# changes.
targets   = $(shell echo '$(cuda_arch)' | grep -o 'code=[a-z_0-9]*' | cut -c 6- | paste -sd ,)
gpu_stamp = $(stamp) -X g500/cuda.kernels=kernels:$(targets)/$$(cat $(filter %.a,$^) | sha256sum | cut -c 1-8)
gpu_build = $(gpu_go) go build -buildvcs=false -trimpath -tags $(gpu_tags) -ldflags "$(gpu_stamp)"

.PHONY: gpu-program
gpu-program: $(kernels)
	@$(gpu_build) -o $(BIN)-cuda ./cmd/g500
	@echo "$(BIN)-cuda: the same$(if $(gpu_mpi),, without MPI) + $$($(with_cuda)) ($(targets))"

.PHONY: gpu-lab
gpu-lab: $(kernels) $(lab_kernels) $(child)
	@$(gpu_build) -o $(BIN)-lab-cuda ./cmd/g500-lab
	@echo "$(BIN)-lab-cuda: the same + $$($(with_cuda)) ($(targets))"

# The program of child processes. Device code of the library is linked already.
$(child): cuda/lab/child.cc $(wildcard cuda/lab/child*.h) $(lab_kernels) $(kernels)
	@mkdir -p $(@D)
	@$(nvcc) $(nvcc_flags) -nodlink -x cu -o $@ $< -Xlinker $(lab_kernels) -Xlinker $(kernels) -lcudadevrt -ldl

.PHONY: test-gpu
test-gpu: gpu-program $(kernels) $(lab_kernels) $(child) ## Run the tests that need a GPU
	$(gpu_go) go test -count=1 -timeout 30m -tags $(gpu_tags) -ldflags "$(gpu_stamp)" ./cuda ./gpu/...
	$(BIN)-cuda run --engine gpu --config configs/tiny.toml | tail -n 1 | grep -x VALID

.PHONY: test-gpu-sanitized
test-gpu-sanitized: $(kernels) $(lab_kernels) $(child) ## Run the short GPU tests with each tool of compute-sanitizer
	$(gpu_go) go test -c -tags $(gpu_tags) -ldflags "$(gpu_stamp)" -o build/gpu-tests/ ./gpu/...
	scripts/sanitize.sh build/gpu-tests

$(kernels): $(call objects,$(filter-out $(lab_sources),$(wildcard cuda/*/*.cu)))
$(lab_kernels): $(call objects,$(lab_sources)) build/cuda/lab/linked.o
$(kernels) $(lab_kernels):
	@rm -f $@
	@ar qcs $@ $^

# ptxas's report of registers is stored next to the object, for scripts/check-spills.sh. Warnings are shown.
build/cuda/%.o: cuda/%.cu build/cuda/flags $(wildcard cuda/*.h cuda/*/*.h cuda/*/*.cuh)
	@mkdir -p $(@D)
	@echo "nvcc $<"
	@$(nvcc) $(nvcc_flags) -Xptxas -v -c -o $@ $< 2>$(@:o=ptxas) || { cat $(@:o=ptxas) >&2; exit 1; }
	@grep -v "^ptxas info\|bytes stack frame" $(@:o=ptxas) >&2 || true

$(from_device): nvcc_flags += -rdc=true
# Host code of other objects launches kernels of these, which the linker cannot see and would remove.
build/cuda/lab/linked.o: $(from_device)
	@$(nvcc) $(nvcc_flags) -dlink -Xnvlink -ignore-host-info -o $@ $^ -lcudadevrt

# Other flags or another compiler rebuild every object.
build/cuda/flags: always
	@mkdir -p $(@D)
	@echo '$(nvcc) $(nvcc_flags)' | cmp -s - $@ || echo '$(nvcc) $(nvcc_flags)' >$@

.PHONY: always
always:
