// Ends a jest run in the line "N passed, N failed"; with SLUICE_TOTALS_FILE the two numbers go there and temporal-dev.sh prints the line.
const { writeFileSync } = require('node:fs');

class TotalsReporter {
  onRunComplete(_contexts, results) {
    // A file that cannot be loaded has no tests to count, so it counts as one that failed.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const file = process.env.SLUICE_TOTALS_FILE;
    if (file) writeFileSync(file, `${results.numPassedTests} ${failed}\n`);
    // On exit, since jest's own summary is written after the reporters have run.
    else process.once('exit', () => process.stdout.write(`${results.numPassedTests} passed, ${failed} failed\n`));
  }
}

module.exports = TotalsReporter;
