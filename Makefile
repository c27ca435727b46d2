# cleave: make help lists everything.
SHELL    := /bin/bash
GO       ?= go
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS  := -s -w -X github.com/cleave-project/cleave/core/control.linked=$(VERSION)
PLUGINS  := $(notdir $(wildcard plugins/*))
FUZZTIME ?= 5m

.PHONY: help build demo test check bench fuzz proto clean install

help: ## what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | sort

build: ## bin/cleaved, bin/cleave and bin/plugins/cleave-plugin-NAME
	@mkdir -p bin/plugins
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/cleaved ./cmd/daemon
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/cleave ./cmd/cleave
	@for p in $(PLUGINS); do \
	  echo "$(GO) build -o bin/plugins/cleave-plugin-$$p ./plugins/$$p"; \
	  CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w' -o bin/plugins/cleave-plugin-$$p ./plugins/$$p || exit 1; \
	done

demo: build ## a daemon on examples/corpus: scan, three questions, an edit, the next generation
	@bash examples/demo.sh

test: ## everything: race detector, goldens, properties, the real binaries
	$(GO) test -race -timeout 20m ./...

check: ## format, vet, staticcheck, import table, package docs
	@f=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$f" ]; then echo "gofmt would change: $$f"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool -modfile=tools/staticcheck.mod staticcheck ./...
	$(GO) test -count=1 ./core -run 'TestImport|TestPackageDocs|TestForbidden'

bench: build ## splitting and a cold scan in MB per CPU second, and where the time goes (CORPUS=folder, BENCHFLAGS='-json -edits 100')
	@$(GO) run ./tools/bench -corpus '$(CORPUS)' $(BENCHFLAGS)

fuzz: ## each fuzz target for FUZZTIME (default 5m)
	@bash tools/fuzz.sh '$(FUZZTIME)'

proto: ## regenerate sdk/internal/wire from sdk/proto (pure Go, no protoc)
	$(GO) run ./tools/protogen

clean: ## remove what build made
	rm -rf bin
