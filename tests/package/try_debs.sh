#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs Debian packages in a clean Debian 12 that has nothing else, and uses them as a stranger would: the program, its manual, a
# C++ program against the library, the Python module. Needs root, mmdebstrap and a mirror; leaves nothing.
# usage: try_debs.sh FILE.deb…
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$@" "$here/consumer.cpp" "$here/CMakeLists.txt" "$scratch"
cat >"$scratch/try.sh" <<'TRY'
set -eux
cd /try
export DEBIAN_FRONTEND=noninteractive HOME=/try
apt-get install --quiet --yes --no-install-recommends ./ritz_*.deb ./libritz0.1_*.deb >/dev/null
ritz --version
ritz generate sectors --samples 90 --output x.csv --quiet
ritz reduce x.csv --labels x.class.labels --dim 2 --kernel linear --report x.html --save-model x.ritz --manifest x.json
ritz check x.ritz x.csv
ritz replay x.json
test -s x.html
test -s /usr/share/man/man1/ritz-reduce.1.gz
test -s /usr/share/bash-completion/completions/ritz
apt-get install --quiet --yes --no-install-recommends ./python3-ritz_*.deb >/dev/null
python3 -c "
import ritz, numpy
X = numpy.random.default_rng(0).normal(size=(60, 3)); y = X[:, 0] > 0
est = ritz.ISM(dim=1, kernel='linear').fit(X, y)
est.report('python.html', X, y)
assert est.converged_ and abs(est.components_[0, 0]) > 0.5"
test -s python.html
if ls ritz-mpi_*.deb 2>/dev/null; then
  apt-get install --quiet --yes --no-install-recommends ./ritz-mpi_*.deb openmpi-bin >/dev/null
  mpirun --allow-run-as-root --oversubscribe -np 2 ritz reduce x.csv --labels x.class.labels --dim 2 --kernel 'gaussian(sigma=1)' \
    --save-model ranks.ritz --quiet
  ritz reduce x.csv --labels x.class.labels --dim 2 --kernel 'gaussian(sigma=1)' --save-model plain.ritz --quiet
  cmp ranks.ritz plain.ritz
fi
if ls ritz-cuda_*.deb 2>/dev/null; then # there is no card here: it says so, and the CPU does the work
  apt-get install --quiet --yes --no-install-recommends ./ritz-cuda_*.deb >/dev/null
  ritz list backends | grep '^cuda .*there is no NVIDIA driver'
fi
apt-get install --quiet --yes --no-install-recommends ./libritz-dev_*.deb g++ pkg-config >/dev/null
g++ -std=c++20 consumer.cpp -o consumer $(pkg-config --cflags --libs ritz)
./consumer
# It exports its own names alone.
if nm -D --defined-only --demangle /usr/lib/x86_64-linux-gnu/libritz.so.0.1 | cut -d' ' -f3- | grep -Ev '^(typeinfo |typeinfo name |vtable )?(for )?ritz::|^(non-virtual thunk|guard variable|construction vtable|virtual thunk).*ritz::|^[^(<]* ritz::' | head -3 | grep .; then exit 1; fi
apt-get purge --quiet --yes 'ritz' 'libritz*' python3-ritz 'ritz-*' >/dev/null
test ! -e /usr/bin/ritz
TRY
mmdebstrap --quiet --variant=minbase --mode=root --include=ca-certificates \
  --customize-hook='mkdir "$1/try"' --customize-hook="cp $scratch/* \"\$1/try/\"" \
  --customize-hook='chroot "$1" sh /try/try.sh' bookworm /dev/null
echo "the packages were installed, used and removed in a clean Debian 12"
