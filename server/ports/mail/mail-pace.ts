import { sql } from 'kysely';
import { findBulkInterval } from '#contract/rules/mail-pace.ts';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import type { Db } from '../../db/connect.ts';
import { readSettings } from '../../db/settings.ts';

/** What wasn't used in the last minute can be sent at once: a worker looks for jobs once a second. */
const CATCH_UP_MS = MINUTE;
/** Clocks of several servers differ a little. A time further ahead was written by a clock that was fast. */
const TOLERANCE_MS = MINUTE;

export type MailPace = {
  /** From one mail to many to the next; 0 without a limit. */
  intervalMs: number;
  /** The mails so far at that interval end here. */
  nextAt: number;
  pausedUntil: number;
  pauseReason: string | null;
};

/** The row is the same for all processes, so together they keep to the pace. */
export async function readMailPace(db: Db, now: number): Promise<MailPace> {
  const { mailsPerHour } = await readSettings(db, now);
  const row = await db.selectFrom('mail_pace').selectAll().executeTakeFirst();
  const isUsable = row !== undefined && row.updated_at <= now + TOLERANCE_MS;
  return {
    intervalMs: findBulkInterval(mailsPerHour),
    nextAt: isUsable ? row.next_at : 0,
    pausedUntil: isUsable ? row.paused_until : 0,
    pauseReason: isUsable ? row.pause_reason : null,
  };
}

/** Whether `more` mails can go out at once. */
export const isWithinPace = (
  { intervalMs, nextAt, pausedUntil }: MailPace,
  more: number,
  now: number,
): boolean =>
  pausedUntil <= now &&
  (intervalMs === 0 || Math.max(nextAt, now - CATCH_UP_MS) + (more - 1) * intervalMs <= now);

/** Whoever holds the lock until the end of the transaction is the only one who decides. */
export const lockMailPace = async (tx: Db): Promise<void> =>
  void (await tx
    .insertInto('mail_pace')
    .values({ id: 1, next_at: 0, paused_until: 0, pauses: 0, updated_at: 0 })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ id: 1 }))
    .execute());

const time = (value: number) => sql<number>`cast(${value} as bigint)`;

/**
 * Every mail counts, whoever it is for; only mail to many waits for its turn. So what is urgent goes
 * out at once, and mail to many makes up for it. What lies an hour back is forgotten.
 */
export async function countMail(db: Db, now: number): Promise<void> {
  const { mailsPerHour } = await readSettings(db, now);
  if (mailsPerHour === 0) return;
  const interval = findBulkInterval(mailsPerHour);
  const earliest = now - CATCH_UP_MS;
  await db
    .insertInto('mail_pace')
    .values({ id: 1, next_at: earliest + interval, paused_until: 0, pauses: 0, updated_at: now })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        next_at: sql<number>`case
          when mail_pace.next_at < ${time(earliest)} or mail_pace.updated_at > ${time(now + TOLERANCE_MS)}
            then ${time(earliest)}
          when mail_pace.next_at > ${time(now + HOUR)} then ${time(now + HOUR)}
          else mail_pace.next_at end + ${time(interval)}`,
        updated_at: now,
      }),
    )
    .execute();
}

type Pause = {
  kind: 'over-limit' | 'unavailable';
  reason: string;
  /** As long as the server said; if it didn’t, each pause in a row is twice as long. */
  forMs: number | null;
};

const PAUSES = {
  'over-limit': { first: 5 * MINUTE, longest: HOUR },
  unavailable: { first: MINUTE, longest: 15 * MINUTE },
};
const LONGEST_SAID_MS = DAY;

/** Mail to many waits, all of it. Returns until when. Several failures at once are one pause. */
export async function pauseBulkMail(
  db: Db,
  { kind, reason, forMs }: Pause,
  now: number,
): Promise<number> {
  const before = await db.selectFrom('mail_pace').selectAll().executeTakeFirst();
  const isUsable = before !== undefined && before.updated_at <= now + TOLERANCE_MS;
  const isPaused = isUsable && before.paused_until > now;
  const pauses = isUsable ? before.pauses : 0;
  const { first, longest } = PAUSES[kind];
  const growing = Math.min(longest, first * 2 ** pauses);
  const until = now + (forMs === null ? growing : Math.min(forMs, LONGEST_SAID_MS));
  if (isPaused && (forMs === null || before.paused_until >= until)) return before.paused_until;
  const pause = {
    paused_until: until,
    pauses: isPaused ? pauses : pauses + 1,
    pause_reason: reason.slice(0, 300),
    updated_at: now,
  };
  await db
    .insertInto('mail_pace')
    .values({ id: 1, next_at: 0, ...pause })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(pause))
    .execute();
  return until;
}

/** The mail server takes mails again. A pause that it asked for lasts, whatever is sent meanwhile. */
export async function endPauses(db: Db, now: number): Promise<void> {
  await db
    .updateTable('mail_pace')
    .set({ pauses: 0, pause_reason: null, updated_at: now })
    .where('pauses', '>', 0)
    .where((eb) => eb('paused_until', '<=', now).or('updated_at', '>', now + TOLERANCE_MS))
    .execute();
}
