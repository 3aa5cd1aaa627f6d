import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { TracksTable, UsersTable } from '../../db/types/tables.ts';
import { DAY } from '#contract/rules/time.ts';
import { mayBeMailed } from '../../ports/mail/refused-addresses.ts';
import { isVisible } from '../tracks/service.ts';
import type { CalendarRelease } from './calendar.ts';

/** After a longer downtime a release is no longer news. */
const CATCH_UP_MS = 7 * DAY;

/**
 * Releases to announce. `announced_at` is null at first, before the release time once subscribers
 * were notified, and after it once everyone was.
 */
export const listToAnnounce = (db: Db, { now, earlyMs }: { now: number; earlyMs: number }) =>
  db
    .selectFrom('tracks')
    .selectAll()
    .where('status', '=', 'ready')
    .where('deleted_at', 'is', null)
    .where('publish_at', '>', now - CATCH_UP_MS)
    .where('publish_at', '<=', now + earlyMs)
    .where(({ or, and, eb }) =>
      or([
        eb('announced_at', 'is', null),
        and([eb('publish_at', '<=', now), sql<boolean>`announced_at < publish_at`]),
      ]),
    )
    .orderBy('publish_at')
    .execute();

export const findReleased = (db: Db, id: string): Promise<TracksTable | undefined> =>
  db
    .selectFrom('tracks')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'ready')
    .where('deleted_at', 'is', null)
    .where('publish_at', 'is not', null)
    .executeTakeFirst();

export type Subscriber = Pick<UsersTable, 'id' | 'is_admin' | 'is_helper' | 'paid_through'>;

/** Users who want release e-mails. */
const selectMailSubscribers = (db: Db) =>
  db
    .selectFrom('users')
    .leftJoin('preferences', 'preferences.user_id', 'users.id')
    .where(mayBeMailed)
    .where(({ or, eb }) =>
      or([eb('preferences.release_mails', 'is', null), eb('preferences.release_mails', '=', 1)]),
    );

/** Ordered by id. */
export const listMailSubscribers = (db: Db, { after, limit }: { after: string; limit: number }) =>
  selectMailSubscribers(db)
    .select(['users.id', 'users.is_admin', 'users.is_helper', 'users.paid_through'])
    .where('users.id', '>', after)
    .orderBy('users.id')
    .limit(limit)
    .execute();

type Audience = { all: number; subscribers: number };

/** How many rows there are, and how many of them are of users with access to everything. */
const countAudience = (paidAfter: number) => [
  sql<number>`count(*)`.as('all'),
  sql<number>`count(case when users.is_admin = 1 or users.is_helper = 1 or users.paid_through > ${paidAfter} then 1 end)`.as(
    'subscribers',
  ),
];

type RecipientsAt = { trackId: string; now: number; paidAfter: number };

/** Users who get an e-mail about the track when it comes out, and haven't got one. */
export const countMailSubscribers = (
  db: Db,
  { trackId, paidAfter }: RecipientsAt,
): Promise<Audience> =>
  selectMailSubscribers(db)
    .leftJoin('release_mails', (join) =>
      join
        .onRef('release_mails.user_id', '=', 'users.id')
        .on('release_mails.track_id', '=', trackId),
    )
    .select(countAudience(paidAfter))
    .where('release_mails.user_id', 'is', null)
    .executeTakeFirstOrThrow();

/** Devices that get a notice about the track when it comes out, and haven't got one. */
export const countDevices = (
  db: Db,
  { trackId, now, paidAfter }: RecipientsAt,
): Promise<Audience> =>
  db
    .selectFrom('push_subscriptions')
    .innerJoin('users', 'users.id', 'push_subscriptions.user_id')
    .innerJoin('sessions', 'sessions.token_hash', 'push_subscriptions.session_hash')
    .leftJoin('release_notices', (join) =>
      join
        .onRef('release_notices.subscription_id', '=', 'push_subscriptions.id')
        .on('release_notices.track_id', '=', trackId),
    )
    .select(countAudience(paidAfter))
    .where('sessions.expires_at', '>', now)
    .where('release_notices.subscription_id', 'is', null)
    .executeTakeFirstOrThrow();

/** How many have been told about the track. */
export async function countTold(
  db: Db,
  trackId: string,
): Promise<{ mails: number; devices: number }> {
  const count = (table: 'release_mails' | 'release_notices') =>
    db
      .selectFrom(table)
      .select(sql<number>`count(*)`.as('count'))
      .where('track_id', '=', trackId)
      .executeTakeFirstOrThrow();
  const [mails, devices] = [await count('release_mails'), await count('release_notices')];
  return { mails: mails.count, devices: devices.count };
}

/** Returns the users who had not been notified yet. */
export async function markMailed(tx: Db, trackId: string, userIds: readonly string[]) {
  if (userIds.length === 0) return [];
  const rows = await tx
    .insertInto('release_mails')
    .values(userIds.map((user_id) => ({ track_id: trackId, user_id })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .execute();
  return rows.map((row) => row.user_id);
}

/** The user is notified later instead. */
export const unmarkMailed = (db: Db, trackId: string, userId: string) =>
  db
    .deleteFrom('release_mails')
    .where('track_id', '=', trackId)
    .where('user_id', '=', userId)
    .execute();

export const setAnnounced = (tx: Db, id: string, at: number) =>
  tx.updateTable('tracks').set({ announced_at: at }).where('id', '=', id).execute();

/** Whose mail may have waited for long: somebody may have disabled the account since. */
export const findRecipient = (db: Db, id: string) =>
  db
    .selectFrom('users')
    .select(['id', 'email', 'username', 'is_admin', 'is_helper', 'paid_through'])
    .where('id', '=', id)
    .where(mayBeMailed)
    .executeTakeFirst();

/** Returns the devices that had not been told yet. */
export async function markTold(tx: Db, trackId: string, subscriptionIds: readonly string[]) {
  if (subscriptionIds.length === 0) return [];
  const rows = await tx
    .insertInto('release_notices')
    .values(subscriptionIds.map((subscription_id) => ({ track_id: trackId, subscription_id })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('subscription_id')
    .execute();
  return rows.map((row) => row.subscription_id);
}

/** The device is told later instead. */
export const unmarkTold = (db: Db, trackId: string, subscriptionId: string) =>
  db
    .deleteFrom('release_notices')
    .where('track_id', '=', trackId)
    .where('subscription_id', '=', subscriptionId)
    .execute();

/** The mix that comes out next; without one the newest. */
export async function findNextOrNewest(db: Db, now: number): Promise<string | undefined> {
  const ready = db
    .selectFrom('tracks')
    .select('id')
    .where('status', '=', 'ready')
    .where('deleted_at', 'is', null)
    .limit(1);
  const next = await ready.where('publish_at', '>', now).orderBy('publish_at').executeTakeFirst();
  if (next) return next.id;
  const newest = await ready
    .where('publish_at', 'is not', null)
    .orderBy('publish_at', 'desc')
    .executeTakeFirst();
  return newest?.id;
}

/** A calendar has as many past releases, about two years of them. */
const MAX_PAST = 100;

/** The releases for everyone: the past ones, newest first, and the next, of which only its hour is known. */
export async function listCalendarReleases(db: Db, now: number): Promise<CalendarRelease[]> {
  const releasesBy = (publishedBy: number) =>
    db
      .selectFrom('tracks')
      .select(['id', 'title', 'week', 'publish_at', 'updated_at', 'version'])
      .where(isVisible({ publishedBy, includesSubscriberOnly: false }));
  const [next] = await releasesBy(Number.MAX_SAFE_INTEGER)
    .where('publish_at', '>', now)
    .orderBy('publish_at')
    .limit(1)
    .execute();
  const past = await releasesBy(now).orderBy('publish_at', 'desc').limit(MAX_PAST).execute();
  return [...(next ? [next] : []), ...past].map((row) => ({
    trackId: row.id,
    week: row.week,
    at: row.publish_at ?? 0,
    version: row.version,
    changedAt: row.updated_at,
    title: row === next ? null : row.title,
  }));
}
