#!/bin/sh
# Build the wheel, install it in a new environment, and use it in an empty folder as its first user would.
set -eu
python=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m build --outdir "$work/dist" . >"$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
"$python" -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check "$work"/dist/*.whl
mkdir "$work/empty"
cd "$work/empty"
unset BAKEOFF_HOME PYTHONPATH || true
bakeoff="$work/venv/bin/bakeoff"
"$bakeoff" --version
"$bakeoff" systems verification >/dev/null
"$bakeoff" selftest sotu-verification
"$bakeoff" leaderboard --systems constant,random,ngram_cosine
test -s leaderboard/index.html
"$bakeoff" check runs/sotu-verification/constant-* sotu-verification
"$work/venv/bin/python" -c "from metrics import c_at_1; assert c_at_1([True, False], [1, 0]) == 1"
echo "the installed wheel works in an empty folder"
