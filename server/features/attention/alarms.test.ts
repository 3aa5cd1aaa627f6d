/** @module-tag both-databases */
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Check as CheckAnswer, Week } from '#contract/admin/week.ts';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import { newId } from '../../db/ids.ts';
import type { JobsTable } from '../../db/types/tables.ts';
import { claimNext } from '../../jobs/leases.ts';
import { recoverJobs } from '../../jobs/outcome.ts';
import { enqueueRun, recordRun, toSchedule } from '../../jobs/schedules.ts';
import type { MailMessage } from '../../ports/mail/mail.ts';
import { readProviderTime } from '../../ports/payments/provider-answers.ts';
import { startPushService } from '../../testing/fake-push-service.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { startSmtpServer, type TestSmtp } from '../../testing/smtp-server.ts';
import { startChild } from '../../testing/start-child.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '../../testing/test-app.ts';
import type { TestDatabase } from '../../testing/test-database.ts';
import { payingClient } from '../../testing/test-payments.ts';
import { createUser, type TestUser } from '../../testing/test-user.ts';
import { hasOpenssl, makeCertificate, startTlsServer } from '../../testing/tls-server.ts';
import { recordBackup } from '../backup/service.ts';
import { createCertificateCheck } from './check-certificate.ts';
import { checkSite } from './jobs.ts';
import { planMails } from './plan-mails.ts';
import { noteServer } from './server-readings.ts';
import { CHECKS, listAlarms, lookAround, readChecks } from './site-checks.ts';

const GB = 1024 ** 3;

let test: TestApp;
let admin: TestUser;
let sent: MailMessage[];

async function start(options: TestAppOptions = {}): Promise<void> {
  sent = [];
  const mail = { send: async (message: MailMessage) => void sent.push(message), close: () => {} };
  const config = { demo: false, ...options.config };
  test = await createTestApp({ ...(!config.smtp && { mail }), ...options, config });
  admin = await createAdmin(test);
  // The site has looked before, so it isn’t just starting.
  await ranNow('check-site');
}
beforeEach(() => start());
afterEach(() => test.close());

/** As after a run of this schedule. */
const ranNow = async (name: string): Promise<void> => {
  const schedule = { name, lane: 'watch', maxAttempts: 1, everyMs: HOUR } as const;
  await recordRun(test.deps.database.db, schedule, { now: test.clock.now(), error: null });
};

/** Without the clock, which a test sets as it likes. */
const STEADY = CHECKS.map((check) =>
  check.kind === 'clock' ? { ...check, look: async () => null } : check,
);

type Look = { free?: number; size?: number; checks?: typeof CHECKS };

/** What the schedule does, with the disk that a test wants. The mails that it plans go out. */
async function look({ free = 50 * GB, size = 100 * GB, checks = STEADY }: Look = {}) {
  for (const name of ['check-site', 'renew-due']) await ranNow(name);
  await noteServer(test.deps, async () => ({ free, size }));
  await lookAround(test.deps, checks);
  await planMails(test.deps);
  await test.worker.runDue();
}

async function readWeek(): Promise<Week> {
  const now = test.clock.now();
  // Still logged in, after however many days.
  await test.deps.database.db
    .updateTable('sessions')
    .set({ expires_at: now + DAY, last_seen_at: now, created_at: now })
    .execute();
  const answer = await admin.client.request({ url: '/api/admin/week' });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Week>();
}

const textOf = async (kind: string) =>
  (await readWeek()).attention.find((item) => item.kind === kind)?.text;
const checkOf = async (kind: CheckAnswer['kind']) =>
  (await readWeek()).checks.find((check) => check.kind === kind);

const subjects = () => sent.map(({ subject }) => subject);
const daily = () => sent.filter(({ subject }) => /needs? you$|^All clear/.test(subject));
const urgent = () => sent.filter(({ subject }) => subject.startsWith('Now at'));

async function addJob(change: Partial<JobsTable>): Promise<string> {
  const now = test.clock.now();
  const id = newId(now);
  await test.deps.database.db
    .insertInto('jobs')
    .values({
      id,
      name: 'renew-due',
      lane: 'payments',
      payload: '{}',
      unique_key: null,
      state: 'ready',
      run_at: now,
      attempts: 0,
      max_attempts: 10,
      interruptions: 0,
      lease_token: null,
      lease_until: null,
      last_error: null,
      created_at: now,
      updated_at: now,
      ...change,
    })
    .execute();
  return id;
}

describe('mail that is refused', () => {
  const WORDS = '4.7.1 Your address is on a list of senders of spam';
  let smtp: TestSmtp;
  let isRefusing: boolean;
  let tries: number;
  beforeEach(async () => {
    isRefusing = true;
    tries = 0;
    smtp = await startSmtpServer({
      onRcptTo: (_address, _session, done) => {
        tries += 1;
        const refusal = Object.assign(new Error(WORDS), { responseCode: 451 });
        if (isRefusing) done(refusal);
        else done();
      },
    });
    await test.close();
    await start({ config: { smtp: { url: smtp.url, from: 'hi@example.com' } } });
  });
  afterEach(() => {
    // It would wait for the connections that are kept.
    test.deps.mail.close();
    return smtp.close();
  });

  it('is named with the mail server’s words after an hour, until it went out', async () => {
    const member = await createUser(test, 'sipho');
    await payingClient(test, member).buy('monthly');
    await test.worker.runDue();
    expect(tries).toBeGreaterThan(0);
    await look();
    expect(await textOf('mail')).toBeUndefined();
    test.clock.advance(HOUR + MINUTE);
    await test.worker.runDue();
    await look();
    expect(await textOf('mail')).toMatch(
      /^\d+ e-mails? (?:was|were) refused, or couldn’t go out .* The last answer: “.*451.*on a list of senders of spam/,
    );
    expect(await textOf('mail')).not.toContain('@');
    expect(await smtp.received()).toEqual([]);

    isRefusing = false;
    test.clock.advance(HOUR);
    await test.worker.runDue();
    await look();
    expect(await textOf('mail')).toBeUndefined();
    test.clock.advance(10 * MINUTE);
    await look();
    const subjectsOf = async (pattern: RegExp) =>
      (await smtp.received()).filter(({ subject }) => pattern.test(subject ?? ''));
    expect(await subjectsOf(/^Now at Weekender: \d+ e-mails? (?:was|were) refused/)).toHaveLength(
      1,
    );
    // The next morning.
    test.clock.advance(DAY);
    await look();
    const [clear] = await subjectsOf(/^All clear at Weekender$/);
    expect(clear?.text).toContain('What an earlier mail named is over:');
    expect(clear?.text).toContain('on a list of senders of spam');
  });
});

it('mail to many that waits for its pace is no alarm, but one that nobody takes for an hour is', async () => {
  const times = { created_at: test.clock.now(), run_at: test.clock.now() };
  const later = test.clock.now() + DAY;
  await addJob({ name: 'send-release-mail', lane: 'bulk-mail', ...times, run_at: later });
  test.clock.advance(2 * HOUR);
  await lookAround(test.deps);
  expect(await textOf('mail')).toBeUndefined();
  await addJob({ name: 'send-billing-message', lane: 'mail', ...times });
  test.clock.advance(10 * MINUTE);
  await lookAround(test.deps);
  expect(await textOf('mail')).toContain('1 e-mail was refused, or couldn’t go out');
});

describe('a disk', () => {
  it('with less than a tenth left can’t wait: it is told once a day, and is over once there is room', async () => {
    await look({ free: 11 * GB });
    expect(await textOf('disk')).toBeUndefined();
    test.clock.advance(10 * MINUTE);
    await look({ free: 9.5 * GB });
    const text = 'The disk has 9.5 GB (9%) left. When it is full, nothing can be saved.';
    expect(await textOf('disk')).toBe(text);
    expect(subjects()).toEqual([`Now at Weekender: ${text}`]);
    test.clock.advance(10 * MINUTE);
    await look({ free: 9 * GB });
    test.clock.advance(10 * MINUTE);
    await look({ free: 60 * GB });
    expect(await textOf('disk')).toBeUndefined();
    // It fills up again on the same day: nobody is told at once twice.
    test.clock.advance(10 * MINUTE);
    await look({ free: 8 * GB });
    expect(await textOf('disk')).toContain('8.0 GB (8%) left');
    expect(urgent()).toHaveLength(1);
    test.clock.advance(DAY);
    await look({ free: 8 * GB });
    expect(urgent()).toHaveLength(2);
  });

  it('that will be full within a week is named with how long that takes', async () => {
    for (let hour = 0; hour <= 26; hour += 1) {
      await noteServer(test.deps, async () => ({ free: (50 - hour / 4) * GB, size: 100 * GB }));
      test.clock.advance(HOUR);
    }
    const readings = await test.deps.database.db.selectFrom('disk_readings').selectAll().execute();
    expect(readings.length).toBeGreaterThan(24);
    await look({ free: 42 * GB });
    expect(await textOf('disk')).toMatch(
      /^The disk will be full in about [67] days if it goes on like this; it has 42.0 GB \(42%\) left\.$/,
    );
    expect(urgent()).toEqual([]);
    expect(daily()).toHaveLength(1);
  });

  it('keeps its trend when the container is created anew, which has another name', async () => {
    await noteServer(test.deps);
    // As the first container of this data folder left it.
    await writeFile(join(test.deps.config.dataDir, 'server-name'), '3f2a91c0d1e2');
    for (let hour = 0; hour <= 26; hour += 1) {
      await noteServer(test.deps, async () => ({ free: (50 - hour / 4) * GB, size: 100 * GB }));
      test.clock.advance(HOUR);
    }
    expect(hostname()).not.toBe('3f2a91c0d1e2');
    await look({ free: 42 * GB });
    expect(await textOf('disk')).toMatch(/will be full in about [67] days/);
    const { db } = test.deps.database;
    const trends = await db.selectFrom('disk_readings').select('server').distinct().execute();
    expect(trends.map(({ server }) => server).toSorted()).toEqual(['3f2a91c0d1e2', hostname()]);
  });

  it('on which one upload arrived within a day says nothing about the week', async () => {
    await look({ free: 90 * GB });
    test.clock.advance(2 * HOUR);
    await look({ free: 50 * GB });
    expect(await textOf('disk')).toBeUndefined();
  });
});

describe('a backup', () => {
  it('is missing once a mix has been out for a day', async () => {
    const { database, storage } = test.deps;
    await look();
    expect(await textOf('backup')).toBeUndefined();
    const now = test.clock.now();
    await seedTrack({ db: database.db, storage, now }, { publish_at: now - 2 * HOUR });
    test.clock.advance(10 * MINUTE);
    await look();
    expect(await textOf('backup')).toBeUndefined();
    test.clock.advance(DAY);
    await look();
    expect(await textOf('backup')).toBe(
      'There has never been a backup: whatever happens now can’t be undone.',
    );
    expect(daily().at(-1)?.text).toContain('There has never been a backup');
  });

  it.each([
    ['that is older than a day', { lastAt: -3 * DAY }, /^The last backup was made Thu 12 Nov, /],
    ['that nobody has read back', { lastVerifiedAt: -9 * DAY }, /restored as a test was Fri 6 Nov/],
    ['that was never read back', { lastVerifiedAt: null }, /^Nobody knows whether the backups/],
    [
      'that failed',
      { problem: 'The disk is full.' },
      /^The last backup failed: The disk is full\./,
    ],
  ])('%s is named until there is a better one', async (_what, change, expected) => {
    const { db } = test.deps.database;
    const now = test.clock.now();
    const at = (ms: number | null) => (ms === null ? null : now + ms);
    const {
      lastAt = -HOUR,
      lastVerifiedAt = -DAY,
      problem = null,
    } = change as {
      lastAt?: number;
      lastVerifiedAt?: number | null;
      problem?: string;
    };
    const state = { lastAt: at(lastAt), lastVerifiedAt: at(lastVerifiedAt), problem };
    await recordBackup(db, state, now);
    await look();
    expect(await textOf('backup')).toMatch(expected);
    expect(daily()).toHaveLength(1);
    const well = { lastAt: now, lastVerifiedAt: now, problem: null };
    await recordBackup(db, well, now);
    test.clock.advance(10 * MINUTE);
    await look();
    expect(await textOf('backup')).toBeUndefined();
  });
});

describe('a job', () => {
  it('that waits for longer than its lane should is named, unless it is paused', async () => {
    const id = await addJob({ name: 'make-refund', unique_key: 'x' });
    test.clock.advance(2 * HOUR);
    await lookAround(test.deps);
    expect(await textOf('jobs')).toBe('1 job waits far too long: “Refund a payment”.');
    const pause = (isPaused: boolean) =>
      admin.client.request({
        method: 'PUT',
        url: '/api/admin/job-pauses',
        payload: { target: 'lane:payments', isPaused },
      });
    await pause(true);
    test.clock.advance(10 * MINUTE);
    await lookAround(test.deps);
    expect(await textOf('jobs')).toBeUndefined();
    expect(await textOf('paused-jobs')).toContain('Payments');
    await pause(false);
    test.clock.advance(10 * MINUTE);
    await lookAround(test.deps);
    expect(await textOf('jobs')).toBeDefined();
    await test.deps.database.db.deleteFrom('jobs').where('id', '=', id).execute();
    test.clock.advance(10 * MINUTE);
    await lookAround(test.deps);
    expect(await textOf('jobs')).toBeUndefined();
  });

  it('that is interrupted again and again, because its workers disappear, is named', async () => {
    const { database } = test.deps;
    const id = await addJob({ name: 'ingest-track', lane: 'media' });
    for (let kill = 0; kill < 3; kill += 1) {
      const wanted = { lane: 'media', names: ['ingest-track'] } as const;
      const times = { now: test.clock.now(), leaseMs: MINUTE };
      expect((await claimNext(database, wanted, times))?.id).toBe(id);
      // Its worker is killed: nobody renews the lease.
      test.clock.advance(2 * MINUTE);
      expect(await recoverJobs(database, new Map(), test.clock.now())).toMatchObject([{ id }]);
    }
    const job = await database.db
      .selectFrom('jobs')
      .select(['interruptions', 'state'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(job).toEqual({ interruptions: 3, state: 'ready' });
    await lookAround(test.deps);
    expect(await textOf('jobs')).toBe('1 job keeps failing or being interrupted: “Process audio”.');
    await database.db.deleteFrom('jobs').execute();
    test.clock.advance(10 * MINUTE);
    await lookAround(test.deps);
    expect(await textOf('jobs')).toBeUndefined();
  });
});

describe('the certificate of the site', () => {
  it('is read where visitors get it, and named two weeks before it ends', async (ctx) => {
    if (!(await hasOpenssl())) ctx.skip('openssl is not installed');
    // Certificates begin today, so the test’s clock has to be today’s too.
    test.clock.advance(Date.now() - test.clock.now());
    const soon = await makeCertificate(10);
    const server = await startTlsServer(soon);
    const lookAgain = (authorities?: string) =>
      lookAround({ ...test.deps, config: { ...test.deps.config, appOrigin: server.origin } }, [
        createCertificateCheck(authorities),
      ]);
    await lookAgain(soon.cert);
    expect(await textOf('certificate')).toMatch(
      /^The certificate ends .*, and nothing has renewed it\./,
    );
    const renewed = await makeCertificate(90);
    server.renew(renewed);
    test.clock.advance(DAY);
    await lookAgain(renewed.cert);
    expect(await textOf('certificate')).toBeUndefined();
    expect((await checkOf('certificate'))?.lookedAt).toBe(test.clock.now());
    // Browsers don’t know who signed it.
    test.clock.advance(DAY);
    await lookAgain();
    expect(await textOf('certificate')).toBe(
      'Browsers refuse the site’s certificate: it is signed by itself.',
    );
    test.clock.advance(100 * DAY);
    await lookAgain(renewed.cert);
    const [alarm] = await listAlarms(test.deps.database.db);
    expect(alarm?.text).toMatch(/^The certificate ended .*: browsers refuse/);
    await server.close();
    test.clock.advance(DAY);
    await lookAgain(renewed.cert);
    const checks = await readChecks(test.deps);
    expect(checks.find(({ kind }) => kind === 'certificate')?.trouble).toMatch(
      /^Not checked since .*ECONNREFUSED/,
    );
  });
});

describe('a clock', () => {
  const clockOnly = CHECKS.filter(({ kind }) => kind === 'clock');
  const setRight = () => test.clock.advance(Date.now() - test.clock.now());

  it('that differs from the database’s or the payment provider’s is named until it is right', async () => {
    const provider = createServer((_request, response) => response.end());
    await new Promise<void>((resolve) => {
      provider.listen(0, '127.0.0.1', resolve);
    });
    const { port } = provider.address() as AddressInfo;
    test.deps.payments.readTime = () => readProviderTime(`http://127.0.0.1:${port}`, 5000);
    const offset = test.clock.now() - Date.now();
    expect(Math.abs(offset)).toBeGreaterThan(MINUTE);
    await look({ checks: clockOnly });
    const other = test.deps.database.dialect === 'postgres' ? 'database' : 'payment provider';
    expect(await textOf('clock')).toMatch(
      new RegExp(`^The clock.* is \\d+ \\w+ (?:ahead of|behind) the ${other}’s\\. Releases, `),
    );
    expect(urgent()).toHaveLength(1);
    setRight();
    test.clock.advance(0);
    await look({ checks: clockOnly });
    expect(await textOf('clock')).toBeUndefined();
    await new Promise((resolve) => {
      provider.close(resolve);
    });
    test.clock.advance(2 * HOUR);
    await look({ checks: clockOnly });
    if (test.deps.database.dialect === 'sqlite')
      expect((await checkOf('clock'))?.trouble).toMatch(/^Not checked since .*: .*fetch failed/);
  });

  itOnSqlite('that is set back is named, whichever of the two times was wrong', async () => {
    await look({ checks: clockOnly });
    expect(await textOf('clock')).toBeUndefined();
    test.clock.advance(-3 * HOUR);
    await look({ checks: clockOnly });
    expect(await textOf('clock')).toMatch(
      /^The clock is 3 hours behind when the site last looked\. Either it was wrong then, or it is now\./,
    );
    expect(urgent()).toHaveLength(1);
    test.clock.advance(2 * HOUR);
    await look({ checks: clockOnly });
    expect(await textOf('clock')).toBeUndefined();
  });

  itOnSqlite('that jumps ahead by days is named until the site has run for a day', async () => {
    await test.worker.runDue();
    await lookAround(test.deps, clockOnly);
    expect(await textOf('clock')).toBeUndefined();
    test.clock.advance(40 * DAY);
    await test.worker.runDue();
    const mark = await test.deps.database.db.selectFrom('clock_mark').selectAll().execute();
    expect(mark).toMatchObject([{ steady_ms: 0 }]);
    await lookAround(test.deps, clockOnly);
    expect(await textOf('clock')).toMatch(/^The clock is days ahead of when the site last ran\./);
    for (let hour = 0; hour <= 24; hour += 1) {
      test.clock.advance(HOUR);
      await test.worker.runDue();
    }
    await lookAround(test.deps, clockOnly);
    expect(await textOf('clock')).toBeUndefined();
  });
});

it('errors above their usual rate can’t wait, and are over when answers are well again', async () => {
  const ping = test.deps.database.ping;
  test.deps.database.ping = async () => {
    throw new Error('The database is gone.');
  };
  const fail = async (times: number) => {
    for (let n = 0; n < times; n += 1) {
      test.clock.advance(3000);
      const { statusCode } = await admin.client.request({ url: '/api/health' });
      expect(statusCode).toBe(503);
    }
  };
  await fail(9);
  await look();
  expect(await textOf('errors')).toBeUndefined();
  test.clock.advance(10 * MINUTE);
  await fail(20);
  await look();
  expect(await textOf('errors')).toBe(
    '29 requests failed in the last 15 minutes, 2 a minute; usually it’s hardly any. The log says why.',
  );
  expect(urgent()).toHaveLength(1);
  test.deps.database.ping = ping;
  test.clock.advance(20 * MINUTE);
  await look();
  expect(await textOf('errors')).toBeUndefined();
  // As many as ever are no news.
  const { db } = test.deps.database;
  const minute = test.clock.now() - (test.clock.now() % MINUTE);
  const rows = Array.from({ length: 6 * 24 * 4 }, (_, n) => ({
    minute: minute - 2 * HOUR - n * 15 * MINUTE,
    count: 30,
  }));
  await db.insertInto('failed_answers').values(rows).execute();
  await db.insertInto('failed_answers').values({ minute, count: 29 }).execute();
  test.clock.advance(10 * MINUTE);
  await look();
  expect(await textOf('errors')).toBeUndefined();
});

describe('a check', () => {
  it('that failed or didn’t run is never good news', async () => {
    const before = (await readWeek()).checks;
    expect(before.map(({ trouble }) => trouble)).toEqual(before.map(() => 'Not checked yet.'));
    await lookAround(test.deps);
    await noteServer(test.deps, async () => ({ free: 50 * GB, size: 100 * GB }));
    test.clock.advance(10 * MINUTE);
    const broken = STEADY.map((check) => ({
      ...check,
      ...(check.kind === 'backup' && {
        look: async () => {
          throw new Error('The folder is gone.');
        },
      }),
    }));
    await look({ checks: broken });
    const { checks } = await readWeek();
    const troubles = checks.flatMap(({ kind, trouble }) => (trouble ? [[kind, trouble]] : []));
    expect(troubles).toEqual([
      ['backup', 'Not checked since Sun 15 Nov, 14:00: The folder is gone.'],
    ]);
    expect(daily().at(-1)?.text).toContain('- Backup: Not checked since Sun 15 Nov, 14:00');
    test.clock.advance(2 * HOUR);
    const stale = (await readWeek()).checks.filter(({ trouble }) => trouble !== null);
    expect(stale.map(({ kind }) => kind)).toEqual([
      'mail',
      'disk',
      'backup',
      'jobs',
      'clock',
      'errors',
      'payments',
    ]);
  });

  it('runs by itself every ten minutes, whatever else waits', async () => {
    const { db } = test.deps.database;
    const schedule = toSchedule(checkSite);
    if (schedule)
      await enqueueRun(db, schedule, { now: test.clock.now(), runAt: test.clock.now() });
    await test.worker.runDue();
    const first = test.clock.now();
    expect((await checkOf('disk'))?.lookedAt).toBe(first);
    test.clock.advance(10 * MINUTE);
    await test.worker.runDue();
    expect((await checkOf('disk'))?.lookedAt).toBe(first + 10 * MINUTE);
    expect((await checkOf('certificate'))?.lookedAt).toBe(first);
  });
});

it('what was found is a metric, and so is how long ago somebody looked', async () => {
  await test.close();
  await start({ config: { metricsToken: 'a token that is long enough' } });
  const readMetrics = async () => {
    const headers = { authorization: 'Bearer a token that is long enough' };
    const lines = (await test.app.inject({ url: '/metrics', headers })).body.split('\n');
    return lines.filter((line) =>
      /^weekender_(?:alarm|check_age_seconds)\{kind="disk"\}/.test(line),
    );
  };
  expect(await readMetrics()).toEqual([]);
  await look({ free: 9 * GB });
  test.clock.advance(5 * MINUTE);
  expect(await readMetrics()).toEqual([
    'weekender_alarm{kind="disk"} 1',
    'weekender_check_age_seconds{kind="disk"} 300',
  ]);
  test.clock.advance(5 * MINUTE);
  await look({ free: 60 * GB });
  expect(await readMetrics()).toEqual([
    'weekender_alarm{kind="disk"} 0',
    'weekender_check_age_seconds{kind="disk"} 0',
  ]);
});

describe('the mail about what needs a hand', () => {
  const fail = () =>
    test.deps.database.db
      .insertInto('jobs')
      .values({
        id: 'dead',
        name: 'sweep-expired',
        lane: 'housekeeping',
        payload: '{}',
        unique_key: null,
        state: 'dead',
        run_at: 0,
        attempts: 1,
        max_attempts: 1,
        interruptions: 0,
        lease_token: null,
        lease_until: null,
        last_error: 'x',
        created_at: 0,
        updated_at: 0,
      })
      .execute();
  const mend = () => test.deps.database.db.deleteFrom('jobs').where('id', '=', 'dead').execute();
  it('goes out once a day in the daytime, to every administrator, and ends with what is over', async () => {
    const other = await createAdmin(test, 'lerato');
    // Midnight in Johannesburg.
    test.clock.advance(10 * HOUR);
    await lookAround(test.deps);
    await fail();
    await look();
    expect(sent).toEqual([]);
    test.clock.advance(7 * HOUR);
    await look();
    expect(sent).toEqual([]);
    test.clock.advance(HOUR);
    await Promise.all([planMails(test.deps), planMails(test.deps)]).catch(() => undefined);
    await look();
    const addresses = [admin.user.email, other.user.email].toSorted();
    expect(sent.map(({ to }) => to).toSorted()).toEqual(addresses);
    expect(sent[0]?.subject).toMatch(/^\d+ things? at Weekender needs? you$/);
    expect(sent[0]?.text).toContain('- 1 job has failed permanently.');
    test.clock.advance(HOUR);
    await mend();
    await look();
    expect(sent).toHaveLength(2);
    test.clock.advance(DAY);
    sent.length = 0;
    await look();
    expect(sent).toHaveLength(2);
    expect(sent[0]?.text).toMatch(/All clear[^]*- 1 job has failed permanently\./);
  });

  it('goes out once although two processes plan and send it at the same time', async () => {
    const smtp = await startSmtpServer();
    await fail();
    await look({ checks: [] });
    const { db } = test.deps.database;
    await db.deleteFrom('attention_mails').execute();
    await db.deleteFrom('attention_told').execute();
    await db.deleteFrom('outbox').execute();
    test.clock.advance(DAY);
    await ranNow('check-site');
    const { settings } = test.deps.database as TestDatabase;
    const children = await Promise.all(
      [1, 2].map(() =>
        startChild({
          settings,
          now: test.clock.now(),
          do: { kind: 'attention', smtpUrl: smtp.url },
        }),
      ),
    );
    for (const child of children) child.go();
    const done = await Promise.all(children.map((child) => child.readMessage()));
    expect(done).toEqual([{ kind: 'told' }, { kind: 'told' }]);
    const received = await smtp.received();
    expect(received.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^\d+ things? at Weekender needs? you$/),
    ]);
    await smtp.close();
  });

  it('isn’t sent again while nothing has changed, but reminds after a week', async () => {
    await fail();
    await look();
    expect(daily()).toHaveLength(1);
    for (let day = 1; day <= 6; day += 1) {
      test.clock.advance(DAY);
      await look();
    }
    expect(daily()).toHaveLength(1);
    test.clock.advance(DAY);
    await look();
    expect(daily()).toHaveLength(2);
  });

  itOnSqlite('isn’t sent from the demo, nor right after a start', async () => {
    await fail();
    Object.assign(test.deps.config, { demo: true });
    await look();
    expect(sent).toEqual([]);
    Object.assign(test.deps.config, { demo: false });
    test.clock.advance(3 * HOUR);
    await planMails(test.deps);
    await test.worker.runDue();
    expect(sent).toEqual([]);
  });

  it('comes as a notice too if it can’t wait, because mail may be what is broken', async () => {
    const pushes = await startPushService();
    Object.assign(test.deps.config, { allowsPrivateServers: true });
    const member = await createUser(test, 'sipho');
    for (const [user, name] of [
      [admin, 'phone'],
      [member, 'other'],
    ] as const)
      await user.client.request({
        method: 'PUT',
        url: '/api/me/notifications',
        payload: pushes.createDevice(name),
      });
    await look({ free: GB });
    const delivered = pushes.delivered.map(({ device, message }) => [device, message]);
    expect(delivered).toEqual([
      [
        'phone',
        {
          title: 'Weekender needs you now',
          body: 'The disk has 1.0 GB (1%) left. When it is full, nothing can be saved.',
          path: '/admin',
          tag: 'attention-disk',
        },
      ],
    ]);
    await pushes.close();
  });
});
