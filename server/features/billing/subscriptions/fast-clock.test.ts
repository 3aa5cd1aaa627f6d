/** @module-tag both-databases */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DAY } from '#contract/rules/time.ts';
import { enqueueRun, toSchedule } from '../../../jobs/schedules.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { payingClient } from '../../../testing/test-payments.ts';
import { createUser } from '../../../testing/test-user.ts';
import { readChecks } from '../../attention/service.ts';
import { renewDue } from './jobs.ts';

let test: TestApp;
beforeEach(async () => void (test = await createTestApp()));
afterEach(() => test.close());

async function renew() {
  const schedule = toSchedule(renewDue);
  const now = test.clock.now();
  if (schedule) await enqueueRun(test.deps.database.db, schedule, { now, runAt: now });
  await test.worker.runDue();
}

const countPayments = async () =>
  (await test.deps.database.db.selectFrom('payments').select('reference').execute()).length;

it('nobody is charged while this machine’s clock is ahead of the database’s', async () => {
  await payingClient(test, await createUser(test, 'sipho')).buy('monthly');
  expect(await countPayments()).toBe(1);
  // The site believes that the month is over.
  test.clock.advance(40 * DAY);
  const machine = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 40 * DAY);
  await renew();
  machine.mockRestore();
  const payments = async () =>
    (await readChecks(test.deps)).find(({ kind }) => kind === 'payments')?.trouble;
  // SQLite has no clock of its own, so nobody knows.
  const isKnown = test.deps.database.dialect === 'postgres';
  expect(await countPayments()).toBe(isKnown ? 1 : 2);
  if (isKnown)
    expect(await payments()).toMatch(/minutes ahead of the database’s: nobody is charged/);
  test.clock.advance(DAY);
  await renew();
  expect(await countPayments()).toBe(2);
  expect(await payments()).toBe(null);
});
