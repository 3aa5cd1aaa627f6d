import {
  JOB_STATES,
  type JobItem,
  type JobSubject,
  type JobState,
  type ScheduleItem,
} from '#contract/admin/jobs.ts';
import type { PageQuery, ShortList } from '#contract/paging.ts';
import type { Tx } from '../../db/connect.ts';
import type { JobsTable } from '../../db/types/tables.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { findDefinedJob, listDefinedSchedules } from '../../jobs/define-job.ts';
import { recordAction } from '../audit/service.ts';
import {
  countJobs,
  deleteJob,
  runNow,
  listJobs,
  listScheduledJobs,
  listScheduleRuns,
  lockDeadJob,
  resetJob,
} from './queries.ts';
import type { Deps } from '../../deps.ts';
import { publishSignal } from '../live/service.ts';
import { describeSubjects } from './job-subjects.ts';

const STATES: Record<JobsTable['state'], JobState> = {
  running: 'running',
  ready: 'waiting',
  dead: 'failed',
};

const presentJob = (row: JobsTable, about: JobSubject): JobItem => ({
  id: row.id,
  name: row.name,
  about,
  state: STATES[row.state],
  attempts: row.attempts,
  maxAttempts: row.max_attempts,
  interruptions: row.interruptions,
  runAt: row.run_at,
  updatedAt: row.updated_at,
  error: row.last_error,
});

export async function readJobs(
  { database }: Deps,
  { state, ...page }: PageQuery & { state: JobState },
) {
  const { db } = database;
  const { rows, nextCursor } = await listJobs(db, state, page);
  const counts = { running: 0, waiting: 0, failed: 0 };
  for (const name of JOB_STATES) counts[name] = await countJobs(db, name);
  const subjects = await describeSubjects(db, rows);
  const items = rows.flatMap((row, index) => {
    const about = subjects[index];
    return about ? [presentJob(row, about)] : [];
  });
  return { items, nextCursor, counts };
}

export async function readSchedules({ database }: Deps): Promise<ShortList<ScheduleItem>> {
  const schedules = listDefinedSchedules();
  const planned = await listScheduledJobs(
    database.db,
    schedules.map(({ name }) => name),
  );
  const runs = await listScheduleRuns(database.db);
  const items = schedules.map(({ name, everyMs }) => {
    const next = planned.find((row) => row.unique_key === `schedule:${name}`);
    const last = runs.find((row) => row.name === name);
    return {
      name,
      everyMs,
      lastRunAt: last?.ended_at ?? null,
      lastError: last?.error ?? null,
      nextRunAt: next?.run_at ?? null,
      isRunning: next?.state === 'running',
    };
  });
  return { items: items.toSorted((a, b) => a.name.localeCompare(b.name)), nextCursor: null };
}

/** Only failed jobs can be retried or discarded. */
async function changeDeadJob(
  { database, clock }: Deps,
  viewer: Viewer,
  { id, action }: { id: string; action: string },
  change: (tx: Tx, job: JobsTable, now: number) => Promise<unknown>,
) {
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const job = await lockDeadJob(tx, database.dialect, id);
    if (!job) throw new AppError('not_found');
    await change(tx, job, now);
    const [about] = await describeSubjects(tx, [job]);
    const work = about?.track?.title ?? about?.fileName;
    const after = { name: job.name, ...(work && { about: work }) };
    await recordAction(tx, { actor: viewer, action, subject: { kind: 'job', id }, after }, now);
    await publishSignal(tx, 'admin:jobs', now);
  });
}

export async function retryJob(deps: Deps, viewer: Viewer, id: string): Promise<void> {
  await changeDeadJob(deps, viewer, { id, action: 'job.retried' }, async (tx, job, now) => {
    const hasSame = job.unique_key !== null && (await runNow(tx, job.unique_key, now));
    await findDefinedJob(job.name)?.onRetry(tx, job.payload);
    await (hasSame ? deleteJob(tx, id) : resetJob(tx, id, now));
  });
  deps.jobs.wake();
}

export const discardJob = (deps: Deps, viewer: Viewer, id: string): Promise<void> =>
  changeDeadJob(deps, viewer, { id, action: 'job.discarded' }, (tx) => deleteJob(tx, id));

/** Often enough for an open page, and a thousand jobs that run at once are one change. */
const QUIET_MS = 1000;

/** Tells open pages that jobs started or ended, at most once a second. */
export function watchJobs({ database, clock, log }: Pick<Deps, 'database' | 'clock' | 'log'>) {
  let timer: NodeJS.Timeout | null = null;
  const send = () =>
    publishSignal(database.db, 'admin:jobs', clock.now()).catch((error: unknown) =>
      log.warn({ err: error }, 'Could not publish a change of the jobs.'),
    );
  return {
    publish: () => {
      timer ??= setTimeout(() => {
        timer = null;
        void send();
      }, QUIET_MS).unref();
    },
    /** Call before the database closes. */
    stop: async () => {
      if (timer) clearTimeout(timer);
      timer = null;
    },
  };
}
