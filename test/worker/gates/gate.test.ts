// The gate of one account on a fake clock: closings, pacing, the ramp, permits. Long, since all its rules share one way to drive it.
import type { Closing, GateAnswer, Permit } from '../../../activities/gate-port';
import { FAR_MS } from '../../../activities/http/retry-at';
import { ProviderGate } from '../../../worker/gates/gate';
import type { ClosedEvent, GateSettings } from '../../../worker/gates/gate-types';
import { ManualClock, settle } from './manual-clock';

const HOUR_MS = 3_600_000;

function open(settings: Partial<GateSettings> = {}, random = () => 0, clock = new ManualClock()) {
  const declared = { provider: 'acme', account: 'default', rate: [], concurrency: 10, giveUpAfterMs: 24 * HOUR_MS };
  return { clock, gate: new ProviderGate({ ...declared, ...settings }, clock, random) };
}

const acquire = (gate: ProviderGate, maxWaitMs = 0, weight = 1, endpoint?: string) =>
  gate.acquire({ weight, maxWaitMs, signal: new AbortController().signal, ...(endpoint ? { endpoint } : {}) });

/** A permit whose call is on its way; fails the test when the gate gives none. */
async function send(gate: ProviderGate, maxWaitMs = 0, endpoint?: string): Promise<Permit> {
  const answer = await acquire(gate, maxWaitMs, 1, endpoint);
  if (answer.kind !== 'permit') throw new Error(`expected a permit, got ${JSON.stringify(answer)}`);
  expect(answer.permit.startSending()).toBeNull();
  answer.permit.leaving();
  return answer.permit;
}

const refusedFor = (clock: ManualClock, delayMs: number): Closing => ({
  retryAtMs: clock.wallMs() + delayMs,
  reason: 'throttled',
  status: 429,
});

/** What a pending answer says now, or null while it still waits. */
async function peek(answer: Promise<GateAnswer>): Promise<GateAnswer | null> {
  await settle();
  return Promise.race([answer, Promise.resolve(null)]);
}

describe('permits', () => {
  test('calls wait in order of arrival for the concurrency, and a release lets the first go', async () => {
    const { gate } = open({ concurrency: 1 });
    const running = await send(gate);
    const second = acquire(gate, 5_000);
    const third = acquire(gate, 5_000);
    expect(await peek(second)).toBeNull();
    running.release();
    expect(await peek(second)).toMatchObject({ kind: 'permit' });
    expect(await peek(third)).toBeNull();
  });

  test('a release counts once, however often it is called', async () => {
    const { gate } = open({ concurrency: 2 });
    const [first] = [await send(gate), await send(gate)];
    first.release();
    first.release();
    expect(gate.snapshot().inFlight).toBe(1);
  });

  test('who gets no permit in time is told to come back later, not at once', async () => {
    const { gate, clock } = open({ concurrency: 1 });
    await send(gate);
    const waiting = acquire(gate, 5_000);
    await clock.advance(5_000);
    expect(await peek(waiting)).toEqual({ kind: 'wait', reason: 'pacing', retryAtMs: clock.wallMs() + 1_000 });
    expect(clock.timersLeft).toBe(0);
  });

  test('who cannot be served within the wait is told at once, with the instant at which the window has room', async () => {
    const { gate, clock } = open({ rate: [{ limit: 1, perMs: 60_000 }] });
    const running = await send(gate);
    running.release();
    expect(await peek(acquire(gate, 5_000))).toEqual({
      kind: 'wait',
      reason: 'pacing',
      retryAtMs: clock.wallMs() + 60_600,
    });
  });

  test('a permit that is released without sending has used no window', async () => {
    const { gate } = open({ rate: [{ limit: 1, perMs: 60_000 }] });
    const answer = await acquire(gate);
    if (answer.kind === 'permit') answer.permit.release();
    expect(await peek(acquire(gate))).toMatchObject({ kind: 'permit' });
    expect(gate.snapshot()).toMatchObject({ sent: 0 });
  });

  test('calls that wait for their connections longer than a window lasts leave no room for others, and count from when they leave', async () => {
    const { gate, clock } = open({ rate: [{ limit: 2, perMs: 20_000 }] });
    const calls = [await acquire(gate), await acquire(gate)].flatMap((answer) =>
      answer.kind === 'permit' ? [answer.permit] : [],
    );
    for (const call of calls) expect(call.startSending()).toBeNull();
    await clock.advance(60_000);
    expect(await acquire(gate)).toMatchObject({ kind: 'wait', reason: 'pacing' });
    for (const call of calls) call.leaving();
    await clock.advance(19_000);
    expect(await acquire(gate)).toMatchObject({ kind: 'wait', reason: 'pacing' });
    await clock.advance(2_000);
    expect(await acquire(gate)).toMatchObject({ kind: 'permit' });
  });

  test('an abort answers at once, leaves no listener and no timer, and lets the next one move up', async () => {
    const { gate, clock } = open({ concurrency: 1 });
    const running = await send(gate);
    const abort = new AbortController();
    const removed = jest.spyOn(abort.signal, 'removeEventListener');
    const answered = gate.acquire({ maxWaitMs: 5_000, signal: abort.signal });
    running.release();
    expect(await peek(answered)).toMatchObject({ kind: 'permit' });
    expect(removed).toHaveBeenCalledWith('abort', expect.any(Function));
    const stopped = gate.acquire({ maxWaitMs: 5_000, signal: abort.signal });
    expect(clock.timersLeft).toBe(1);
    abort.abort();
    expect(await peek(stopped)).toEqual({ kind: 'stopped' });
    expect(clock.timersLeft).toBe(0);
    expect(await peek(gate.acquire({ maxWaitMs: 5_000, signal: abort.signal }))).toEqual({ kind: 'stopped' });
  });

  test('a weight that no window ever admits and a wait that is no number are refused', () => {
    const { gate } = open({ rate: [{ limit: 5, perMs: 1_000 }] });
    expect(() => acquire(gate, 0, 6)).toThrow('got 6 units, expected at most the 5');
    expect(() => acquire(gate, Number.NaN)).toThrow('maxWaitMs: got NaN');
    expect(() => open({ concurrency: -1 })).toThrow('concurrency: got -1');
  });

  test('600 calls at 20 a second with concurrency 10 and late timers take at most 5 % more than 30 s, and never exceed 20', async () => {
    let seed = 7;
    const noise = (upTo: number) => {
      seed = (seed * 16_807) % 2_147_483_647;
      return (seed / 2_147_483_647) * upTo;
    };
    const clock = new ManualClock(() => noise(4));
    const { gate } = open({ rate: [{ limit: 20, perMs: 1_000 }] }, () => 0, clock);
    const sentAtMs: number[] = [];
    const call = async () => {
      const answer = await acquire(gate, HOUR_MS);
      if (answer.kind !== 'permit') throw new Error('expected a permit');
      await clock.sleep(noise(8));
      expect(answer.permit.startSending()).toBeNull();
      answer.permit.leaving();
      sentAtMs.push(clock.monotonicMs());
      await clock.sleep(100 + noise(100));
      answer.permit.succeeded();
      answer.permit.release();
    };
    const all = Promise.all(Array.from({ length: 600 }, call));
    const startedMs = clock.monotonicMs();
    let tookMs = Number.NaN;
    void all.then(() => {
      tookMs = clock.monotonicMs() - startedMs;
    });
    await clock.advance(40_000);
    expect(tookMs).toBeLessThanOrEqual(31_500);
    for (let first = 0; first + 20 < 600; first++)
      expect(sentAtMs[first + 20]! - sentAtMs[first]!).toBeGreaterThan(1_000);
  });
});

describe('closings', () => {
  test('a throttle closes the gate until its instant and the jitter, and nobody is sent before', async () => {
    const { gate, clock } = open({}, () => 0.5);
    const refused = await send(gate);
    const untilMs = clock.wallMs() + 60_000 + 6_000;
    expect(refused.throttled(refusedFor(clock, 60_000))).toBe(untilMs);
    refused.release();
    expect(gate.closedUntilMs()).toBe(untilMs);
    expect(await peek(acquire(gate, 5_000))).toEqual({ kind: 'wait', reason: 'gate_closed', retryAtMs: untilMs });
    await clock.advance(65_999);
    expect(await peek(acquire(gate))).toMatchObject({ reason: 'gate_closed' });
    await clock.advance(1);
    expect(gate.closedUntilMs()).toBeNull();
    expect(await peek(acquire(gate))).toMatchObject({ kind: 'permit' });
  });

  test('a permit from before the closing sends nothing, then or after the reopening', async () => {
    const { gate, clock } = open();
    const refused = await send(gate);
    const answers = [await acquire(gate), await acquire(gate)];
    const [early, late] = answers.map((answer) => (answer.kind === 'permit' ? answer.permit : null));
    refused.throttled(refusedFor(clock, 8_000));
    expect(early?.startSending()).toEqual({ kind: 'wait', reason: 'gate_closed', retryAtMs: gate.closedUntilMs() });
    await clock.advance(8_000);
    expect(late?.startSending()).toMatchObject({ kind: 'wait', reason: 'gate_closed' });
    expect(gate.snapshot()).toMatchObject({ sent: 1, throttled: 1 });
  });

  test('calls that wait inside the activity go one by one after a short closing: a probe, then two', async () => {
    const { gate, clock } = open();
    const refused = await send(gate);
    refused.throttled(refusedFor(clock, 2_000));
    refused.release();
    const waiting = [1, 2, 3, 4].map(() => acquire(gate, 5_000));
    await clock.advance(2_000);
    const kinds = async () => (await Promise.all(waiting.map(peek))).map((answer) => answer?.kind ?? 'waits');
    expect(await kinds()).toEqual(['permit', 'waits', 'waits', 'waits']);
    const probe = await waiting[0]!;
    if (probe.kind === 'permit') {
      probe.permit.startSending();
      probe.permit.succeeded();
      probe.permit.release();
    }
    expect(await kinds()).toEqual(['permit', 'permit', 'permit', 'waits']);
  });

  test('a probe that fails otherwise lets another one go, one that is refused closes the gate again', async () => {
    const { gate, clock } = open();
    const refused = await send(gate);
    refused.throttled(refusedFor(clock, 2_000));
    refused.release();
    await clock.advance(2_000);
    const lost = await send(gate);
    expect(await peek(acquire(gate))).toMatchObject({ kind: 'wait', reason: 'pacing' });
    lost.release();
    const probe = await send(gate);
    expect(probe.throttleNumber()).toBe(2);
    probe.throttled(refusedFor(clock, 2_000));
    expect(gate.consecutiveThrottles()).toBe(2);
    expect(gate.closedUntilMs()).not.toBeNull();
  });

  test('ten calls that are refused together count as one throttle and close until the latest of their instants', async () => {
    const { gate, clock } = open();
    const calls = await Promise.all(Array.from({ length: 10 }, () => send(gate)));
    for (const [index, call] of calls.entries()) {
      expect(call.throttleNumber()).toBe(1);
      call.throttled(refusedFor(clock, index === 3 ? 20_000 : 5_000));
    }
    expect(gate.closedUntilMs()).toBe(clock.wallMs() + 20_000);
    expect(gate.consecutiveThrottles()).toBe(1);
  });

  test('a late success neither opens the gate nor resets the count, a success sent after the closing does reset it', async () => {
    const { gate, clock } = open();
    const [refused, late] = [await send(gate), await send(gate)];
    refused.throttled(refusedFor(clock, 5_000));
    refused.release();
    late.succeeded();
    late.release();
    expect(gate.snapshot()).toMatchObject({ throttlesInARow: 1, ramp: 1 });
    expect(gate.closedUntilMs()).not.toBeNull();
    await clock.advance(5_000);
    (await send(gate)).succeeded();
    expect(gate.snapshot()).toMatchObject({ throttlesInARow: 0, ramp: 2 });
  });

  test('a wall clock that steps moves what is told and not when the gate opens', async () => {
    const { gate, clock } = open();
    (await send(gate)).throttled(refusedFor(clock, 60_000));
    const toldMs = gate.closedUntilMs()!;
    clock.stepWall(HOUR_MS);
    expect(gate.closedUntilMs()).toBe(toldMs + HOUR_MS);
    await clock.advance(59_999);
    expect(gate.closedUntilMs()).not.toBeNull();
    await clock.advance(1);
    expect(gate.closedUntilMs()).toBeNull();
  });

  test('a closing of a day is waited for in timers of at most a minute', async () => {
    const { gate, clock } = open({ giveUpAfterMs: 1_000 * HOUR_MS });
    const refused = await send(gate);
    refused.throttled(refusedFor(clock, 24 * HOUR_MS));
    refused.release();
    const waiting = acquire(gate, 40 * HOUR_MS);
    await clock.advance(3 * HOUR_MS);
    expect(await peek(waiting)).toBeNull();
    expect(clock.longestTimerMs).toBe(60_000);
  });

  test('listeners hear of a closing and of its prolonging with a duration, and not of an instant that changes nothing', async () => {
    const { gate, clock } = open();
    const heard: ClosedEvent[] = [];
    const stop = gate.onClosed((event) => heard.push(event));
    const calls = [await send(gate), await send(gate), await send(gate)];
    for (const [index, delayMs] of [5_000, 1_000, 9_000].entries()) calls[index]!.throttled(refusedFor(clock, delayMs));
    expect(heard.map(({ remainingMs }) => remainingMs)).toEqual([5_000, 9_000]);
    expect(heard[1]).toMatchObject({ provider: 'acme', account: 'default', status: 429, throttlesInARow: 1 });
    stop();
    gate.close(refusedFor(clock, 60_000));
    expect(heard).toHaveLength(2);
    expect(gate.consecutiveThrottles()).toBe(1);
  });

  test('an instant that is no number is refused before any timer', async () => {
    const { gate } = open();
    const call = await send(gate);
    expect(() => call.throttled({ retryAtMs: Number.NaN, reason: 'throttled' })).toThrow('retryAtMs: got NaN');
    expect(gate.closedUntilMs()).toBeNull();
  });
});

describe('giving up', () => {
  test('a closing that reaches beyond the time to give up ends calls at once and unsent, one of a day with its jitter is waited for', async () => {
    const { gate, clock } = open({ giveUpAfterMs: 24 * HOUR_MS }, () => 0.99);
    const refused = await send(gate);
    refused.throttled(refusedFor(clock, 24 * HOUR_MS));
    expect(gate.slots()).toBe(0);
    refused.throttled(refusedFor(clock, 30 * HOUR_MS));
    refused.release();
    const retryAtMs = gate.closedUntilMs();
    expect(await acquire(gate)).toMatchObject({ kind: 'exhausted', code: 'PROVIDER_EXHAUSTED', retryAtMs });
    expect(gate.slots()).toBe(200);
    await clock.advance(31 * HOUR_MS);
    expect(await peek(acquire(gate))).toMatchObject({ kind: 'permit' });
  });

  test('a wait beyond every calendar ends calls like any other that is too long', async () => {
    const { gate } = open({}, () => 0.99);
    const refused = await send(gate);
    refused.throttled({ retryAtMs: FAR_MS, reason: 'throttled', status: 429 });
    refused.release();
    expect(await acquire(gate)).toMatchObject({ kind: 'exhausted', code: 'PROVIDER_EXHAUSTED' });
    expect(gate.slots()).toBe(200);
  });

  test('who gives up after 30 days waits for a closing of 30 hours', async () => {
    const { gate, clock } = open({ giveUpAfterMs: 30 * 24 * HOUR_MS });
    const refused = await send(gate);
    refused.throttled(refusedFor(clock, 30 * HOUR_MS));
    refused.release();
    expect(await acquire(gate)).toMatchObject({ kind: 'wait', reason: 'gate_closed', retryAtMs: gate.closedUntilMs() });
  });

  test('without a success for the given time waiting calls end, slots open, and a probe that succeeds ends it', async () => {
    const { gate, clock } = open({ giveUpAfterMs: 60_000 });
    const refused = await send(gate);
    refused.throttled(refusedFor(clock, 90_000));
    refused.release();
    const waiting = acquire(gate, HOUR_MS);
    await clock.advance(59_999);
    expect(await peek(waiting)).toBeNull();
    expect(gate.slots()).toBe(0);
    await clock.advance(1);
    const retryAtMs = gate.closedUntilMs();
    expect(await peek(waiting)).toMatchObject({ kind: 'exhausted', code: 'PROVIDER_EXHAUSTED', retryAtMs });
    expect(gate.slots()).toBe(200);
    await clock.advance(30_000);
    expect(gate.slots()).toBe(1);
    const probe = await send(gate);
    probe.throttled(refusedFor(clock, 90_000));
    probe.release();
    expect(await peek(acquire(gate, HOUR_MS))).toMatchObject({ kind: 'exhausted' });
    await clock.advance(90_000);
    const next = await send(gate);
    next.succeeded();
    expect(gate.snapshot().exhausted).toBeNull();
    next.throttled(refusedFor(clock, 90_000));
    expect(gate.snapshot().exhausted).toBeNull();
  });

  test('an account that needs a person sends nothing any more and keeps the first reason', async () => {
    const { gate } = open({ concurrency: 1 });
    const running = await send(gate);
    const waiting = acquire(gate, HOUR_MS);
    gate.needsPerson('acme/default: 402, no credits left');
    gate.needsPerson('acme/default: 401');
    const expected = { kind: 'exhausted', code: 'NEEDS_PERSON', message: 'acme/default: 402, no credits left' };
    expect(await peek(waiting)).toMatchObject(expected);
    running.succeeded();
    running.release();
    expect(await peek(acquire(gate))).toMatchObject(expected);
    expect(gate.slots()).toBe(200);
  });
});

describe('a closing of one endpoint', () => {
  const ofEndpoint = (clock: ManualClock, delayMs: number): Closing => ({
    ...refusedFor(clock, delayMs),
    scope: 'endpoint',
  });

  test('holds back its own calls unsent, and no others', async () => {
    const { gate, clock } = open();
    const under = await send(gate, 0, 'acme.search');
    const waiting = await acquire(gate, 0, 1, 'acme.search');
    (await send(gate, 0, 'acme.search')).throttled(ofEndpoint(clock, 60_000));
    const retryAtMs = clock.wallMs() + 60_000;
    expect(await acquire(gate, 0, 1, 'acme.search')).toEqual({ kind: 'wait', reason: 'gate_closed', retryAtMs });
    expect(waiting.kind === 'permit' && waiting.permit.startSending()).toMatchObject({ reason: 'gate_closed' });
    expect(gate.closedUntilMs()).toBeNull();
    expect(gate.snapshot()).toMatchObject({ throttlesInARow: 0, ramp: null });
    (await send(gate, 0, 'acme.company')).succeeded();
    under.succeeded();
    expect(await acquire(gate, 0, 1, 'acme.search')).toMatchObject({ kind: 'wait' });
  });

  test('reopens with one probe, whose success lets everybody in', async () => {
    const { gate, clock } = open();
    (await send(gate, 0, 'acme.search')).throttled(ofEndpoint(clock, 60_000));
    await clock.advance(60_000);
    const probe = await send(gate, 0, 'acme.search');
    expect(await acquire(gate, 0, 1, 'acme.search')).toMatchObject({ kind: 'wait', reason: 'gate_closed' });
    expect(probe.throttleNumber()).toBe(2);
    probe.succeeded();
    probe.release();
    for (let call = 0; call < 3; call += 1) await send(gate, 0, 'acme.search');
  });
});

test('a success that asks to wait rests the account: nothing is sent, no throttle is counted, and there is no probe', async () => {
  const { gate, clock } = open({ concurrency: 2 });
  const heard: ClosedEvent[] = [];
  gate.onClosed((event) => heard.push(event));
  const call = await send(gate);
  call.succeeded();
  call.restUntil({ retryAtMs: clock.wallMs() + 8_000, reason: 'throttled' });
  call.release();
  expect(heard).toMatchObject([{ isRest: true, remainingMs: 8_000 }]);
  expect(await acquire(gate)).toMatchObject({ kind: 'wait', reason: 'gate_closed', retryAtMs: clock.wallMs() + 8_000 });
  expect(gate.snapshot()).toMatchObject({ throttled: 0, throttlesInARow: 0, ramp: null, slots: 0 });
  await clock.advance(8_000);
  await Promise.all([send(gate), send(gate)]);
});

test('a success that asks one endpoint to wait rests that alone, with neither a throttle nor a probe', async () => {
  const { gate, clock } = open();
  const call = await send(gate, 0, 'acme.search');
  call.succeeded();
  call.restUntil({ retryAtMs: clock.wallMs() + 8_000, reason: 'throttled', scope: 'endpoint' });
  call.release();
  const retryAtMs = clock.wallMs() + 8_000;
  expect(await acquire(gate, 0, 1, 'acme.search')).toEqual({ kind: 'wait', reason: 'gate_closed', retryAtMs });
  expect(gate.snapshot()).toMatchObject({ throttled: 0, throttlesInARow: 0 });
  (await send(gate, 0, 'acme.company')).succeeded();
  await clock.advance(8_000);
  await Promise.all([send(gate, 0, 'acme.search'), send(gate, 0, 'acme.search')]);
});

test('a short closing of an endpoint that others met is taken over also while a probe of ours is under way', async () => {
  const { gate, clock } = open();
  const refused = { ...refusedFor(clock, 60_000), scope: 'endpoint' } as const;
  (await send(gate, 0, 'acme.search')).throttled(refused);
  await clock.advance(60_000);
  await send(gate, 0, 'acme.search');
  const shared = { endpoint: 'acme.search', remainingMs: 1_200, throttlesInARow: 2, firstThrottleMs: 0 };
  gate.shareEndpoints([shared]);
  const retryAtMs = clock.wallMs() + 1_200;
  expect(await acquire(gate, 0, 1, 'acme.search')).toEqual({ kind: 'wait', reason: 'gate_closed', retryAtMs });
});

describe('a share of the limits', () => {
  test('replaces concurrency and windows while calls run, and waiting calls see it at once', async () => {
    const { gate } = open({ concurrency: 1, rate: [{ limit: 100, perMs: 60_000 }] });
    await send(gate);
    const waiting = acquire(gate, 5_000);
    gate.setShare({ concurrency: 2 });
    expect(await peek(waiting)).toMatchObject({ kind: 'permit' });
    gate.setShare({ concurrency: null, rate: [{ limit: 2, perMs: 60_000 }] });
    expect(await peek(acquire(gate, 5_000))).toMatchObject({ kind: 'wait', reason: 'pacing' });
    gate.setShare({ concurrency: 0, rate: [] });
    expect(gate.slots()).toBe(0);
    expect(await peek(acquire(gate))).toMatchObject({ kind: 'wait', reason: 'pacing' });
  });

  test('a wait inside an activity makes room for one more slot until it ends', () => {
    const { gate } = open({ concurrency: 3 });
    const end = gate.residentWait();
    expect(gate.slots()).toBe(4);
    end();
    end();
    expect(gate.slots()).toBe(3);
  });
});
