# shellcheck shell=bash
# Starts children in process groups of their own and ends them, whatever ends the script. Sourced by temporal-dev.sh.

children=""
scratch_folders=""
child_pid=""
# Longer than the grace period in which a worker finishes calls that were sent.
stop_seconds=45

say() { printf 'sluice: %s\n' "$*" >&2; }

fail() {
  say "$@"
  exit 1
}

# Starts "$@" in the background and sets child_pid. With a group of its own a child hears of Ctrl-C only from us, once.
start_child() {
  set -m
  "$@" </dev/null &
  child_pid=$!
  set +m
  children="$child_pid $children"
}

# Waits for a child and returns its exit status; a signal to the script interrupts this at once, unlike a foreground command.
await_child() {
  local status=0
  wait "$1" || status=$?
  return "$status"
}

# Runs "$@" to its end as a child that a signal to the script ends too.
run_child() {
  local pid status=0
  start_child "$@"
  pid=$child_pid
  await_child "$pid" || status=$?
  stop_child "$pid"
  return "$status"
}

# Asks the child to stop, waits, then ends what is left of its group.
stop_child() {
  local pid=$1 tenths=0 kept="" other
  kill -TERM "$pid" 2>/dev/null || true
  while kill -0 "$pid" 2>/dev/null && [ "$tenths" -lt $((stop_seconds * 10)) ]; do
    sleep 0.1
    tenths=$((tenths + 1))
  done
  kill -KILL -- "-$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  # Orphans of the group are collected by the system a moment later.
  tenths=0
  while kill -0 -- "-$pid" 2>/dev/null && [ "$tenths" -lt 10 ]; do
    sleep 0.1
    tenths=$((tenths + 1))
  done
  for other in $children; do [ "$other" = "$pid" ] || kept="$kept$other "; done
  children=$kept
}

# Makes a folder that is removed when the script ends and sets scratch_folder.
make_scratch_folder() {
  scratch_folder=$(mktemp -d "$1/sluice.XXXXXX")
  # One a line, since a folder's name may hold spaces.
  scratch_folders="$scratch_folder
$scratch_folders"
}

# Newest child first: whatever uses the server ends before the server does.
stop_everything() {
  local pid folder
  trap '' INT TERM HUP
  for pid in $children; do stop_child "$pid"; done
  while IFS= read -r folder; do
    if [ -n "$folder" ]; then rm -rf "$folder"; fi
  done <<<"$scratch_folders"
}

trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
trap stop_everything EXIT
