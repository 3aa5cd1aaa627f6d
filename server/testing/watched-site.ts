import { expect } from 'vitest';
import type { Check as CheckAnswer, Week } from '#contract/admin/week.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { newId } from '../db/ids.ts';
import type { JobsTable } from '../db/types/tables.ts';
import { noteServer } from '../features/attention/server-readings.ts';
import { planMails } from '../features/attention/plan-mails.ts';
import { CHECKS, lookAround } from '../features/attention/site-checks.ts';
import { recordRun } from '../jobs/schedules.ts';
import type { MailMessage } from '../ports/mail/mail.ts';
import { createAdmin } from './test-admin.ts';
import { createTestApp, type TestAppOptions } from './test-app.ts';

export const GB = 1024 ** 3;

/** Without the clock, which a test sets as it likes. */
export const STEADY = CHECKS.map((check) =>
  check.kind === 'clock' ? { ...check, look: async () => null } : check,
);

type Look = { free?: number; size?: number; checks?: typeof CHECKS };

export type WatchedSite = Awaited<ReturnType<typeof startWatchedSite>>;

/** A site that looks by itself whether all is well, with an administrator who is told what isn’t. */
export async function startWatchedSite(options: TestAppOptions = {}) {
  const sent: MailMessage[] = [];
  const mail = { send: async (message: MailMessage) => void sent.push(message), close: () => {} };
  const config = { demo: false, ...options.config };
  const test = await createTestApp({ ...(!config.smtp && { mail }), ...options, config });
  const { deps, clock, worker } = test;
  const { db } = deps.database;
  const admin = await createAdmin(test);

  /** As after a run of this schedule. */
  const ranNow = (name: string): Promise<void> => {
    const schedule = { name, lane: 'watch', maxAttempts: 1, everyMs: HOUR } as const;
    return recordRun(db, schedule, { now: clock.now(), error: null });
  };
  // It has looked before, so it isn’t just starting.
  await ranNow('check-site');

  /** What the schedule does, with the disk that a test wants. The mails that it plans go out. */
  async function look({ free = 50 * GB, size = 100 * GB, checks = STEADY }: Look = {}) {
    for (const name of ['check-site', 'renew-due']) await ranNow(name);
    await noteServer(deps, async () => ({ free, size }));
    await lookAround(deps, checks);
    await planMails(deps);
    await worker.runDue();
  }

  async function readWeek(): Promise<Week> {
    const now = clock.now();
    // Still logged in, after however many days.
    await db
      .updateTable('sessions')
      .set({ expires_at: now + DAY, last_seen_at: now, created_at: now })
      .execute();
    const answer = await admin.client.request({ url: '/api/admin/week' });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<Week>();
  }

  async function addJob(change: Partial<JobsTable>): Promise<string> {
    const now = clock.now();
    const id = newId(now);
    await db
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

  return {
    ...test,
    admin,
    sent,
    ranNow,
    look,
    readWeek,
    addJob,
    /** What the first page says of this kind. */
    textOf: async (kind: string) =>
      (await readWeek()).attention.find((item) => item.kind === kind)?.text,
    checkOf: async (kind: CheckAnswer['kind']) =>
      (await readWeek()).checks.find((check) => check.kind === kind),
    daily: () => sent.filter(({ subject }) => /needs? you$|^All clear/.test(subject)),
    urgent: () => sent.filter(({ subject }) => subject.startsWith('Now at')),
  };
}
