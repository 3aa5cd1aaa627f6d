import { sql } from 'kysely';
import type { PaymentIssue } from '#contract/admin/payment-issues.ts';
import type { Page, PageQuery } from '#contract/paging.ts';
import type { PaymentIssuesTable } from '../../db/types/billing-tables.ts';
import type { Db, Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { CursorId, CursorNumber, paginate } from '../../http/route/paginate.ts';
import { newId } from '../../db/ids.ts';
import { deleteIdleJobs } from '../../jobs/queue.ts';
import { recordAction } from '../audit/service.ts';
import { publishSignal } from '../live/service.ts';
import { isMailed, mailAdministrators, sendIssueMail } from './send-issue-mail.ts';

export { listSampleIssueMails } from './sample-mails.ts';
export { nameProvider } from './send-issue-mail.ts';

/** The keys of issues, so that whatever notices that a cause has gone finds them again. */
export const otherAmountKey = (provider: string, chargeId: string): string =>
  `other-amount:${provider}:${chargeId}`;
export const disputeKey = (provider: string, chargeId: string): string =>
  `dispute:${provider}:${chargeId}`;
export const unknownChargeKey = (provider: string, chargeId: string): string =>
  `unknown-charge:${provider}:${chargeId}`;
export const refundKey = (provider: string, chargeId: string): string =>
  `refund-at-provider:${provider}:${chargeId}`;
export const refundFailedKey = (provider: string, chargeId: string): string =>
  `refund-failed:${provider}:${chargeId}`;
export const unsettledKey = (reference: string): string => `payment-unsettled:${reference}`;

export type NewIssue = {
  /** What it is about: it is opened once, however often that is noticed. */
  key: string;
  kind: PaymentIssuesTable['kind'];
  /** A sentence without names or addresses: issues outlive accounts. */
  reason: string;
  userId?: string | null;
  provider?: string | null;
  chargeId?: string | null;
  reference?: string | null;
  amount?: number | null;
  currency?: string | null;
  dueAt?: number | null;
};

const signalChange = (tx: Tx, now: number) => publishSignal(tx, 'admin:payment-issues', now);

/**
 * Call it in the transaction of what it reports. An issue that an administrator closed stays closed
 * until its cause has gone or another kind comes under its key: then it may be opened again.
 */
export async function openIssue(tx: Tx, issue: NewIssue, now: number): Promise<void> {
  const facts = {
    kind: issue.kind,
    user_id: issue.userId ?? null,
    provider: issue.provider ?? null,
    charge_id: issue.chargeId ?? null,
    reference: issue.reference ?? null,
    amount: issue.amount ?? null,
    currency: issue.currency ?? null,
    reason: issue.reason,
    due_at: issue.dueAt ?? null,
    opened_at: now,
    closed_at: null,
    closed_by: null,
    note: null,
    keeps_subscription: 0 as const,
  };
  const opened = await tx
    .insertInto('payment_issues')
    .values({ id: newId(now), key: issue.key, ...facts })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet(facts)
        .where((where) =>
          where.or([
            where('payment_issues.kind', '<>', issue.kind),
            where.and([
              where('payment_issues.closed_at', 'is not', null),
              where('payment_issues.closed_by', 'is', null),
            ]),
          ]),
        ),
    )
    .returning('id')
    .executeTakeFirst();
  if (!opened) return;
  await signalChange(tx, now);
  if (isMailed(issue.kind)) await mailAdministrators(tx, opened.id, now);
}

/**
 * The cause has gone. The note says how; an administrator’s own note stays, and what they decided is
 * over: another dispute of the same payment is decided anew.
 */
export async function closeIssue(tx: Tx, key: string, note: string, now: number): Promise<void> {
  const closed = await tx
    .updateTable('payment_issues')
    .set({ closed_at: now, note, keeps_subscription: 0 })
    .where('key', '=', key)
    .where('closed_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (closed) return signalChange(tx, now);
  await tx
    .updateTable('payment_issues')
    .set({ closed_by: null, keeps_subscription: 0 })
    .where('key', '=', key)
    .where('closed_by', 'is not', null)
    .execute();
}

/** Whether an administrator has closed the issue that was opened since then. */
export const isClosedByHand = async (tx: Tx, key: string, since: number): Promise<boolean> =>
  (await tx
    .selectFrom('payment_issues')
    .select('id')
    .where('key', '=', key)
    .where('opened_at', '>=', since)
    .where('closed_by', 'is not', null)
    .executeTakeFirst()) !== undefined;

/**
 * A bank decided against us. Whoever saw the dispute while it was open needs no more; otherwise an
 * administrator sees now what it cost, until they close it.
 */
export async function reportLostDispute(
  tx: Tx,
  issue: Omit<NewIssue, 'kind'>,
  now: number,
): Promise<void> {
  const kind = 'dispute-lost';
  const lost = tx
    .updateTable('payment_issues')
    .set({ kind, keeps_subscription: 0 })
    .where('key', '=', issue.key)
    .where('kind', '<>', kind)
    .returning('id');
  const closed = await lost
    .set({ closed_at: now, closed_by: 'the bank', note: 'Lost.' })
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  const wasClosed = await lost.where('closed_by', 'is not', null).executeTakeFirst();
  if (closed ?? wasClosed) await signalChange(tx, now);
  else await openIssue(tx, { ...issue, kind }, now);
}

const selectIssues = (db: Db) =>
  db
    .selectFrom('payment_issues')
    .leftJoin('users as subjects', 'subjects.id', 'payment_issues.user_id')
    .leftJoin('users as closers', 'closers.id', 'payment_issues.closed_by')
    .selectAll('payment_issues')
    .select(['subjects.username as user_name', 'closers.username as closer_name']);

type IssueRow = Awaited<ReturnType<ReturnType<typeof selectIssues>['execute']>>[number];

const presentIssue = (row: IssueRow): PaymentIssue => ({
  id: row.id,
  kind: row.kind,
  user:
    row.user_id !== null && row.user_name !== null
      ? { id: row.user_id, name: row.user_name }
      : null,
  provider: row.provider,
  chargeId: row.charge_id,
  reference: row.reference,
  amount: row.amount,
  currency: row.currency,
  reason: row.reason,
  dueAt: row.due_at,
  openedAt: row.opened_at,
  closedAt: row.closed_at,
  closedBy: row.closed_by === null ? null : { id: row.closed_by, name: row.closer_name },
  note: row.note,
  keepsSubscription: row.keeps_subscription === 1,
});

const MAX_OPEN = 100;

/** Later than every deadline: what has none comes after what has one. */
const NEVER = Number.MAX_SAFE_INTEGER;
const urgency = sql<number>`-coalesce(payment_issues.due_at, ${sql.lit(NEVER)})`;

/** The next deadline first, then the newest. */
const readOpenIssues = (db: Db, page: PageQuery) =>
  paginate(selectIssues(db).select(urgency.as('urgency')).where('closed_at', 'is', null), page, {
    orderBy: [
      ['urgency', CursorNumber, urgency],
      ['opened_at', CursorNumber],
      ['payment_issues.id', CursorId],
    ],
  });

export async function listOpenIssues(db: Db): Promise<PaymentIssue[]> {
  const { rows } = await readOpenIssues(db, { limit: MAX_OPEN });
  return rows.map(presentIssue);
}

export async function readIssues(
  { database: { db } }: Deps,
  { state, ...page }: PageQuery & { state: 'open' | 'closed' },
): Promise<Page<PaymentIssue>> {
  const { rows, nextCursor } =
    state === 'open'
      ? await readOpenIssues(db, page)
      : await paginate(selectIssues(db).where('closed_at', 'is not', null), page, {
          orderBy: [
            ['closed_at', CursorNumber],
            ['payment_issues.id', CursorId],
          ],
        });
  return { items: rows.map(presentIssue), nextCursor };
}

export async function closeIssueByHand(
  { database, clock }: Deps,
  viewer: Viewer,
  id: string,
  note: string,
): Promise<void> {
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const closed = await tx
      .updateTable('payment_issues')
      .set({ closed_at: now, closed_by: viewer.user.id, note })
      .where('id', '=', id)
      .where('closed_at', 'is', null)
      .returning(['kind', 'user_id'])
      .executeTakeFirst();
    if (!closed) throw new AppError('not_found');
    await recordAction(
      tx,
      {
        actor: viewer,
        action: 'payment-issue.closed',
        subject: { kind: 'payment', id },
        after: { kind: closed.kind },
        reason: note,
      },
      now,
    );
    await signalChange(tx, now);
  });
}

/** Whether a lost dispute ends the subscription is decided while it is open. */
export async function keepSubscription(
  { database, clock }: Deps,
  viewer: Viewer,
  id: string,
  keepsSubscription: boolean,
): Promise<void> {
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const changed = await tx
      .updateTable('payment_issues')
      .set({ keeps_subscription: keepsSubscription ? 1 : 0 })
      .where('id', '=', id)
      .where('kind', '=', 'dispute')
      .where('closed_at', 'is', null)
      .returning('user_id')
      .executeTakeFirst();
    if (!changed) throw new AppError('not_found');
    await recordAction(
      tx,
      {
        actor: viewer,
        action: keepsSubscription ? 'subscription.kept' : 'subscription.not-kept',
        subject: { kind: 'payment', id },
      },
      now,
    );
    await signalChange(tx, now);
  });
}

/** The disputed charges of a user whose loss does not end the subscription. */
export async function listKeptCharges(db: Db, userId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('payment_issues')
    .select('charge_id')
    .where('user_id', '=', userId)
    .where('keeps_subscription', '=', 1)
    .execute();
  return new Set(rows.flatMap(({ charge_id }) => charge_id ?? []));
}

export async function listOpenIssuesOf(db: Db, userId: string): Promise<PaymentIssue[]> {
  const rows = await selectIssues(db)
    .where('payment_issues.user_id', '=', userId)
    .where('closed_at', 'is', null)
    .orderBy('opened_at', 'desc')
    .execute();
  return rows.map(presentIssue);
}

export const listIssuesOf = (db: Db, userId: string): Promise<PaymentIssuesTable[]> =>
  db
    .selectFrom('payment_issues')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('opened_at')
    .orderBy('id')
    .execute();

/** For an account that is deleted: the facts stay, notes about the person don’t. */
export async function anonymiseIssues(tx: Tx, userId: string): Promise<void> {
  await deleteIdleJobs(tx, [sendIssueMail], (payload) => payload.includes(`"${userId}"`));
  await tx
    .updateTable('payment_issues')
    .set({ user_id: null, note: null })
    .where('user_id', '=', userId)
    .execute();
  await tx
    .updateTable('payment_issues')
    .set({ closed_by: 'a former administrator' })
    .where('closed_by', '=', userId)
    .execute();
}
