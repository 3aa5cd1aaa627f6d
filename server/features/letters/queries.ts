import { sql } from 'kysely';
import type { LetterAudience, LetterPage } from '#contract/letters.ts';
import { DAY } from '#contract/rules/time.ts';
import type { PageQuery } from '#contract/paging.ts';
import type { Db, Tx } from '../../db/connect.ts';
import type { LetterMailsTable, LettersTable } from '../../db/types/letter-tables.ts';
import { CursorId, CursorNumber, paginate } from '../../http/route/paginate.ts';
import { publishSignal } from '../live/service.ts';
import { mayBeMailed } from '../../ports/mail/refused-addresses.ts';

type MailState = LetterMailsTable['state'];
type Columns = Partial<LettersTable>;

export const findLetter = (db: Db, id: string): Promise<LettersTable | undefined> =>
  db.selectFrom('letters').selectAll().where('id', '=', id).executeTakeFirst();

export const insertLetter = (tx: Tx, row: LettersTable) =>
  tx.insertInto('letters').values(row).execute();

/** Undefined if it is in another state by now, or has another version. */
export const changeLetter = (
  db: Db,
  { id, state, version }: Pick<LettersTable, 'id' | 'state' | 'version'>,
  change: Columns,
): Promise<LettersTable | undefined> =>
  db
    .updateTable('letters')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .where('state', '=', state)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst();

export const deleteDraft = ({ id, version }: LettersTable, tx: Tx) =>
  tx
    .deleteFrom('letters')
    .where('id', '=', id)
    .where('state', '=', 'draft')
    .where('version', '=', version)
    .returning('picture')
    .executeTakeFirst();

export const listLetters = (db: Db, page: PageQuery) =>
  paginate(db.selectFrom('letters').selectAll(), page, { orderBy: [['id', CursorId]] });

export const isPictureUsed = async (db: Db, name: string): Promise<boolean> =>
  (await db.selectFrom('letters').select('id').where('picture', '=', name).executeTakeFirst()) !==
  undefined;

/** Who may read a letter on the site once it is out; a stopped one is hidden. */
export const pagesFor = (isMember: boolean): LetterPage[] =>
  isMember ? ['members', 'everyone'] : ['everyone'];

export const isOut = ({ state }: Pick<LettersTable, 'state'>): boolean =>
  state === 'sending' || state === 'sent';

export const listOut = (db: Db, pages: readonly LetterPage[], page: PageQuery) =>
  paginate(
    db
      .selectFrom('letters')
      .select([
        'id',
        'subject',
        'body',
        'picture',
        'picture_text',
        sql<number>`started_at`.as('at'),
      ])
      .select('started_at')
      .where('started_at', 'is not', null)
      .where('state', 'in', ['sending', 'sent'])
      .where('page', 'in', pages),
    page,
    {
      orderBy: [
        ['started_at', CursorNumber],
        ['id', CursorId],
      ],
    },
  );

/** Members who want product news. */
const selectReaders = (db: Db) =>
  db
    .selectFrom('preferences')
    .innerJoin('users', 'users.id', 'preferences.user_id')
    .where('preferences.news_mails', '=', sql.lit(1 as const))
    .where(mayBeMailed);

/** Whether a member is one of them now. Staff have access without Premium, so they are in no group. */
const isIn = (audience: LetterAudience, paidAfter: number) => {
  const isMember = sql`users.is_admin = 0 and users.is_helper = 0`;
  const paid = sql`coalesce(users.paid_through, 0)`;
  const limit = sql`cast(${paidAfter} as bigint)`;
  return sql<boolean>`(${
    {
      everyone: sql`1 = 1`,
      premium: sql`${isMember} and ${paid} > ${limit}`,
      free: sql`${isMember} and ${paid} <= ${limit}`,
      lapsed: sql`${isMember} and users.paid_through is not null and ${paid} <= ${limit}`,
    }[audience]
  })`;
};

export const countReaders = (
  db: Db,
  paidAfter: number,
): Promise<Record<LetterAudience, number>> => {
  const count = (audience: LetterAudience) =>
    sql<number>`count(case when ${isIn(audience, paidAfter)} then 1 end)`.as(audience);
  return selectReaders(db)
    .select([count('everyone'), count('premium'), count('free'), count('lapsed')])
    .executeTakeFirstOrThrow();
};

/** Still wants news, and may get mail. */
export const findReader = (db: Db, userId: string) =>
  selectReaders(db)
    .select([
      'users.id',
      'users.email',
      'users.username',
      'users.is_admin',
      'users.is_helper',
      'users.paid_through',
    ])
    .where('preferences.user_id', '=', userId)
    .executeTakeFirst();

const LIST_AT_ONCE = 500;

/**
 * Fixes the next recipients of a letter; returns whether there may be more. The row of the letter says
 * how far it got, so it goes on there after a crash.
 */
export async function listMoreRecipients(
  tx: Tx,
  { id, audience, listed_to: after }: LettersTable,
  { paidAfter, now }: { paidAfter: number; now: number },
): Promise<boolean> {
  if (after === null) return false;
  const found = await selectReaders(tx)
    .select('users.id')
    .where('preferences.user_id', '>', after)
    .where(isIn(audience, paidAfter))
    .orderBy('preferences.user_id')
    .limit(LIST_AT_ONCE)
    .execute();
  const last = found.length < LIST_AT_ONCE ? null : (found.at(-1)?.id ?? null);
  const moved = await tx
    .updateTable('letters')
    .set({ listed_to: last, waiting: sql<number>`waiting + ${found.length}` })
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .where('listed_to', '=', after)
    .returning('id')
    .executeTakeFirst();
  // Another worker was faster, or somebody stopped it.
  if (!moved) return false;
  if (found.length > 0)
    await tx
      .insertInto('letter_mails')
      .values(
        found.map(({ id: user_id }) => ({
          letter_id: id,
          user_id,
          state: 'waiting' as const,
          at: now,
          unsubscribed_at: null,
        })),
      )
      .execute();
  return last !== null;
}

export async function countQueued(db: Db, letterId: string): Promise<number> {
  const { count } = await db
    .selectFrom('letter_mails')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('letter_id', '=', letterId)
    .where('state', '=', 'queued')
    .executeTakeFirstOrThrow();
  return count;
}

/** The next recipients, who from now on have a job each. */
export async function queueNext(
  tx: Tx,
  letterId: string,
  { limit, now }: { limit: number; now: number },
): Promise<string[]> {
  const next = await tx
    .selectFrom('letter_mails')
    .select('user_id')
    .where('letter_id', '=', letterId)
    .where('state', '=', 'waiting')
    .orderBy('user_id')
    .limit(limit)
    .execute();
  if (next.length === 0) return [];
  const queued = await tx
    .updateTable('letter_mails')
    .set({ state: 'queued', at: now })
    .where('letter_id', '=', letterId)
    .where('state', '=', 'waiting')
    .where(
      'user_id',
      'in',
      next.map(({ user_id }) => user_id),
    )
    .returning('user_id')
    .execute();
  return queued.map(({ user_id }) => user_id);
}

export type LetterMail = { letterId: string; userId: string };

export const findMail = (db: Db, { letterId, userId }: LetterMail) =>
  db
    .selectFrom('letter_mails')
    .selectAll()
    .where('letter_id', '=', letterId)
    .where('user_id', '=', userId)
    .executeTakeFirst();

const COUNTED = {
  waiting: 'waiting',
  queued: 'waiting',
  sent: 'sent',
  refused: 'refused',
  failed: 'failed',
  left_out: 'left_out',
} as const satisfies Record<MailState, keyof LettersTable>;

/** Moves a mail to another state and counts it there; the last one finishes the letter. */
export async function moveMail(
  tx: Tx,
  mail: LetterMail,
  to: MailState,
  now: number,
): Promise<void> {
  const before = await findMail(tx, mail);
  if (!before || before.state === to) return;
  const { letterId: id, userId } = mail;
  const moved = await tx
    .updateTable('letter_mails')
    .set({ state: to, at: now })
    .where('letter_id', '=', id)
    .where('user_id', '=', userId)
    .where('state', '=', before.state)
    .returning('user_id')
    .executeTakeFirst();
  const [from, into] = [COUNTED[before.state], COUNTED[to]];
  if (!moved || from === into) return;
  await tx
    .updateTable('letters')
    .set({
      [from]: sql<number>`${sql.ref(from)} - 1`,
      [into]: sql<number>`${sql.ref(into)} + 1`,
    })
    .where('id', '=', id)
    .execute();
  await finishIfDone(tx, id, now);
}

export async function finishIfDone(tx: Db, id: string, now: number): Promise<void> {
  const finished = await tx
    .updateTable('letters')
    .set({ state: 'sent', finished_at: now })
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .where('listed_to', 'is', null)
    .where('waiting', '=', 0)
    .returning('id')
    .executeTakeFirst();
  if (finished) await publishSignal(tx, 'admin:letters', now);
}

export const listDue = (db: Db, now: number): Promise<LettersTable[]> =>
  db
    .selectFrom('letters')
    .selectAll()
    .where('state', '=', sql.lit('planned' as const))
    .where('send_at', '<=', now)
    .orderBy('id')
    .execute();

/** Planned ones that couldn't go out, and that nobody has looked after since. */
export async function countRefused(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('letters')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('refusal', 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}

export const listSending = (db: Db) =>
  db
    .selectFrom('letters')
    .select('id')
    .where('state', '=', sql.lit('sending' as const))
    .orderBy('id')
    .execute();

/** All mails of letters under way that are not out yet. */
export async function countWaiting(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('letters')
    .select(({ fn }) => fn.sum<number | null>('waiting').as('count'))
    .where('state', '=', sql.lit('sending' as const))
    .executeTakeFirstOrThrow();
  return count ?? 0;
}

/** A mail that comes back does so within days. */
const RETURN_MS = 7 * DAY;

/** How many mails were accepted and came back later. Few addresses are refused, so it starts there. */
export async function countReturned(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('refused_addresses')
    .innerJoin('users', 'users.email_key', 'refused_addresses.email_key')
    .innerJoin('letter_mails', 'letter_mails.user_id', 'users.id')
    .select(['letter_mails.letter_id', sql<number>`count(*)`.as('count')])
    .where('letter_mails.letter_id', 'in', ids)
    .where('letter_mails.state', '=', 'sent')
    .whereRef('refused_addresses.refused_at', '>=', 'letter_mails.at')
    .where(sql<boolean>`refused_addresses.refused_at < letter_mails.at + ${sql.lit(RETURN_MS)}`)
    .groupBy('letter_mails.letter_id')
    .execute();
  return new Map(rows.map(({ letter_id, count }) => [letter_id, count]));
}

/** Somebody followed the link of this letter to get no more of them. Counted once. */
export async function countUnsubscribed(
  tx: Tx,
  { letterId, userId }: LetterMail,
  now: number,
): Promise<void> {
  const noted = await tx
    .updateTable('letter_mails')
    .set({ unsubscribed_at: now })
    .where('letter_id', '=', letterId)
    .where('user_id', '=', userId)
    .where('unsubscribed_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst();
  if (!noted) return;
  await tx
    .updateTable('letters')
    .set({ unsubscribed: sql<number>`unsubscribed + 1` })
    .where('id', '=', letterId)
    .execute();
}

/** Which letters a member got. */
export async function* exportLetterMails(db: Db, userId: string) {
  const rows = await db
    .selectFrom('letter_mails')
    .innerJoin('letters', 'letters.id', 'letter_mails.letter_id')
    .select(['letters.subject', 'letter_mails.state', 'letter_mails.at', 'unsubscribed_at'])
    .where('letter_mails.user_id', '=', userId)
    .orderBy('letter_mails.letter_id')
    .execute();
  for (const { unsubscribed_at: unsubscribedAt, ...row } of rows) yield { ...row, unsubscribedAt };
}

/** The rows go with the account; what still waits is not waited for. */
export async function leaveOutMember(tx: Tx, userId: string, now: number): Promise<void> {
  const waiting = await tx
    .selectFrom('letter_mails')
    .select('letter_id')
    .where('user_id', '=', userId)
    .where('state', 'in', ['waiting', 'queued'])
    .execute();
  for (const { letter_id: letterId } of waiting)
    await moveMail(tx, { letterId, userId }, 'left_out', now);
}
