// Tests run against real servers; the dev server is brought up once by test/helpers/global-setup.ts.
module.exports = {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  globalSetup: '<rootDir>/test/helpers/global-setup.ts',
  globalTeardown: '<rootDir>/test/helpers/global-teardown.ts',
  reporters: ['default', '<rootDir>/test/helpers/totals-reporter.js'],
  modulePathIgnorePatterns: ['<rootDir>/.sluice', '<rootDir>/out'],
  // Tests wait for timers more than they compute: two files at a time on two cores.
  maxWorkers: 2,
  // A bound for what hangs, not a measure: a busy machine may be three times as slow.
  testTimeout: 120_000,
};
