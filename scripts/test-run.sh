# shellcheck shell=bash
# Runs the checks and tests against a dev server of their own and ends in "N passed, N failed". Sourced by temporal-dev.sh.

totals_file=""

# Always the last line, whatever ended the run. A run that fails never says "0 failed": a step before the tests counts as one.
print_totals() {
  local status=$1 passed=0 failed=0
  if [ -s "$totals_file" ]; then read -r passed failed <"$totals_file"; fi
  if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi
  printf '%s passed, %s failed\n' "$passed" "$failed"
}

end_tests() {
  local status=$?
  # The totals lie in a scratch folder: keep them before it goes.
  local totals
  totals=$(print_totals "$status")
  stop_everything
  printf '%s\n' "$totals"
}

run_tests() {
  local folder test_port status=0
  trap end_tests EXIT
  require_node
  make_scratch_folder "${TMPDIR:-/tmp}"
  folder=$scratch_folder
  totals_file=$folder/totals
  install_dependencies
  obtain_cli
  settings_files="dynamic-config.args dynamic-config.test.args"
  test_port=$(node "$root/scripts/ports.js" free)
  start_dev_server "$test_port" "$folder/temporal.db" --headless
  export SLUICE_TEST_ADDRESS="127.0.0.1:$test_port" SLUICE_TOTALS_FILE=$totals_file
  cd "$root" || return 1
  if [ $# -eq 0 ]; then
    run_child npm run check || status=$?
  else
    run_child node node_modules/jest/bin/jest.js "$@" || status=$?
  fi
  if [ "$status" -ne 0 ] && [ ! -s "$totals_file" ]; then
    say "the run ended with status $status before any test was counted: a check before the tests failed, see above"
  fi
  exit "$status"
}
