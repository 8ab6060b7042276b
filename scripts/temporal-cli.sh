# shellcheck shell=bash
# Finds or gets the Temporal CLI: PATH, cache, official download, go install, in this order. Sourced by temporal-dev.sh.

cli_version=1.5.1
cli_minimum=1.5
# A CLI built without a version number (`go install` gives 0.0.0-DEV) is judged by the server inside it.
cli_server_minimum=1.29
cli_module="github.com/temporalio/cli/cmd/temporal@v$cli_version"
cli_download_base="${SLUICE_CLI_DOWNLOAD_BASE:-https://github.com/temporalio/cli/releases/download/v$cli_version}"
cli_cache="${XDG_CACHE_HOME:-$HOME/.cache}/sluice/temporal-$cli_version"
temporal_cli=""
# Each step sets this to what it found, for --which and for the error at the end.
finding=""

# at_least 1.10.2 1.5: compares major and minor.
at_least() {
  local major minor
  [[ $1 =~ ^([0-9]+)\.([0-9]+) ]] || return 1
  major=${BASH_REMATCH[1]} minor=${BASH_REMATCH[2]}
  [[ $2 =~ ^([0-9]+)\.([0-9]+) ]] || return 1
  [ "$major" -gt "${BASH_REMATCH[1]}" ] || { [ "$major" -eq "${BASH_REMATCH[1]}" ] && [ "$minor" -ge "${BASH_REMATCH[2]}" ]; }
}

first_line() { printf '%s\n' "$1" | head -n 1; }

# True when the file is a Temporal CLI that is new enough.
cli_is_usable() {
  local file=$1 printed version server pattern='temporal version ([^ ]+)( [(]Server ([^,)]+))?'
  printed=$("$file" --version 2>&1) || { finding="$file does not run: $(first_line "$printed")"; return 1; }
  [[ $printed =~ $pattern ]] ||
    { finding="$file --version prints no version of the Temporal CLI: $(first_line "$printed")"; return 1; }
  version=${BASH_REMATCH[1]} server=${BASH_REMATCH[3]:-unknown}
  finding="$file, version $version with server $server"
  case $version in
    0.0.0*) at_least "$server" "$cli_server_minimum" || { finding="$finding, needs server $cli_server_minimum or later"; return 1; } ;;
    *) at_least "$version" "$cli_minimum" || { finding="$finding, needs $cli_minimum or later"; return 1; } ;;
  esac
}

cli_from_path() {
  local file
  file=$(type -P temporal) || { finding="no temporal on PATH"; return 1; }
  cli_is_usable "$file" && temporal_cli=$file
}

cli_from_cache() {
  [ -e "$cli_cache/temporal" ] || { finding="$cli_cache/temporal is not there"; return 1; }
  cli_is_usable "$cli_cache/temporal" && temporal_cli="$cli_cache/temporal"
}

# Sets archive to the release file's name for this machine.
name_archive() {
  local system machine
  case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    *) finding="no release for $(uname -s), only for Linux and macOS"; return 1 ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) machine=amd64 ;;
    aarch64 | arm64) machine=arm64 ;;
    *) finding="no release for $(uname -m), only for amd64 and arm64"; return 1 ;;
  esac
  archive="temporal_cli_${cli_version}_${system}_${machine}.tar.gz"
}

can_download() {
  local tool
  name_archive || return 1
  for tool in curl tar; do
    type -P "$tool" >/dev/null || { finding="$tool is not installed"; return 1; }
  done
  finding="$cli_download_base/$archive"
}

# Gives up after 5 s without a connection, and after 20 s below 10 kB/s.
fetch() {
  run_child curl --fail --silent --show-error --location --connect-timeout 5 --speed-limit 10000 --speed-time 20 \
    --output "$2" "$1" 2>"$2.error" && return 0
  finding="$1: $(tail -n 1 "$2.error")"
  return 1
}

sha256_of() {
  node -e 'process.stdout.write(require("node:crypto").createHash("sha256").update(require("node:fs").readFileSync(process.argv[1])).digest("hex"))' "$1"
}

# Puts the checked file into the cache by rename, so that nobody sees half of one.
keep_in_cache() {
  chmod 755 "$1" && cli_is_usable "$1" && mv -f "$1" "$cli_cache/temporal" && temporal_cli="$cli_cache/temporal"
}

cli_from_download() {
  local folder expected actual
  can_download || return 1
  say "getting the Temporal CLI $cli_version from $cli_download_base"
  mkdir -p "$cli_cache" && make_scratch_folder "$cli_cache" || return 1
  folder=$scratch_folder
  fetch "$cli_download_base/checksums.txt" "$folder/checksums.txt" || return 1
  fetch "$cli_download_base/$archive" "$folder/$archive" || return 1
  expected=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' "$folder/checksums.txt")
  [ -n "$expected" ] || { finding="checksums.txt of the release has no line for $archive"; return 1; }
  actual=$(sha256_of "$folder/$archive")
  [ "$actual" = "$expected" ] ||
    { finding="$archive is refused: its SHA-256 is $actual, the release's checksums.txt says $expected"; return 1; }
  tar -xzf "$folder/$archive" -C "$folder" temporal || { finding="$archive holds no file named temporal"; return 1; }
  keep_in_cache "$folder/temporal"
}

can_build() {
  local printed
  type -P go >/dev/null || { finding="no go on PATH"; return 1; }
  printed=$(go version 2>&1) || { finding="go does not run: $(first_line "$printed")"; return 1; }
  finding="go install $cli_module with $printed"
}

# Without cgo no C compiler is needed; the version is set as the official build does it.
cli_from_go() {
  local folder
  can_build || return 1
  say "building the Temporal CLI $cli_version with go install: 3 to 4 minutes, once"
  mkdir -p "$cli_cache" && make_scratch_folder "$cli_cache" || return 1
  folder=$scratch_folder
  CGO_ENABLED=0 GOBIN=$folder run_child go install \
    -ldflags "-s -w -X github.com/temporalio/cli/temporalcli.Version=$cli_version" "$cli_module" >&2 ||
    { finding="go install $cli_module failed, its messages are above"; return 1; }
  keep_in_cache "$folder/temporal"
}

# Sets temporal_cli; ends the script with what to install when every step fails.
obtain_cli() {
  local step findings=""
  for step in path cache download go; do
    if "cli_from_$step"; then return 0; fi
    findings="$findings
  $step: $finding"
    case $step in download) say "download: $finding" ;; esac
  done
  fail "no Temporal CLI $cli_minimum or later could be found or obtained:$findings
Install one of these and run the command again:
  - the Temporal CLI $cli_minimum or later: \`brew install temporal\`, or see https://docs.temporal.io/cli
  - Go 1.25 or later, from https://go.dev/dl: the CLI is then built from source"
}

# Prints each step and what it would give, and changes nothing.
print_which() {
  local step check file="" chosen=""
  for step in path cache download go; do
    case $step in path | cache) check="cli_from_$step" ;; download) check=can_download ;; go) check=can_build ;; esac
    if "$check"; then
      if [ -z "$chosen" ]; then chosen=$step file=$temporal_cli; fi
      printf '%-9s %s\n' "$step" "$finding"
    else
      printf '%-9s no: %s\n' "$step" "$finding"
    fi
  done
  case $chosen in
    path | cache) printf 'used:     %s\n' "$file" ;;
    download) printf 'used:     the download, else go install; kept in %s\n' "$cli_cache" ;;
    go) printf 'used:     go install; kept in %s\n' "$cli_cache" ;;
    *) printf 'used:     nothing: install the Temporal CLI %s or later, or Go\n' "$cli_minimum" ;;
  esac
}
