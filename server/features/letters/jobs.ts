import { z } from 'zod';
import { MINUTE, DAY } from '#contract/rules/time.ts';
import type { LetterContent } from '#contract/admin/letters.ts';
import { readSettings } from '../../db/settings.ts';
import type { Tx } from '../../db/connect.ts';
import type { LettersTable } from '../../db/types/letter-tables.ts';
import type { Deps } from '../../deps.ts';
import { readAccessPolicy } from '../../http/route/access-policy.ts';
import { AppError } from '../../http/route/app-error.ts';
import { countAttemptsWithin } from '../../jobs/backoff.ts';
import { defineJob, defineSchedule } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import { allowSendingAgain, forgetMessage, planMessage, sendOnce } from '../../jobs/send-once.ts';
import { findRefusal } from '../../ports/mail/refused-addresses.ts';
import { publishSignal } from '../live/service.ts';
import { buildUnsubscribeUrl } from '../preferences/service.ts';
import { openCatalogue } from '../tracks/service.ts';
import { prepareLetter, writeLetter } from './letter-mail.ts';
import { findObstacle } from './obstacles.ts';
import {
  changeLetter,
  countQueued,
  findLetter,
  findMail,
  findReader,
  finishIfDone,
  listDue,
  listMoreRecipients,
  listSending,
  moveMail,
  queueNext,
  type LetterMail,
} from './queries.ts';

const keyOf = ({ letterId, userId }: LetterMail): string => `letter:${letterId}:${userId}`;

export const toContent = (row: LettersTable): LetterContent => ({
  subject: row.subject,
  body: row.body,
  picture: row.picture,
  pictureText: row.picture_text,
  trackId: row.track_id,
});

async function refusesMail(tx: Tx, { userId }: LetterMail): Promise<boolean> {
  const user = await tx
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirst();
  return user !== undefined && (await findRefusal(tx, user.email)) !== undefined;
}

/** If the address refuses mail, it was to blame. */
const noteFailure = async (tx: Tx, mail: LetterMail, now: number): Promise<void> =>
  moveMail(tx, mail, (await refusesMail(tx, mail)) ? 'refused' : 'failed', now);

const REFUSED_ADDRESS =
  'This member’s address refuses mail, so the letter wouldn’t arrive. Press “Send e-mails again” on the member’s page first.';

/** At most once: however often the server stops, nobody gets a letter twice. */
export const sendLetterMail = defineJob({
  name: 'send-letter-mail',
  lane: 'bulk-mail',
  payload: z.object({ letterId: z.string(), userId: z.string() }),
  maxAttempts: countAttemptsWithin(DAY),
  canDiscard: true,
  run: async (deps: Deps, mail, job) => {
    const { clock, database } = deps;
    const { db } = database;
    const [letter, row] = [await findLetter(db, mail.letterId), await findMail(db, mail)];
    if (!letter || row?.state !== 'queued') return;
    const { letterId, userId } = mail;
    const move = (to: 'waiting' | 'left_out') =>
      job.finish((tx) => moveMail(tx, mail, to, clock.now()));
    if (letter.state === 'stopped') return move('waiting');
    const reader = await findReader(db, userId);
    if (!reader) return move('left_out');
    const access = { ...reader, ...(await readAccessPolicy(deps)) };
    const catalogue = letter.track_id === null ? null : await openCatalogue(deps, access);
    const track = (await catalogue?.find(letter.track_id ?? '')) ?? null;
    const key = keyOf(mail);
    await planMessage(db, { key, userId }, clock.now());
    const unsubscribeUrl = await buildUnsubscribeUrl(deps, { userId, kind: 'news', letterId });
    const message = writeLetter(await prepareLetter(deps, toContent(letter)), {
      to: reader.email,
      username: reader.username,
      unsubscribeUrl,
      track,
      pageId: letter.page === 'none' ? null : letterId,
    });
    const onSent = async (tx: Tx) => {
      // The row of the mail says for good that it was sent.
      await forgetMessage(tx, key);
      await moveMail(tx, mail, 'sent', clock.now());
    };
    await sendOnce(deps, { ...message, key }, job, { onSent });
  },
  onDead: noteFailure,
  onRetry: async (tx, mail) => {
    const before = await findMail(tx, mail);
    if (before && (await refusesMail(tx, mail)))
      throw new AppError('letter_refused', { message: REFUSED_ADDRESS });
    if (before?.state === 'failed' || before?.state === 'refused')
      await moveMail(tx, mail, 'queued', before.at);
    await allowSendingAgain(tx, keyOf(mail));
  },
});

/**
 * How many mails of a letter wait in the queue at most: what goes out in some minutes, so that a release
 * in between doesn't wait for all of it, and stopping has little to take back.
 */
const findRoom = (mailsPerHour: number): number =>
  mailsPerHour === 0 ? 1000 : Math.max(20, Math.ceil(mailsPerHour / 6));

/** The next step of a letter: fixes who gets it, and queues the next mails. */
async function advance(deps: Deps, id: string, signal: AbortSignal): Promise<void> {
  const { clock, database } = deps;
  const { db } = database;
  const { grace_ms: graceMs } = await readAccessPolicy(deps);
  for (let hasMore = true; hasMore;) {
    signal.throwIfAborted();
    const now = clock.now();
    hasMore = await db.transaction().execute(async (tx) => {
      const letter = await findLetter(tx, id);
      if (letter?.state !== 'sending') return false;
      return listMoreRecipients(tx, letter, { paidAfter: now - graceMs, now });
    });
  }
  const now = clock.now();
  const { mailsPerHour } = await readSettings(db, now);
  await db.transaction().execute(async (tx) => {
    const letter = await findLetter(tx, id);
    if (letter?.state !== 'sending') return;
    const limit = findRoom(mailsPerHour) - (await countQueued(tx, id));
    const userIds = limit > 0 ? await queueNext(tx, id, { limit, now }) : [];
    for (const userId of userIds) {
      const mail = { letterId: id, userId };
      await enqueue(tx, sendLetterMail, mail, { now, uniqueKey: keyOf(mail) });
    }
    await publishSignal(tx, 'admin:letters', now);
    await finishIfDone(tx, id, now);
  });
  deps.jobs.wake();
}

/** Somebody has just pressed the button. */
export const startLetter = defineJob({
  name: 'start-letter',
  payload: z.object({ id: z.string() }),
  run: (deps: Deps, { id }, { signal }) => advance(deps, id, signal),
});

/**
 * Looks again at what was true when it was planned: the mix may have been postponed meanwhile. What can't
 * go out is a draft again, and says why.
 */
async function startDue(deps: Deps): Promise<void> {
  const { db } = deps.database;
  const now = deps.clock.now();
  for (const letter of await listDue(db, now)) {
    const refusal = await findObstacle(deps, letter, now);
    const change =
      refusal === null
        ? { state: 'sending' as const, started_at: now, send_at: null }
        : { state: 'draft' as const, send_at: null, refusal };
    // Undefined if somebody has just cancelled it.
    if (await changeLetter(db, letter, change)) await publishSignal(db, 'admin:letters', now);
  }
}

/** Every minute, also for those of a downtime. */
export const sendLetters = defineSchedule({
  name: 'send-letters',
  lane: 'mail',
  everyMs: MINUTE,
  run: async (deps: Deps, { signal }) => {
    const { db } = deps.database;
    await startDue(deps);
    for (const { id } of await listSending(db)) await advance(deps, id, signal);
  },
});
