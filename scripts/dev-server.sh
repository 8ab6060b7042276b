# shellcheck shell=bash
# Starts the Temporal dev server on loopback with the project's settings. Sourced by temporal-dev.sh.

namespace=default
# 30 days: receipts of bought answers live as long as the namespace keeps closed workflows.
retention=720h
ready_seconds=30

# Prints who listens on a port, as far as this machine tells.
port_owner() {
  local pid=""
  if type -P lsof >/dev/null; then pid=$(lsof -nP -t -iTCP:"$1" -sTCP:LISTEN 2>/dev/null | head -n 1) || true; fi
  if [ -n "$pid" ]; then
    printf 'process %s (%s)' "$pid" "$(ps -p "$pid" -o comm= 2>/dev/null || true)"
  else
    printf 'a process that this machine does not name; ask with: lsof -nP -iTCP:%s -sTCP:LISTEN' "$1"
  fi
}

# Ends the script when one of the ports is taken.
require_free_ports() {
  local taken
  taken=$(node "$root/scripts/ports.js" busy "$@" | head -n 1)
  if [ -n "$taken" ]; then
    fail "port $taken on 127.0.0.1 is taken by $(port_owner "$taken").
Stop it, or choose another port: --port N or SLUICE_PORT=N (the UI uses N + 1000)."
  fi
}

# Runs an operator command against the server on this port, without the caller's own Temporal settings.
operator() {
  local port=$1
  shift
  "$temporal_cli" operator "$@" --address "127.0.0.1:$port" --command-timeout 5s --disable-config-env --disable-config-file
}

server_answers() { operator "$1" cluster health >/dev/null 2>&1; }

# Refuses a database that a running server has open: two servers would ruin it. The pid file names the last server.
require_free_database() {
  local pid
  pid=$(cat "$1.pid" 2>/dev/null) || return 0
  case $(ps -p "$pid" -o args= 2>/dev/null) in
    *start-dev*"$1"*) fail "process $pid already runs a dev server on $1: use that one, or stop it with: kill $pid" ;;
  esac
}

# Says what to do about a database that the server cannot use; nothing when that is not what the log says.
database_advice() {
  local database=$1 folder
  folder=$(dirname "$1")
  if grep -q -E 'file is not a database|disk image is malformed' "$server_log"; then
    printf '\nThe database %s is damaged, and its maps are lost with it. Put it away and start again:\n  mkdir "%s/damaged" && mv "%s"* "%s/damaged/"' \
      "$database" "$folder" "$database" "$folder"
  elif grep -q -E 'database is locked' "$server_log"; then
    printf '\nAnother process has the database %s open, such as a database browser. Close it; to find it: lsof "%s"' \
      "$database" "$database"
  elif grep -q -E 'readonly database|unable to open database file|permission denied' "$server_log"; then
    printf '\nThe database %s cannot be written; to see why: ls -la "%s"' "$database" "$folder"
  fi
}

server_failed() {
  tail -n 30 "$server_log" >&2
  fail "the dev server $1; its last messages are above.$(database_advice "$server_database")"
}

# start_dev_server PORT DATABASE FLAG...: starts the child, sets server_pid and server_log (in the database's folder), returns when
# the server answers.
start_dev_server() {
  local port=$1 database=$2 file setting tenths=0
  shift 2
  set -- --db-filename "$database" --port "$port" --ip 127.0.0.1 --sqlite-pragma journal_mode=WAL --log-level warn "$@"
  for file in $settings_files; do
    while IFS= read -r setting; do
      case $setting in '' | '#'*) ;; *) set -- "$@" --dynamic-config-value "$setting" ;; esac
    done <"$root/scripts/$file"
  done
  require_free_database "$database"
  server_database=$database
  server_log="$(dirname "$database")/dev-server.log"
  # Fewer garbage collections: about a third more rows a second for some more memory.
  GOGC=400 start_child "$temporal_cli" server start-dev "$@" >"$server_log" 2>&1
  server_pid=$child_pid
  printf '%s\n' "$server_pid" >"$database.pid"
  until server_answers "$port"; do
    kill -0 "$server_pid" 2>/dev/null || server_failed "ended before it answered on 127.0.0.1:$port"
    [ "$tenths" -lt $((ready_seconds * 10)) ] ||
      server_failed "did not answer on 127.0.0.1:$port within $ready_seconds s"
    sleep 0.1
    tenths=$((tenths + 1))
  done
  operator "$port" namespace update --namespace "$namespace" --retention "$retention" >/dev/null
}
