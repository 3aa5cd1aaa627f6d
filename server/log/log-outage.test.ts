import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MINUTE } from '#contract/rules/time.ts';
import { logOutage } from './log-outage.ts';

let lines: object[];
let log: object;
beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  log = {};
});
afterEach(() => vi.useRealTimers());

const gone = (code: string) => Object.assign(new Error('gone'), { code });
const fail = (code = 'ECONNREFUSED', id = 'r') =>
  logOutage(log, (details, message) => lines.push({ ...details, message }), {
    details: { err: gone(code), id },
    message: 'Down.',
  });

it('an outage is one line when it begins, and one a minute with how many more there were', () => {
  for (let n = 0; n < 500; n += 1) fail('ECONNREFUSED', `r${n}`);
  expect(lines).toMatchObject([{ id: 'r0', message: 'Down.' }]);
  vi.advanceTimersByTime(MINUTE);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatchObject({ id: 'r499', more: 499 });
  fail();
  vi.advanceTimersByTime(MINUTE);
  expect(lines[2]).toMatchObject({ more: 1 });
});

it('is over after a minute without one, and the next is told at once', () => {
  fail();
  vi.advanceTimersByTime(MINUTE);
  expect(lines).toHaveLength(1);
  fail();
  expect(lines).toHaveLength(2);
  vi.advanceTimersByTime(10 * MINUTE);
  expect(lines).toHaveLength(2);
});

it('two outages at the same time have a line each, and two logs know nothing of each other', () => {
  fail('ECONNREFUSED');
  fail('ENOSPC');
  fail('ENOSPC');
  expect(lines).toHaveLength(2);
  log = {};
  fail('ENOSPC');
  expect(lines).toHaveLength(3);
});
