import type { JobLane } from '#contract/admin/job-names.ts';

/**
 * Every kind of work has a lane, and how many jobs of it one process runs at the same time. Lanes
 * never wait for each other: a silent mail server or hundreds of release e-mails hold up neither a
 * password reset nor an upload.
 */
export const LANES = {
  /** Somebody is waiting for it: password resets, changes of an account. */
  'urgent-mail': 2,
  /** To one person: receipts, reminders, the invitation of a helper. */
  mail: 2,
  /** To everyone at once: releases. */
  'bulk-mail': 2,
  /** Whatever asks the payment provider. */
  payments: 3,
  /** From the last byte of a file to its track. */
  uploads: 2,
  /** Minutes of a processor each. */
  media: 2,
  /** Seconds of a processor each, for somebody who waits: not behind the audio of a mix. */
  clips: 1,
  /** Deletes files that nothing uses. */
  files: 1,
  /** What goes to services that nobody waits for. */
  outside: 1,
  /** What listeners heard, to services that they chose: any of them may be slow or silent. */
  scrobbles: 4,
  /** Release notices, through the push services of browsers. */
  notices: 4,
  /** Works on our own database only. */
  housekeeping: 2,
  /** Looks whether all is well: never behind what it looks at. */
  watch: 1,
} as const satisfies Record<JobLane, number>;

export type Lane = JobLane;

export const LANE_NAMES = Object.keys(LANES) as Lane[];
