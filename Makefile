# irc: everything but `deps` works with Go alone; `make test` never installs.
export CGO_ENABLED ?= 0
IRC  := bin/irc
RATS := examples/bugs/rats

# Debian packages that tests and benchmarks compare with; none is needed to use irc.
DEPS := libllvm19 llvm-19 clang-19 lld-19 qemu-user mlir-19-tools libisl-dev jags python3-numpy libpcre2-dev z3 zsh fish gcc libc6-dev

.PHONY: build irc demo release release-check test race bench deps deps-ptx deps-bench deps-onnx deps-mlir gpu lint fuzz docs breakages soak

# A peer of make bench, which Node's package manager installs in bin/duckdb.
DUCKDB := @duckdb/node-api
DUCKDB_VERSION := 1.5.6-r.1

# What tests compare tensor ops with, in bin/onnx.
ONNX := onnxruntime-web
ONNX_VERSION := 1.20.1

# The tag leaves out what the flag library would print documents with: it starts
# with every run and nothing here uses it. The profile (docs/bench.md) tells the
# compiler what to inline. What debuggers read takes a sixth of a first build, and
# nothing here reads it; both programs have the same flags, so that they share packages.
BUILD := -pgo=tools/irc/irc.pgo -tags urfave_cli_no_docs -gcflags=all=-dwarf=false
irc: ## the command alone, in bin/irc
	@go build $(BUILD) -ldflags=-w -o $(IRC) ./tools/irc

build: irc ## the command, and what reads Parquet files for it, in bin/irc-parquet
	@go build $(BUILD) -ldflags="-s -w" -o bin/irc-parquet ./tools/irc-parquet

# What there is of native code is for Linux: elsewhere programs are interpreted (tools/irc/product). The same
# sources and Go give the same bytes: no path, no commit and no setting of the machine is in them.
RELEASES := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64
release: export GOFLAGS := -trimpath -buildvcs=false -mod=readonly
release: export CGO_ENABLED := 0
release: export GOAMD64 := v1
release: export GOARM64 := v8.0
release: export GOEXPERIMENT :=
release: export GOFIPS140 := off
release: ## stripped, reproducible binaries in bin/release, for Linux, and on the interpreter for macOS and Windows
	@rm -rf bin/release && mkdir -p bin/release
	@set -e; for at in $(RELEASES); do export GOOS=$${at%/*} GOARCH=$${at#*/}; exe=; [ $$GOOS != windows ] || exe=.exe; \
	  echo "irc for $$GOOS/$$GOARCH"; \
	  go build $(BUILD) -ldflags="-s -w -buildid=" -o bin/release/irc-$$GOOS-$$GOARCH$$exe ./tools/irc; \
	  [ $$GOOS != linux ] || go build $(BUILD) -ldflags="-s -w -buildid=" -o bin/release/irc-parquet-$$GOOS-$$GOARCH ./tools/irc-parquet; done

release-check: ## a release is the same bytes from two folders, with empty caches, without .git (minutes)
	@sh tests/release.sh

demo: irc ## a real BUGS model down every level, and its log density
	@sh examples/demo.sh $(IRC)

# -count=1: what a test found on the machine is no input that go test caches by.
# Tests make much that dies young: collecting it rarely saves a third of their time.
test: export GOGC ?= 300
test: export GODEBUG ?= memprofilerate=0
# go vet is a part of make lint. To link 150 programs is a sixth of the work: without symbols it is a tenth less.
test: ## all tests; what is skipped for want of a tool is listed at the end
	@go build -o bin/summary ./tests/summary
	@go test -count=1 -timeout 20m -vet=off -ldflags="-s -w" -json ./... | bin/summary

# The packages that start goroutines or hold locks or atomic numbers; and wherever they are the tests of many
# functions, which are rebuilt at once: that of package lowering puts them through each pass.
SHARED := go func|sync\.(Mutex|RWMutex|WaitGroup|Cond)|atomic\.[A-Z]
MANY   := ManyFunctions
RACE   := go test -count=1 -timeout 20m -race -short -vet=off -ldflags=-w -json
race: export GOGC ?= 300
race: ## what goroutines share, under the race detector (needs a C compiler)
	@if ! command -v gcc >/dev/null; then echo "make race: skipped, no gcc here (make deps)"; exit 0; fi; \
	folders() { xargs -n1 dirname | sort -u | sed 's|^|./|'; }; export CGO_ENABLED=1; \
	go build -o bin/summary ./tests/summary && \
	{ $(RACE) $$(grep -rlE --include=*.go --exclude=*_test.go '$(SHARED)' ir dialects passes lowering | folders); \
	  $(RACE) -run '$(MANY)$$' $$(grep -rl --include=*_test.go '$(MANY)(t ' ir dialects passes lowering | folders); } | bin/summary

bench: build ## speed beside a peer, in one run
	@go run ./tests/bench

gpu: ## kernels on a GPU: equal the interpreter, and how fast (tests/bench/gpu.sh, which runs without Go)
	@mkdir -p bin && rm -f bin/kernels.json
	@go build -o bin/bench ./tests/bench && go test -c -o bin/cuda.test ./backends/cuda
	@bin/bench -row=device -bundle bin/kernels.json >/dev/null
	@sh tests/bench/gpu.sh

lint: ## vet, also for macOS and Windows, gofmt, staticcheck
	@go vet ./...
	@GOOS=darwin go vet ./... && GOOS=windows go vet ./...
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "not gofmt'd"; exit 1; }
	@go tool staticcheck ./...

fuzz: ## each fuzz target for FUZZTIME (default 30s)
	@for p in $$(grep -rl --include=*_test.go '^func Fuzz' . | xargs -n1 dirname | sort -u); do \
	  for f in $$(grep -ho '^func Fuzz[A-Za-z0-9]*' $$p/*_test.go | cut -c6- | sort -u); do \
	    echo "== $$p $$f"; go test $$p -run '^$$' -fuzz "^$$f$$" -fuzztime $${FUZZTIME:-30s} -fuzzminimizetime 5x || exit 1; done; done

soak: ## the random tests by the million (hours; SOAK="-row=native -n=300000", SOAK=-list)
	@go run ./tests/soak $(SOAK)

breakages: ## break the program on purpose, line by line: which test notices? (over an hour)
	@go run ./tests/breakages

docs: build ## what is generated: dialect READMEs, the list of passes, the drawing of the house, the figures of MLIR's suite
	@$(IRC) dialects -write dialects
	@$(IRC) dialects -write docs/semantics.md
	@$(IRC) dialects -write docs/derivatives.md
	@$(IRC) passes -write docs/passes.md
	@go run ./tests/house docs/architecture.svg
	@go run ./tests/conformance -docs docs/text.md
	@go test ./tests -run TestLimits -update >/dev/null

deps: ## Debian packages that tests use and that are absent
	@missing=; for p in $(DEPS); do dpkg -s $$p >/dev/null 2>&1 || missing="$$missing $$p"; done; \
	if [ -n "$$missing" ]; then \
	  if ! command -v apt-get >/dev/null; then echo "make deps: no apt-get here; tests that need$$missing will be skipped"; exit 0; fi; \
	  if [ "$$(id -u)" = 0 ]; then sudo=; else sudo=sudo; fi; \
	  echo "make deps: installing$$missing"; \
	  DEBIAN_FRONTEND=noninteractive $$sudo apt-get update -qq && \
	  DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq --no-install-recommends $$missing >/dev/null; fi

deps-bench: ## DuckDB, a peer of `make bench`, in bin/duckdb (needs node and npm; 70 MB)
	@if grep -qs '"version": "$(DUCKDB_VERSION)"' bin/duckdb/node_modules/$(DUCKDB)/package.json; then exit 0; fi; \
	if ! command -v npm >/dev/null; then echo "make deps-bench: no npm here; the rows beside DuckDB will be skipped"; exit 0; fi; \
	mkdir -p bin/duckdb && npm install --prefix bin/duckdb --no-audit --no-fund --loglevel=error $(DUCKDB)@$(DUCKDB_VERSION) >/dev/null

deps-mlir: ## MLIR's own tests, which tests read where they are there, and `go test ./tests/mlir -run Suite -suite=$$PWD/bin/mlir-test` runs (165 MB)
	@sh tests/deps-mlir.sh

deps-onnx: ## ONNX Runtime, optional: tests compare tensor ops with it, in bin/onnx (needs node and npm; 100 MB)
	@if grep -qs '"version": "$(ONNX_VERSION)"' bin/onnx/node_modules/$(ONNX)/package.json; then exit 0; fi; \
	if ! command -v npm >/dev/null; then echo "make deps-onnx: no npm here; the comparison with ONNX Runtime will be skipped"; exit 0; fi; \
	mkdir -p bin/onnx && npm install --prefix bin/onnx --no-audit --no-fund --loglevel=error $(ONNX)@$(ONNX_VERSION) >/dev/null

deps-ptx: ## ptxas, nvdisasm, libnvrtc, optional: tests assemble kernels, the bench compares them (Debian non-free, 110 MB to download)
	@sh tests/deps-ptx.sh
