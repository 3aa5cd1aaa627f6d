import { JOB_LANES, namePauseTarget, type JobLane } from '#contract/admin/job-names.ts';
import {
  JOB_STATES,
  type JobItem,
  type JobSubject,
  type JobState,
  type ScheduleItem,
} from '#contract/admin/jobs.ts';
import type { PageQuery, ShortList } from '#contract/paging.ts';
import type { Db, Tx } from '../../db/connect.ts';
import type { JobsTable } from '../../db/types/tables.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { findDefinedJob, listDefinedSchedules } from '../../jobs/define-job.ts';
import { recordAction } from '../audit/service.ts';
import {
  addPause,
  countJobs,
  deleteJob,
  deletePause,
  type JobFilter,
  runJobAt,
  runNow,
  listJobs,
  listPauses,
  listScheduledJobs,
  listScheduleRuns,
  lockIdleJob,
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

const canDiscard = ({ state, name }: JobsTable): boolean =>
  state === 'dead' || (state === 'ready' && findDefinedJob(name)?.canDiscard === true);

const findPause = (pauses: readonly { target: string }[], { lane, name }: JobsTable) =>
  pauses.find(({ target }) => target === `lane:${lane}` || target === `job:${name}`);

const presentJob = (
  row: JobsTable,
  about: JobSubject,
  pauses: readonly { target: string }[],
): JobItem => ({
  id: row.id,
  name: row.name,
  lane: row.lane,
  about,
  state: STATES[row.state],
  isPaused: row.state === 'ready' && findPause(pauses, row) !== undefined,
  canDiscard: canDiscard(row),
  attempts: row.attempts,
  maxAttempts: row.max_attempts,
  interruptions: row.interruptions,
  runAt: row.run_at,
  updatedAt: row.updated_at,
  error: row.last_error,
});

export async function readJobs(
  { database }: Deps,
  { state, lane, name, ...page }: PageQuery & JobFilter,
) {
  const { db } = database;
  const { rows, nextCursor } = await listJobs(db, { state, lane, name }, page);
  const counts = { running: 0, waiting: 0, failed: 0 };
  for (const each of JOB_STATES) counts[each] = await countJobs(db, { state: each, lane, name });
  const subjects = await describeSubjects(db, rows);
  const pauses = await listPauses(db);
  const items = rows.flatMap((row, index) => {
    const about = subjects[index];
    return about ? [presentJob(row, about, pauses)] : [];
  });
  return {
    items,
    nextCursor,
    counts,
    pauses: pauses.map(({ target, paused_at: at, username: by }) => ({ target, at, by })),
  };
}

/** What is paused, in words: “E-mails to many” or “Send a letter”. */
export const listPausedNames = async (db: Db): Promise<string[]> =>
  (await listPauses(db)).map(({ target }) => namePauseTarget(target));

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

type JobAction = { id: string; action: string; state?: JobsTable['state'] };

/** A running job can’t be changed. */
async function changeJob(
  { database, clock }: Deps,
  viewer: Viewer,
  { id, action, state }: JobAction,
  change: (tx: Tx, job: JobsTable, now: number) => Promise<unknown>,
) {
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const job = await lockIdleJob(tx, database.dialect, id);
    if (!job || (state !== undefined && job.state !== state)) throw new AppError('not_found');
    await change(tx, job, now);
    const [about] = await describeSubjects(tx, [job]);
    const work = about?.track?.title ?? about?.fileName;
    const after = { name: job.name, ...(work && { about: work }) };
    await recordAction(tx, { actor: viewer, action, subject: { kind: 'job', id }, after }, now);
    await publishSignal(tx, 'admin:jobs', now);
  });
}

export async function retryJob(deps: Deps, viewer: Viewer, id: string): Promise<void> {
  const action = { id, action: 'job.retried', state: 'dead' } as const;
  await changeJob(deps, viewer, action, async (tx, job, now) => {
    const hasSame = job.unique_key !== null && (await runNow(tx, job.unique_key, now));
    await findDefinedJob(job.name)?.onRetry(tx, job.payload);
    await (hasSame ? deleteJob(tx, id) : resetJob(tx, id, now));
  });
  deps.jobs.wake();
}

export async function runWaitingJob(deps: Deps, viewer: Viewer, id: string): Promise<void> {
  const action = { id, action: 'job.run', state: 'ready' } as const;
  await changeJob(deps, viewer, action, async (tx, job, now) => {
    if (findPause(await listPauses(tx), job)) throw new AppError('job_paused');
    await runJobAt(tx, id, now);
  });
  deps.jobs.wake();
}

/** For a job that waited it is as if it had failed for good: what it is about has to know. */
export const discardJob = (deps: Deps, viewer: Viewer, id: string): Promise<void> =>
  changeJob(deps, viewer, { id, action: 'job.discarded' }, async (tx, job, now) => {
    if (!canDiscard(job)) throw new AppError('job_needed');
    if (job.state === 'ready') await findDefinedJob(job.name)?.onDead(tx, job.payload, now);
    await deleteJob(tx, id);
  });

/** Whoever looks whether all is well must not be stopped by mistake. */
const WATCH: JobLane = 'watch';

function checkPauseTarget(target: string): void {
  const [kind, name = ''] = target.split(':');
  const job = kind === 'job' ? findDefinedJob(name) : undefined;
  const lane = kind === 'lane' ? JOB_LANES.find((each) => each === name) : job?.lane;
  if (lane === undefined) throw new AppError('not_found');
  if (lane === WATCH) throw new AppError('job_needed');
}

/** It survives restarts and counts for every server. A job that runs already comes to its end. */
export async function pauseJobs(
  { database, clock, jobs }: Deps,
  viewer: Viewer,
  { target, isPaused }: { target: string; isPaused: boolean },
): Promise<void> {
  checkPauseTarget(target);
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const changed = isPaused
      ? await addPause(tx, { target, userId: viewer.user.id, now })
      : await deletePause(tx, target);
    if (!changed) return;
    await recordAction(
      tx,
      {
        actor: viewer,
        action: isPaused ? 'jobs.paused' : 'jobs.resumed',
        subject: { kind: 'job', id: target },
        after: { target },
      },
      now,
    );
    await publishSignal(tx, 'admin:jobs', now);
  });
  if (!isPaused) jobs.wake();
}

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
