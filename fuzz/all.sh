#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# All fuzz targets side by side until each has taken so many inputs, and a table of them. Needs nothing but bash: it lies
# beside ritz_fuzz in the bundle, too, for a machine with many cores.
#   all.sh [--inputs N] [--jobs J] [--minutes M] [--output FOLDER] [TARGET…]
# The targets take turns in slices: the one with the fewest inputs goes next, so that after --minutes all have had about
# the same. A slice begins with what the earlier ones have found. The inputs that break something are in FOLDER/found.
set -uo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
inputs=10000000 jobs=$(nproc) minutes=0 folder=$PWD/fuzz-all targets=()
program=${RITZ_FUZZ:-$here/ritz_fuzz}
kSlice=20       # seconds, about
kMostCrashes=5  # of one target, then it is left alone

while (($#)); do
  case $1 in
    --inputs) inputs=${2:?how many} && shift 2 ;;
    --jobs) jobs=${2:?how many} && shift 2 ;;
    --minutes) minutes=${2:?how many} && shift 2 ;;
    --output) folder=${2:?where} && shift 2 ;;
    -*) echo "usage: all.sh [--inputs N] [--jobs J] [--minutes M] [--output FOLDER] [TARGET…]" >&2 && exit 2 ;;
    *) targets+=("$1") && shift ;;
  esac
done
[[ -d $here/lib ]] && export LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0:quarantine_size_mb=16:malloc_context_size=2}
((${#targets[@]})) || mapfile -t targets < <("$program" --list)
((${#targets[@]})) || { echo "all.sh: $program does not run" >&2; exit 2; }

mkdir -p "$folder"/{corpus,found,state,log}
rm -f "$folder"/state/*
for target in "${targets[@]}"; do
  mkdir -p "$folder/corpus/$target" "$here/corpus/$target"
  echo "0 0 0 0 0" >"$folder/state/$target" # inputs, begun inputs, milliseconds, crashes, edges
done
start=$SECONDS
deadline=$((minutes > 0 ? SECONDS + minutes * 60 : 2147483647))

now_ms() { local t=${EPOCHREALTIME/[.,]/}; echo $((t / 1000)); }

# The state is changed by one job at a time.
locked() { # COMMAND…
  (flock 9 && "$@") 9>"$folder/state/.lock"
}

# Of those that want more, the one with the fewest inputs, counting what is being done: "TARGET RUNS", or nothing.
next_slice() {
  local target done begun ms crashes edges best='' fewest=$inputs rate
  for target in "${targets[@]}"; do
    read -r done begun ms crashes edges <"$folder/state/$target"
    if ((begun < fewest && crashes < kMostCrashes)); then fewest=$begun best=$target; fi
  done
  [[ $best ]] || return 0
  read -r done begun ms crashes edges <"$folder/state/$best"
  rate=$((done > 0 && ms > 0 ? done * 1000 / ms + 1 : 250))
  local runs=$((rate * kSlice))
  ((runs > inputs - begun)) && runs=$((inputs - begun))
  echo "$done $((begun + runs)) $ms $crashes $edges" >"$folder/state/$best"
  echo "$best $runs"
}

count_slice() { # TARGET PLANNED DONE MILLISECONDS CRASHES EDGES
  local done begun ms crashes edges
  read -r done begun ms crashes edges <"$folder/state/$1"
  echo "$((done + $3)) $((begun - $2 + $3)) $((ms + $4)) $((crashes + $5)) $(($6 > edges ? $6 : edges))" >"$folder/state/$1"
}

slice() { # TARGET RUNS
  local target=$1 log dictionary="$here/dictionaries/${1%%-*}.dict" options=() from status left executed begun edges kept
  log=$(mktemp "$folder/log/$target.XXXXXX")
  [[ -f $dictionary ]] && options+=("-dict=$dictionary")
  left=$((deadline - SECONDS))
  ((left > 3 * kSlice)) && left=$((3 * kSlice))
  ((left < 1)) && left=1
  kept=("$folder/corpus/$target"/*)
  from=$(now_ms)
  "$program" "--target=$target" "-runs=$(($2 + ${#kept[@]}))" "-max_total_time=$left" -print_final_stats=1 -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=600 \
    -max_len=65536 -reload=0 -entropic=0 "-artifact_prefix=$folder/found/$target-" "${options[@]}" "$folder/corpus/$target" "$here/corpus/$target" \
    >"$log" 2>&1
  status=$?
  executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
  begun=$(sed -n 's/^#\([0-9]*\).*INITED.*/\1/p' "$log" | tail -n 1) # those of the corpus were counted before
  edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
  locked count_slice "$target" "$2" $((${executed:-0} - ${begun:-0})) $(($(now_ms) - from)) $((status != 0)) "${edges:-0}"
  if ((status == 0)); then rm -f "$log"; fi
}

job() {
  local target runs
  while ((SECONDS < deadline)); do
    read -r target runs < <(locked next_slice) || break
    slice "$target" "$runs"
  done
}

for ((k = 0; k < jobs; ++k)); do job & done
wait

total=0 broken=0
printf '%-20s %12s %10s %10s %8s %8s\n' target inputs seconds 'inputs/s' edges crashes
for target in "${targets[@]}"; do
  read -r done _ ms crashes edges <"$folder/state/$target"
  printf '%-20s %12d %10d %10d %8d %8d\n' "$target" "$done" $((ms / 1000)) $((ms > 0 ? done * 1000 / ms : 0)) "$edges" "$crashes"
  total=$((total + done)) broken=$((broken + crashes))
done
printf '%d inputs in %d s by %d jobs; %d crashes\n' "$total" $((SECONDS - start)) "$jobs" "$broken"
if ((broken)); then
  echo "inputs that broke something: $folder/found; what was said of them: $folder/log"
  exit 1
fi
