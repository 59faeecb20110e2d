#!/bin/sh
# Builds what the tests of the chart run into a directory, from Go modules: build-kubernetes.sh DIR. An API server takes half an hour
# on two cores; put DIR on the PATH for `npm run test:deploy`.
set -eu
to=$(realpath "$1")
kubernetes=1.34.3
export GOFLAGS='-mod=mod -buildvcs=false' GOBIN="$to"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A module whose own go.mod replaces others cannot be installed by its name: it is built as a dependency of an empty module.
build() { # DIR MODULE@VERSION NAME=PACKAGE...
  mkdir -p "$work/$1" && cd "$work/$1"
  [ -e go.mod ] || go mod init build > /dev/null 2>&1
  go get "$2" > /dev/null 2>&1
  shift 2
  for program in "$@"; do go build -o "$to/${program%%=*}" "${program#*=}"; done
}

go install helm.sh/helm/v3/cmd/helm@v3.19.0
go install github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0
mkdir "$work/unittest" && cd "$work/unittest" && go mod init build > /dev/null 2>&1
go mod edit -replace github.com/vmware-labs/yaml-jsonpath=github.com/helm-unittest/yaml-jsonpath@v0.4.0
build unittest github.com/helm-unittest/helm-unittest/cmd/helm-unittest@v1.0.3 \
  helm-unittest=github.com/helm-unittest/helm-unittest/cmd/helm-unittest
build etcd go.etcd.io/etcd/server/v3@v3.6.13 etcd=go.etcd.io/etcd/server/v3

# Kubernetes takes its own parts from folders, which are modules of the same version.
mkdir "$work/kubernetes" && cd "$work/kubernetes"
source=$(go mod download -json "k8s.io/kubernetes@v$kubernetes" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
{
  printf 'module build\n\ngo 1.24.0\n\ngodebug default=go1.24\n\nrequire k8s.io/kubernetes v%s\n' "$kubernetes"
  sed -n "s|^\t\(k8s.io/[^ ]*\) => ./staging.*|replace \1 => \1 v0.${kubernetes#*.}|p" "$source/go.mod"
} > go.mod
version=k8s.io/component-base/version # without it, Helm takes the server for an older one
for program in kube-apiserver kubectl; do
  go build -ldflags "-X $version.gitVersion=v$kubernetes -X $version.gitMajor=1 -X $version.gitMinor=34" \
    -o "$to/$program" "k8s.io/kubernetes/cmd/$program"
done
