import { z } from 'zod';
import { DEFAULT_PAGE_SIZE, type PageQuery, type Page } from '#contract/paging.ts';
import { hasAccess } from '#contract/rules/access.ts';
import type {
  Subscriber,
  SubscriberFilter,
  SubscriberPage,
  SubscriberPlay,
} from '#contract/admin/subscribers.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { readGraceMs } from '../../http/route/access-policy.ts';
import { AppError } from '../../http/route/app-error.ts';
import {
  CursorId,
  CursorNumber,
  decodeCursor,
  paginate,
  slicePage,
} from '../../http/route/paginate.ts';
import { findDisabledAccount, toAccountKey } from '../accounts/service.ts';
import { listUserSessions } from '../sessions/service.ts';
import {
  findPeriods,
  getSubscriptionOf,
  presentSubscriptions,
} from '../billing/subscriptions/service.ts';
import { listDeparturesOf } from '../departures/service.ts';
import { listOpenIssuesOf } from '../payment-issues/service.ts';
import { listAppPasswordsOf } from '../app-passwords/service.ts';
import { readMailState } from '../returned-mail/service.ts';
import { findFeedUse } from '../podcasts/service.ts';
import {
  type AccessTime,
  findListedUser,
  type ListedUser,
  listLedgersOf,
  listUsers,
} from './list-queries.ts';
import type { LedgerEntriesTable } from '../../db/types/billing-tables.ts';

type Paying = Pick<Subscriber, 'basis' | 'refundedAt'>;

/** What a member's paid time rests on, or why there is none. */
function findPaying(
  ledger: readonly LedgerEntriesTable[],
  calendar: Deps['payments']['calendar'],
): Paying {
  const last = findPeriods(ledger, calendar).at(-1);
  const atOf = (kind: LedgerEntriesTable['kind']) =>
    Math.max(...ledger.filter((entry) => entry.kind === kind).map(({ at }) => at));
  const [chargedAt, refundedAt] = [atOf('charge'), atOf('refund')];
  if (last) return { basis: last.entry.kind === 'charge' ? 'payment' : 'free', refundedAt: null };
  if (refundedAt >= chargedAt && refundedAt > 0) return { basis: 'refunded', refundedAt };
  return { basis: chargedAt > 0 ? 'ended' : 'none', refundedAt: null };
}

async function findPayingOf(
  { database, payments }: Pick<Deps, 'database' | 'payments'>,
  ids: readonly string[],
): Promise<(id: string) => Paying> {
  const byUser = Map.groupBy(await listLedgersOf(database.db, ids), ({ user_id }) => user_id);
  return (id) => findPaying(byUser.get(id) ?? [], payments.calendar);
}

const Cursor = z.tuple([CursorNumber, CursorId]);

export const readAccessTime = async (deps: Deps): Promise<AccessTime> => ({
  now: deps.clock.now(),
  graceMs: await readGraceMs(deps),
});

function accessOf(paidThrough: number | null, { now, graceMs }: AccessTime) {
  if (!hasAccess(paidThrough, now, graceMs)) return 'free';
  return hasAccess(paidThrough, now, 0) ? 'active' : 'grace';
}

export const presentUser = (
  user: ListedUser,
  time: AccessTime,
): Omit<Subscriber, 'basis' | 'refundedAt'> => ({
  id: user.id,
  username: user.username,
  email: user.email,
  isEmailVerified: user.email_verified_at !== null,
  avatarUrl: user.avatar_key === null ? null : `/media/${user.avatar_key}`,
  createdAt: user.created_at,
  paidThrough: user.paid_through,
  access: accessOf(user.paid_through, time),
  isAdmin: user.is_admin === 1,
  isHelper: user.is_helper === 1,
  isDisabled: Boolean(user.is_disabled),
});

type ListInput = PageQuery & { filter?: SubscriberFilter | undefined; q?: string | undefined };

export async function readSubscribers(
  deps: Deps,
  { cursor, limit = DEFAULT_PAGE_SIZE, filter = 'all', q = '' }: ListInput,
): Promise<Page<Subscriber>> {
  const time = await readAccessTime(deps);
  const found = await listUsers(deps.database, { filter, text: toAccountKey(q) }, time, {
    after: cursor ? decodeCursor(Cursor, cursor) : null,
    limit: limit + 1,
  });
  const { rows, nextCursor } = slicePage(found, limit, (user) => [user.paid_through ?? 0, user.id]);
  const payingOf = await findPayingOf(
    deps,
    rows.map(({ id }) => id),
  );
  const items = rows.map((user) => ({ ...presentUser(user, time), ...payingOf(user.id) }));
  return { items, nextCursor };
}

export async function requireSubscriber(deps: Deps, id: string): Promise<Subscriber> {
  const user = await findListedUser(deps.database.db, id);
  if (!user) throw new AppError('not_found');
  const payingOf = await findPayingOf(deps, [id]);
  return { ...presentUser(user, await readAccessTime(deps)), ...payingOf(id) };
}

export async function readSubscriber(deps: Deps, id: string): Promise<SubscriberPage> {
  const subscriber = await requireSubscriber(deps, id);
  const disabled = await findDisabledAccount(deps.database.db, id);
  return {
    subscriber,
    disabled: disabled ? { at: disabled.at, reason: disabled.reason } : null,
    subscription: await getSubscriptionOf(deps, id),
    subscriptions: await presentSubscriptions(deps, id),
    departures: await listDeparturesOf(deps.database.db, id),
    issues: await listOpenIssuesOf(deps.database.db, id),
    sessions: await listUserSessions(deps, id),
    podcastFeed: await findFeedUse(deps, id),
    musicApps: await listAppPasswordsOf(deps, id),
    mail: await readMailState(deps.database.db, subscriber.email),
  };
}

const listPlays = (db: Db, userId: string, page: PageQuery) =>
  paginate(
    db
      .selectFrom('plays')
      .innerJoin('tracks', 'tracks.id', 'plays.track_id')
      .select([
        'plays.id',
        'plays.track_id',
        'tracks.title',
        'tracks.year',
        'tracks.week',
        'plays.listened_at',
        'plays.listened_ms',
        'plays.is_counted',
        'plays.is_subscriber',
      ])
      .where('plays.user_id', '=', userId),
    page,
    {
      orderBy: [
        ['plays.listened_at', CursorNumber],
        ['plays.id', CursorId],
      ],
    },
  );

export async function listPlaysOf(
  deps: Deps,
  id: string,
  page: PageQuery,
): Promise<Page<SubscriberPlay>> {
  await requireSubscriber(deps, id);
  const { rows, nextCursor } = await listPlays(deps.database.db, id, page);
  return {
    items: rows.map((row) => ({
      id: row.id,
      trackId: row.track_id,
      title: row.title,
      year: row.year,
      week: row.week,
      at: row.listened_at,
      listenedMs: row.listened_ms,
      isCounted: row.is_counted === 1,
      wasSubscriber: row.is_subscriber === 1,
    })),
    nextCursor,
  };
}
