import { MINUTE } from '#contract/rules/time.ts';
import { expect, it } from 'vitest';
import { isBackupDue, makeWhenDue } from './nightly.ts';

const zone = 'Africa/Johannesburg';
const at = (time: string) => Date.parse(`${time}+02:00`);

it.each([
  ['2026-11-20T03:29', '2026-11-19T03:31', false],
  ['2026-11-20T03:30', '2026-11-19T03:31', true],
  ['2026-11-20T03:35', '2026-11-20T03:31', false],
  ['2026-11-20T23:59', '2026-11-20T03:31', false],
  // The machine was off at night.
  ['2026-11-20T09:00', '2026-11-19T03:31', true],
  // One by hand during the day doesn't replace that of the night.
  ['2026-11-20T03:30', '2026-11-19T17:00', true],
  // The clock was fast.
  ['2026-11-20T09:00', '2026-12-30T03:31', true],
])('at %s, after one at %s, a backup is due: %s', (now, last, isDue) => {
  expect(isBackupDue(at(last), at(now), zone)).toBe(isDue);
});

it('is due if there never was one', () => {
  expect(isBackupDue(null, at('2026-11-20T00:00'), zone)).toBe(true);
});

const isAway = () => Promise.reject(new Error('There is no site yet.'));
const fails = () => Promise.reject(new Error('The disk is full.'));

it.each([
  ['nothing is due', async () => false, fails, 5, []],
  ['a backup was made', async () => true, async () => undefined, 5, []],
  ['the site can’t be asked, which may be starting', isAway, fails, 5, ['There is no site yet.']],
  ['a backup failed, which may take long', async () => true, fails, 60, ['The disk is full.']],
])('looks again soon, but not at once: %s', async (_, isDue, make, minutes, expected) => {
  const errors: string[] = [];
  const onError = (error: unknown) => void errors.push((error as Error).message);
  expect(await makeWhenDue({ isDue, make, onError })).toBe(minutes * MINUTE);
  expect(errors).toEqual(expected);
});
