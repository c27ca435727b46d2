#!/usr/bin/env bash
# What cleave does, in one minute: a daemon on a copy of examples/corpus, with a temporary state; a scan, three
# questions, an edit, and what changed. Nothing is left behind.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$PWD/bin
work=$(mktemp -d)
daemon=
finish() {
  [ -z "$daemon" ] || { kill "$daemon" 2>/dev/null && wait "$daemon" 2>/dev/null; } || true
  rm -rf "$work"
}
trap finish EXIT

say() { printf '\n\033[1m# %s\033[0m\n' "$*"; }
run() { printf '\033[2m$ cleave %s\033[0m\n' "$*"; "$bin/cleave" "$@"; }
[ -t 1 ] && [ -z "${NO_COLOR:-}" ] || { say() { printf '\n# %s\n' "$*"; }; run() { printf '$ cleave %s\n' "$*"; "$bin/cleave" "$@"; }; }

cp -r examples/corpus "$work/tree"
cat > "$work/config.toml" <<TOML
state_dir  = "$work/state"
socket     = "$work/cleave.sock"
plugin_dir = "$bin/plugins"

[[source]]
name = "handbook"
root = "$work/tree"
TOML
export CLEAVE_SOCKET=$work/cleave.sock

say "cleaved starts on $(find "$work/tree" -type f | wc -l) documents"
"$bin/cleaved" --config "$work/config.toml" 2> "$work/log" &
daemon=$!
for _ in $(seq 200); do
  "$bin/cleave" status >/dev/null 2>&1 && break
  kill -0 "$daemon" 2>/dev/null || { cat "$work/log"; exit 1; }
  sleep 0.05
done
run scan --wait
run status

say "three questions"
run query -k 1 --budget 250 at what wind speed does the dome close
run query -k 1 --budget 250 how often is the dewar of the spectrograph filled
run query -k 1 --budget 250 what does a ride outside the timetable cost after midnight

say "somebody edits a file: the dewar is now filled every 20 hours"
file=$work/tree/instruments/lanner-spectrograph.md
sed -i 's/filled every 24 hours, at 15:00/filled every 20 hours, at 14:00/' "$file"
grep -q 'filled every 20 hours' "$file"
run scan --wait
run generations handbook

say "the same question again, then as it was in generation 1"
run query -k 1 --budget 300 --expand none how often is the dewar of the spectrograph filled
run query -k 1 --budget 300 --expand none --source handbook --generation 1 how often is the dewar of the spectrograph filled

say "stop"
kill "$daemon"
wait "$daemon"
daemon=
echo "cleaved ended cleanly; the temporary state is removed"
