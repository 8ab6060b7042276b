#!/usr/bin/env bash
# One command for a developer's machine and for CI: dev server, demo, tests, worker, command line. Bash 3.2 is enough.
set -euo pipefail

# A CI job may run without HOME; npm, Go and the cache need one.
export HOME="${HOME:-$(cd ~ && pwd)}"
root="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
settings_files="dynamic-config.args"
port="${SLUICE_PORT:-7233}"
# Not empty when the port stands on the command line.
port_given=""

# shellcheck source=scripts/children.sh
. "$root/scripts/children.sh"
# shellcheck source=scripts/temporal-cli.sh
. "$root/scripts/temporal-cli.sh"
# shellcheck source=scripts/dev-server.sh
. "$root/scripts/dev-server.sh"
# shellcheck source=scripts/test-run.sh
. "$root/scripts/test-run.sh"

print_help() {
  cat <<'HELP'
Usage: ./temporal-dev.sh [verb] [options]

  (no verb)         dev server in the foreground, database .sluice/temporal.db
  demo              installs, starts what is missing, runs the demo, ends what it started
  test [jest args]  all checks and tests against a dev server of their own; with jest args only those tests
  worker [args]     a worker in the foreground
  sluice [args]     the command line, for example: ./temporal-dev.sh sluice watch companies
  --cli-path        prints the path of the Temporal CLI, after getting it when it is missing
  --which           prints where the Temporal CLI comes from, or would come from, and changes nothing
  --help            this text

Options:
  --port N          gRPC port of the dev server, default 7233 or SLUICE_PORT; the UI uses N + 1000. With demo, worker and
                    sluice it stands before the verb: ./temporal-dev.sh --port 7300 worker
  --test            dev server only: adds the settings that the tests use

Environment:
  SLUICE_PORT                default of --port
  SLUICE_CLI_DOWNLOAD_BASE   folder of the CLI release files, for a mirror
  SLUICE_PROVIDERS           worker: folder of *.provider.yaml files, default providers
  SLUICE_DATA_ROOT           worker: folder that relative paths of specs start from, default the working folder
  SLUICE_RUN_STORE           worker: folder or postgres:// URL of the run store, default .sluice/runs in the data root
  SLUICE_PRIVATE_HOSTS       worker: hosts at private addresses that datasets may come from
  SLUICE_HEARTBEAT_TIMEOUT   worker: one that is silent for this long is lost, default 30s
  SLUICE_LEASE_TTL           worker: without the server nothing is sent after this long, default 10s
  SLUICE_PARKED_AFTER        worker: a row that is open for this long counts as parked, default 30s
  SLUICE_JOIN_AGAIN          worker: a row asks its shared call again after hearing nothing for this long, default 5m
  SLUICE_PAGE_ROWS           worker: most rows of a page, for tests, default 250
  SLUICE_SECTION_PAGES       worker: most pages of a section, for tests, default 200
  SLUICE_CACHED_WORKFLOWS    worker: workflows kept in memory, default 600
  SLUICE_LOG_LEVEL           worker: TRACE, DEBUG, INFO, WARN or ERROR, default INFO
  SLUICE_METRICS             worker: host:port for metrics in the Prometheus format, default none
  SLUICE_CRASH_AT            worker: for crash tests only
  XDG_CACHE_HOME             where the Temporal CLI is kept, default ~/.cache

Exit status: that of the demo, of the tests or of the command; 1 when something is missing; 2 for a wrong argument;
129, 130 or 143 after a hang-up, Ctrl-C or a request to stop.
HELP
}

wrong_argument() {
  say "$@" "See ./temporal-dev.sh --help."
  exit 2
}

require_node() {
  type -P node >/dev/null || fail "Node is not installed: needs 20.19 or later, from https://nodejs.org"
  node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' ||
    fail "Node $(node --version) is too old: needs 20.19 or later"
}

install_dependencies() {
  local missing
  missing=$(node "$root/scripts/dependencies.js" "$root")
  if [ -z "$missing" ]; then return 0; fi
  say "installing dependencies ($missing is missing or has another version)"
  type -P npm >/dev/null || fail "npm is not installed: it comes with Node, from https://nodejs.org"
  run_child npm ci --no-audit --no-fund --prefix "$root" >&2 || fail "npm ci failed, its messages are above.
It needs the npm registry, $(npm config get registry 2>/dev/null). Without a way to it: set HTTPS_PROXY for a proxy, or npm_config_registry for a
mirror, or copy node_modules from a machine that has it. Then run the command again."
}

# Reads --port before the verb; sets port, port_given and rest, the arguments from the verb on.
read_leading_port() {
  while [ $# -gt 0 ]; do
    case $1 in
      --port) port=${2:-} port_given=yes && shift $(($# > 1 ? 2 : 1)) ;;
      --port=*) port=${1#--port=} port_given=yes && shift ;;
      *) break ;;
    esac
  done
  rest=("$@")
}

# Reads --port and --test; sets port and settings_files.
read_server_options() {
  while [ $# -gt 0 ]; do
    case $1 in
      --port) port=${2:-} && shift $(($# > 1 ? 2 : 1)) ;;
      --port=*) port=${1#--port=} && shift ;;
      --test) settings_files="dynamic-config.args dynamic-config.test.args" && shift ;;
      *) wrong_argument "unknown argument $1." ;;
    esac
  done
  require_port
}

require_port() {
  case $port in
    '' | *[!0-9]* | ??????*) wrong_argument "port '$port' is not a number from 1 to 64535." ;;
  esac
  if [ "$port" -lt 1 ] || [ "$port" -gt 64535 ]; then wrong_argument "port $port is not a number from 1 to 64535."; fi
}

# Starts a server on the developer's own database.
start_own_server() {
  require_free_ports "$port" $((port + 1000))
  mkdir -p "$root/.sluice"
  start_dev_server "$port" "$root/.sluice/temporal.db" --ui-port $((port + 1000))
}

serve() {
  read_server_options "$@"
  require_node
  obtain_cli
  start_own_server
  printf 'server    127.0.0.1:%s, namespace %s, history kept for %s\nUI        http://127.0.0.1:%s\n' \
    "$port" "$namespace" "$retention" $((port + 1000))
  printf 'database  %s\nlog       %s\n' "$root/.sluice/temporal.db" "$server_log"
  if [ "$port" != 7233 ]; then
    printf 'in other terminals: export SLUICE_PORT=%s\n' "$port"
  fi
  printf 'Ctrl-C stops it.\n'
  await_child "$server_pid" || server_failed "ended by itself"
}

# The demo and what it starts use the local server, whatever Temporal settings the caller has.
use_local_server() {
  unset TEMPORAL_API_KEY TEMPORAL_PROFILE TEMPORAL_TLS "${!TEMPORAL_TLS_@}" "${!TEMPORAL_GRPC_META_@}"
  export TEMPORAL_ADDRESS="127.0.0.1:$1" TEMPORAL_NAMESPACE=$namespace TEMPORAL_CONFIG_FILE="$root/scripts/local-profile.toml"
}

demo() {
  read_server_options "$@"
  require_node
  install_dependencies
  obtain_cli
  if server_answers "$port"; then
    say "using the server that answers on 127.0.0.1:$port"
  else
    start_own_server
  fi
  use_local_server "$port"
  cd "$root"
  run_child node --import tsx examples/demo.ts
}

# Runs in the caller's folder, so that relative paths mean what the caller sees.
run_sources() {
  require_port
  require_node
  install_dependencies
  # A port on the command line is meant for this command; one in the environment gives way to an address there.
  if [ -n "$port_given" ]; then
    export TEMPORAL_ADDRESS="127.0.0.1:$port"
  elif [ -n "${SLUICE_PORT:-}" ]; then
    export TEMPORAL_ADDRESS="${TEMPORAL_ADDRESS:-127.0.0.1:$port}"
  fi
  exec node "$@"
}

rest=()
read_leading_port "$@"
set -- ${rest[@]+"${rest[@]}"}

case ${1:-} in
  '' | --test) serve "$@" ;;
  demo) shift && demo "$@" ;;
  test) shift && run_tests "$@" ;;
  worker) shift && run_sources --max-semi-space-size=4 "$root/worker/sluice-worker.js" "$@" ;;
  sluice) shift && run_sources "$root/client/sluice.js" "$@" ;;
  --cli-path) require_node; obtain_cli; printf '%s\n' "$temporal_cli" ;;
  --which) print_which ;;
  --help | -h | help) print_help ;;
  *) wrong_argument "unknown verb $1." ;;
esac
