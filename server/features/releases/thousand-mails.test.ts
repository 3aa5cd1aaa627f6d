import { afterEach, beforeEach, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '#contract/rules/time.ts';
import { chooseCases } from '#tools/testing/random-runs.ts';
import { buildUser } from '../../db/build-rows.ts';
import { changeSettings } from '../../db/settings.ts';
import { estimateBulkMail } from '../../jobs/bulk-mail.ts';
import { createWorker, type Worker } from '../../jobs/worker.ts';
import { createSmtpMail } from '../../ports/mail/mail.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { startSmtpServer, type TestSmtp } from '../../testing/smtp-server.ts';
import { startChild } from '../../testing/start-child.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestDatabase } from '../../testing/test-database.ts';
import { sendPasswordReset } from '../accounts/jobs.ts';
import { announceReleases, sendReleaseMail } from './jobs.ts';

/** More than one batch of recipients. At three tenths of them an hour, all take over three hours. */
const ALL = chooseCases(210, 1000);
/** Enough for the cases that only need a middle. */
const SOME = chooseCases(40, 1000);
const SILENCE_MS = 500;

let test: TestApp;
let smtp: TestSmtp;
/** When the host took which mails, and how many it refused because there were too many. */
let accepted: { to: string; at: number }[];
let refused: number;
let hostLimit: number;
/** What the server does with a recipient, or with a message that has arrived. */
let onRecipient: () => 'answer' | 'hang';
let onMessage: () => Promise<boolean> | boolean;

/** Like shared hosts: so many mails within any hour, whoever they are for. */
const isOverLimit = () =>
  accepted.filter(({ at }) => at > test.clock.now() - HOUR).length >= hostLimit;

beforeEach(async () => {
  accepted = [];
  refused = 0;
  hostLimit = 300;
  onRecipient = () => 'answer';
  onMessage = () => true;
  smtp = await startSmtpServer({
    onRcptTo: ({ address }, _session, done) => {
      if (onRecipient() === 'hang') return;
      if (isOverLimit()) {
        refused += 1;
        const text = `4.7.1 Rate limit of ${hostLimit} messages an hour exceeded, try again in 10 minutes`;
        return done(Object.assign(new Error(text), { responseCode: 450 }));
      }
      accepted.push({ to: address, at: test.clock.now() });
      done();
    },
    onReceived: () => onMessage(),
  });
  const limits = { connectMs: 10_000, silenceMs: SILENCE_MS, totalMs: 60_000 };
  const mail = createSmtpMail({ url: smtp.url, from: 'Music <music@example.com>' }, limits);
  test = await createTestApp({ mail });
});
afterEach(async () => {
  await test.close();
  await smtp.close();
});

const nameOf = (index: number) => `m${String(index).padStart(4, '0')}`;

/** A mix is out, and these members are to hear of it. Returns their addresses. */
async function announceTo(count: number): Promise<string[]> {
  const { database, storage } = test.deps;
  const created_at = test.clock.now() - HOUR;
  const members = Array.from({ length: count }, (_, index) =>
    buildUser({ id: nameOf(index), created_at }),
  );
  for (let start = 0; start < count; start += 100)
    await database.db
      .insertInto('users')
      .values(members.slice(start, start + 100))
      .execute();
  const now = test.clock.now();
  await seedTrack({ db: database.db, storage, now }, { publish_at: now - 1, announced_at: null });
  await announceReleases.execute(test.deps, '{}', {
    id: '',
    attempt: 1,
    maxAttempts: 1,
    signal: new AbortController().signal,
    finish: async () => undefined,
  });
  return members.map(({ email }) => email);
}

const createMailWorker = (): Worker =>
  createWorker({ deps: test.deps, jobs: [sendReleaseMail, sendPasswordReset], defined: [] });

const countWaiting = async () =>
  (
    await test.deps.database.db
      .selectFrom('jobs')
      .select('id')
      .where('state', '<>', 'dead')
      .execute()
  ).length;

/** Two workers look every few seconds until nothing is left to do. */
async function run(each: (elapsed: number) => Promise<void> = async () => undefined) {
  const workers = [createMailWorker(), createMailWorker()];
  const start = test.clock.now();
  while ((await countWaiting()) > 0) {
    await Promise.all(workers.map((worker) => worker.runDue()));
    test.clock.advance(30 * SECOND);
    const elapsed = test.clock.now() - start;
    if (elapsed > 24 * HOUR) throw new Error('Mails still wait after a day.');
    await each(elapsed);
  }
  return test.clock.now() - start;
}

const readArrivals = async (subject: RegExp) =>
  (await smtp.received())
    .filter((email) => subject.test(email.subject ?? ''))
    .map((email) => email.to?.[0]?.address ?? '');

const askForReset = () =>
  test.createClient().request({
    method: 'POST',
    url: '/api/auth/reset-password/request',
    payload: { email: `${nameOf(7)}@example.com` },
  });

it('more mails than three hours allow all arrive, none twice, and a reset in the middle within a minute', async () => {
  const everyone = await announceTo(ALL);
  hostLimit = ALL * 0.3;
  const { database, clock } = test.deps;
  await changeSettings(database.db, { mailsPerHour: hostLimit }, clock.now());
  const estimate = await estimateBulkMail(test.deps, 0);
  let askedAt = 0;
  let arrivedAt = 0;
  const elapsed = await run(async () => {
    if (askedAt === 0 && accepted.length >= ALL / 2) {
      await askForReset();
      askedAt = clock.now();
    } else if (askedAt > 0 && arrivedAt === 0) {
      const isThere = (await readArrivals(/password/i)).length > 0;
      if (isThere) arrivedAt = clock.now();
    }
  });
  expect((await readArrivals(/Week 46/)).toSorted()).toEqual(everyone);
  expect(refused).toBe(0);
  expect(arrivedAt - askedAt).toBeLessThanOrEqual(MINUTE);
  expect(estimate).toBeGreaterThan(3 * HOUR);
  expect(Math.abs(elapsed - (estimate ?? 0))).toBeLessThan(5 * MINUTE);
});

it('a host that refuses more than it allows is obeyed, though nobody set its limit', async () => {
  const everyone = await announceTo(SOME);
  hostLimit = SOME * 0.3;
  const tried: number[] = [];
  onRecipient = () => {
    tried.push(test.clock.now());
    return 'answer';
  };
  let askedAt = 0;
  await run(async () => {
    if (refused === 0 || askedAt > 0) return;
    await askForReset();
    askedAt = test.clock.now();
  });
  expect((await readArrivals(/Week 46/)).toSorted()).toEqual(everyone);
  expect(await readArrivals(/password/i)).toHaveLength(1);
  // It was asked for a reset at once, and for the others only when its ten minutes were over.
  expect(tried.filter((at) => at >= askedAt && at < askedAt + MINUTE).length).toBeGreaterThan(0);
  expect(refused).toBeLessThan(60);
  const { db } = test.deps.database;
  expect(await db.selectFrom('jobs').select('id').execute()).toEqual([]);
});

it('a server that hangs in the middle delays the mails, and nobody gets one twice', async () => {
  const everyone = await announceTo(SOME);
  hostLimit = Infinity;
  let isHanging = false;
  onRecipient = () => {
    isHanging ||= accepted.length === SOME / 2;
    return isHanging ? 'hang' : 'answer';
  };
  await changeSettings(test.deps.database.db, { mailsPerHour: 3000 }, test.clock.now());
  await run(async (elapsed) => {
    if (elapsed > 30 * MINUTE) onRecipient = () => 'answer';
  });
  expect((await readArrivals(/Week 46/)).toSorted()).toEqual(everyone);
});

/** The process works alone until the server hangs, and is killed there. */
async function killInTheMiddle(hung: Promise<void>) {
  const { settings } = test.deps.database as TestDatabase;
  const child = await startChild({
    settings,
    now: test.clock.now(),
    do: { kind: 'mail', smtpUrl: smtp.url, hangsBeforeEnd: false },
  });
  child.go();
  await hung;
  await child.kill();
  expect((await smtp.received()).length).toBeLessThan(SOME);
  test.clock.advance(2 * MINUTE);
}

it('a process killed while the server hangs in the middle leaves nobody out', async () => {
  const everyone = await announceTo(SOME);
  hostLimit = Infinity;
  const hung = Promise.withResolvers<void>();
  onRecipient = () => {
    if (accepted.length < SOME / 2) return 'answer';
    hung.resolve();
    return 'hang';
  };
  await killInTheMiddle(hung.promise);
  onRecipient = () => 'answer';
  await run();
  expect((await readArrivals(/Week 46/)).toSorted()).toEqual(everyone);
});

it('a process killed while the server has a mail and says nothing sends it to nobody twice', async () => {
  const everyone = await announceTo(SOME);
  hostLimit = Infinity;
  const hung = Promise.withResolvers<void>();
  const killed = Promise.withResolvers<boolean>();
  onMessage = () => {
    if (accepted.length < SOME / 2) return true;
    hung.resolve();
    return killed.promise;
  };
  await killInTheMiddle(hung.promise);
  killed.resolve(false);
  onMessage = () => true;
  await run();
  expect((await readArrivals(/Week 46/)).toSorted()).toEqual(everyone);
  const dead = await test.deps.database.db
    .selectFrom('jobs')
    .select('last_error')
    .where('state', '=', 'dead')
    .execute();
  expect(dead).toHaveLength(1);
  expect(dead[0]?.last_error).toContain('Nobody knows whether this e-mail arrived');
});
