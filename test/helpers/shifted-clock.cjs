// Preloaded into a worker process (`node --require`): its wall clock is SLUICE_TEST_CLOCK_SHIFT_MS ahead of that of this machine; timers are not.
const shiftMs = Number(process.env.SLUICE_TEST_CLOCK_SHIFT_MS ?? 0);
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
