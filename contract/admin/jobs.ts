import { z } from 'zod';
import { PageQuery, pageOf, shortListOf } from '../paging.ts';
import { defineRoutes } from '../route.ts';
import { JOB_LANES } from './job-names.ts';

export const JOB_STATES = ['running', 'waiting', 'failed'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** What a job works on, if it still exists. */
export const JobSubject = z.object({
  track: z.object({ id: z.string(), title: z.string() }).nullable(),
  /** The name is null if the account is deleted. */
  user: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  /** Of an upload. */
  fileName: z.string().nullable(),
  letter: z.object({ id: z.string(), subject: z.string() }).nullable(),
  /** What kind of message it sends: `receipt`, `password-changed`. */
  message: z.string().nullable(),
});
export type JobSubject = z.infer<typeof JobSubject>;

/** Without the payload, which can contain personal data. */
export const JobItem = z.object({
  id: z.string(),
  name: z.string(),
  lane: z.string(),
  about: JobSubject,
  state: z.enum(JOB_STATES),
  /** It waits until an administrator lets its lane or its kind go on. */
  isPaused: z.boolean(),
  /** Nothing that was promised is lost with it. */
  canDiscard: z.boolean(),
  attempts: z.int(),
  maxAttempts: z.int(),
  /** How often the server stopped while it was running. */
  interruptions: z.int(),
  /** When it is or was due. */
  runAt: z.int(),
  updatedAt: z.int(),
  /** Why the last attempt failed. */
  error: z.string().nullable(),
});
export type JobItem = z.infer<typeof JobItem>;

export const ScheduleItem = z.object({
  name: z.string(),
  everyMs: z.int(),
  lastRunAt: z.int().nullable(),
  lastError: z.string().nullable(),
  nextRunAt: z.int().nullable(),
  isRunning: z.boolean(),
});
export type ScheduleItem = z.infer<typeof ScheduleItem>;

/** A lane or a kind of job: `lane:mail`, `job:send-letter-mail`. */
const PauseTarget = z
  .string()
  .regex(/^(?:lane|job):[a-z][a-z-]{0,60}$/, 'Choose a lane or a kind of job.');

const JobPause = z.object({
  target: PauseTarget,
  at: z.int(),
  /** Null if the account is deleted. */
  by: z.string().nullable(),
});
export type JobPause = z.infer<typeof JobPause>;

const params = z.object({ id: z.string().regex(/^[\w-]{1,64}$/) });
const errors = ['unauthenticated', 'not_found'] as const;

/** Counting stops here. */
export const MAX_COUNTED = 1000;
const count = z.int().min(0).max(MAX_COUNTED);

export const jobRoutes = defineRoutes({
  'GET /api/admin/jobs': {
    summary: 'List running, waiting or failed background jobs, of all lanes or one.',
    query: PageQuery.extend({
      state: z.enum(JOB_STATES),
      lane: z.enum(JOB_LANES, { error: 'Choose a lane.' }).optional(),
      name: z
        .string()
        .regex(/^[a-z][a-z-]{0,60}$/, 'Choose a kind of job.')
        .optional(),
    }),
    response: pageOf(JobItem).extend({
      /** Of that lane and kind. */
      counts: z.object({ running: count, waiting: count, failed: count }),
      /** The newest first. */
      pauses: z.array(JobPause),
    }),
    errors,
  },
  'GET /api/admin/schedules': {
    summary: 'List recurring jobs with their last and next runs.',
    response: shortListOf(ScheduleItem),
    errors,
  },
  'POST /api/admin/jobs/:id/retry': {
    summary: 'Retry a failed job now.',
    params,
    errors: [...errors, 'letter_refused'],
  },
  'POST /api/admin/jobs/:id/run': {
    summary: 'Run a waiting job now instead of at its time.',
    params,
    errors: [...errors, 'job_paused'],
  },
  'DELETE /api/admin/jobs/:id': {
    summary: 'Discard a failed or waiting job.',
    params,
    errors: [...errors, 'job_needed'],
  },
  'PUT /api/admin/job-pauses': {
    summary: 'Pause a lane or a kind of job, or let it go on.',
    body: z.strictObject({ target: PauseTarget, isPaused: z.boolean() }),
    errors: [...errors, 'job_needed'],
  },
});
