#!/usr/bin/env node
// Executable of the worker: loads TypeScript sources through tsx. In here and not by `--import`, which would start a thread of its own,
// and would load tsx once more in each thread that runs workflows.
// Start it with `--max-semi-space-size=4`, as npm run worker does: 25 MB less while a large dataset is admitted, and no slower.
require('tsx/cjs');
require('./main.ts');
