#!/usr/bin/env node
// Executable of the command line: loads TypeScript sources through tsx, so that a clone needs no build step.
require('tsx/cjs');
require('./cli.ts').runFromProcess();
