// Entry of a process that evaluates expressions, and of the thread inside it: loads TypeScript sources through tsx.
require('tsx/cjs');
require('./evaluator.ts');
