#!/usr/bin/env bash
# usage: tools/fuzz.sh [DURATION]
# Runs every fuzz target of the repository for DURATION (default 5m), one after the other, with one worker and at the
# lowest priority, so that it can run beside other work. Prints a line for each; exits with status 1 if one fails, after
# all have run. What a failing target says, with the input that Go kept under testdata/fuzz, goes to stderr. "base" says
# that the time was only enough for the inputs that are known already.
set -u
cd "$(dirname "$0")/.." || exit 1
time=${1:-5m}
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

failed=0 targets=0
while read -r file name; do
  dir=./$(dirname "$file")
  targets=$((targets + 1))
  result=ok
  nice -n 19 "${GO:-go}" test "$dir" -run '^$' -fuzz "^$name\$" -fuzztime "$time" -parallel 1 >"$log" 2>&1 || result=FAIL
  # The last "execs: N" is the total; a target that failed to build has none.
  execs=$(grep -o 'execs: [0-9]*' "$log" | tail -n 1 | cut -d ' ' -f 2)
  if [ "$result" = ok ] && [ -z "$execs" ]; then
    result=FAIL # it ran nothing
    if grep -q 'gathering baseline coverage' "$log"; then result=base; fi
  fi
  printf '%-4s  %-24s  %-16s  %12s execs\n' "$result" "$dir" "$name" "${execs:-0}"
  if [ "$result" = FAIL ]; then
    failed=$((failed + 1))
    cat "$log" >&2
  fi
done < <(git ls-files --cached --others --exclude-standard '*_test.go' |
  xargs -r grep -HoE '^func Fuzz[A-Za-z0-9_]*\(' | sed -E 's/^(.*):func (Fuzz[A-Za-z0-9_]*)\($/\1 \2/' | sort)

if [ "$targets" -eq 0 ]; then
  echo "no fuzz targets found" >&2
  exit 1
fi
echo "$((targets - failed)) of $targets targets found nothing in $time each"
[ "$failed" -eq 0 ]
