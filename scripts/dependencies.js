// Says whether `npm ci` is needed: prints the first package of package-lock.json that is not installed, or nothing.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

/** The `packages` map of a lock file, or an empty one when it is missing or cannot be read. */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
  } catch {
    return {};
  }
}

/** First locked package that is missing or has another version in `node_modules`; optional ones depend on the platform and are passed over. */
function firstMissing(root) {
  const locked = packagesOf(join(root, 'package-lock.json'));
  const installed = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  return Object.keys(locked).find(
    (path) =>
      path.includes('node_modules/') &&
      !locked[path].optional &&
      (installed[path] === undefined || installed[path].version !== locked[path].version),
  );
}

module.exports = { firstMissing };
if (require.main === module) {
  const missing = firstMissing(process.argv[2] ?? '.');
  if (missing) console.log(missing.replace(/^.*node_modules\//, ''));
}
