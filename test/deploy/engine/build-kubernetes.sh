#!/bin/sh
# Builds what the tests of the chart run into a directory, from Go modules: build-kubernetes.sh DIR. Put DIR on the PATH
# for `npm run test:deploy`.
set -eu
to=$(realpath "$1")
export GOFLAGS='-mod=mod -buildvcs=false' GOBIN="$to"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

go install helm.sh/helm/v3/cmd/helm@v3.19.0
go install github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0
# Its own go.mod replaces a module, so it cannot be installed by its name: it is built as a dependency of an empty module.
cd "$work" && go mod init build > /dev/null 2>&1
go mod edit -replace github.com/vmware-labs/yaml-jsonpath=github.com/helm-unittest/yaml-jsonpath@v0.4.0
go get github.com/helm-unittest/helm-unittest/cmd/helm-unittest@v1.0.3 > /dev/null 2>&1
go build -o "$to/helm-unittest" github.com/helm-unittest/helm-unittest/cmd/helm-unittest
