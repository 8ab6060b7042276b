// Preloaded into a worker process (`node --require`): its wall clock is SLUICE_TEST_CLOCK_SHIFT_MS ahead of that of this machine, and
// jumps by SLUICE_TEST_CLOCK_STEP_MS at each SIGUSR2; timers do neither.
let shiftMs = Number(process.env.SLUICE_TEST_CLOCK_SHIFT_MS ?? 0);
const stepMs = Number(process.env.SLUICE_TEST_CLOCK_STEP_MS ?? 0);
const RealDate = Date;

class ShiftedDate extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shiftMs);
    else super(...given);
  }
  static now() {
    return RealDate.now() + shiftMs;
  }
}

globalThis.Date = ShiftedDate;

if (stepMs !== 0) {
  process.on('SIGUSR2', () => {
    shiftMs += stepMs;
    process.stderr.write('the clock was stepped\n');
  });
}
