import type { Departure } from '#contract/admin/departures.ts';
import type { DepartureReason, DepartureWay } from '#contract/rules/departures.ts';
import { dayOf } from '#contract/rules/days.ts';
import { countMonths } from '#contract/rules/report-days.ts';
import { addToRows } from '../../db/add-to-rows.ts';
import type { Db, Tx } from '../../db/connect.ts';
import { newId } from '../../db/ids.ts';
import type { SubscriptionsTable } from '../../db/types/billing-tables.ts';
import type { DeparturesTable } from '../../db/types/report-tables.ts';

/** How someone leaves, and what they say about it. */
export type Leaving = {
  way: DepartureWay;
  reason?: DepartureReason | null;
  comment?: string | null;
};

type When = { now: number; timeZone: string; /** When the paid time is over. */ endsAt: number };

/** Rows that everyone shares: last in a transaction, after the figures about money. */
const count = (
  tx: Tx,
  row: Pick<DeparturesTable, 'day' | 'way' | 'reason' | 'months'>,
  by: 1 | -1,
) =>
  addToRows(
    tx,
    'departure_days',
    ['day', 'way', 'reason'],
    [
      {
        day: row.day,
        way: row.way,
        reason: row.reason ?? '',
        departures: by,
        months: by * row.months,
      },
    ],
  );

/** The mix that they heard last. */
async function findLastTrack(tx: Tx, userId: string | null): Promise<string | null> {
  if (userId === null) return null;
  const row = await tx
    .selectFrom('progress')
    .select('track_id')
    .where('user_id', '=', userId)
    .orderBy('last_listened_at', 'desc')
    .orderBy('track_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.track_id ?? null;
}

/** The first day that they paid for without a break since, or of the subscription. */
async function findFirstDay(tx: Tx, userId: string | null, startDay: string): Promise<string> {
  const span = await tx
    .selectFrom('paid_spans')
    .select('from_day')
    .where('user_id', '=', userId ?? '')
    .where('is_start', '=', 1)
    .orderBy('from_day', 'desc')
    .limit(1)
    .executeTakeFirst();
  return span && span.from_day < startDay ? span.from_day : startDay;
}

const findOpen = (tx: Tx, subscriptionId: string) =>
  tx
    .selectFrom('departures')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .where('taken_back_at', 'is', null)
    .executeTakeFirst();

/** Says more about why someone left than the cancellation before it. */
const GOES_BACK: readonly DepartureWay[] = ['withdrew', 'refunded', 'disputed'];

/**
 * Call it in the transaction that ends a subscription or stops its renewals, whose account is locked.
 * Someone leaves once: money that goes back after a cancellation becomes its way, and the rest stays.
 */
export async function recordDeparture(
  tx: Tx,
  row: Pick<SubscriptionsTable, 'id' | 'user_id' | 'plan' | 'started_at'>,
  { way, reason = null, comment = null }: Leaving,
  { now, timeZone, endsAt }: When,
): Promise<void> {
  const before = await findOpen(tx, row.id);
  if (before) {
    if (!GOES_BACK.includes(way) || before.way === way) return;
    await tx.updateTable('departures').set({ way }).where('id', '=', before.id).execute();
    await count(tx, before, -1);
    return count(tx, { ...before, way }, 1);
  }
  const day = dayOf(now, timeZone);
  const firstDay = await findFirstDay(tx, row.user_id, dayOf(row.started_at, timeZone));
  const departure: DeparturesTable = {
    id: newId(now),
    user_id: row.user_id,
    subscription_id: row.id,
    at: now,
    day,
    ends_at: endsAt,
    way,
    reason,
    comment,
    plan: row.plan,
    months: countMonths(firstDay, day),
    track_id: await findLastTrack(tx, row.user_id),
    taken_back_at: null,
  };
  await tx.insertInto('departures').values(departure).execute();
  await count(tx, departure, 1);
}

/**
 * They resumed, paid what was owed, or started another subscription before the time of the last one
 * was over: then they haven't left.
 */
export async function takeBackDepartures(
  tx: Tx,
  { userId, subscriptionId }: { userId: string; subscriptionId: string },
  now: number,
): Promise<void> {
  const rows = await tx
    .updateTable('departures')
    .set({ taken_back_at: now })
    .where('user_id', '=', userId)
    .where('taken_back_at', 'is', null)
    .where((where) =>
      where.or([where('subscription_id', '=', subscriptionId), where('ends_at', '>', now)]),
    )
    .returningAll()
    .execute();
  for (const row of rows) await count(tx, row, -1);
}

const selectDepartures = (db: Db) =>
  db
    .selectFrom('departures')
    .leftJoin('tracks', 'tracks.id', 'departures.track_id')
    .selectAll('departures')
    .select('tracks.title');

const present = (row: DeparturesTable & { title: string | null }): Departure => ({
  id: row.id,
  at: row.at,
  way: row.way,
  reason: row.reason,
  comment: row.comment,
  plan: row.plan,
  months: row.months,
  track:
    row.track_id !== null && row.title !== null ? { id: row.track_id, title: row.title } : null,
  takenBackAt: row.taken_back_at,
});

type Span = { since: number; until: number };

/** How many left for each reason, the most frequent first. */
export const countLeft = (db: Db, { since, until }: Span) =>
  db
    .selectFrom('departures')
    .select(['way', 'reason', ({ fn }) => fn.countAll<number>().as('count')])
    .where('at', '>=', since)
    .where('at', '<', until)
    .where('taken_back_at', 'is', null)
    .groupBy(['way', 'reason'])
    .orderBy('count', 'desc')
    .orderBy('way')
    .orderBy('reason')
    .execute();

/** Newest first, those that were taken back too. */
export const listDeparturesOf = async (db: Db, userId: string): Promise<Departure[]> =>
  (
    await selectDepartures(db)
      .where('departures.user_id', '=', userId)
      .orderBy('departures.at', 'desc')
      .orderBy('departures.id', 'desc')
      .execute()
  ).map(present);

export async function* exportDepartures(db: Db, userId: string) {
  for (const { id: _id, track, ...facts } of await listDeparturesOf(db, userId))
    yield { ...facts, lastHeard: track?.id ?? null };
}

/** What they wrote and heard goes with the account; the reason stays, as a number without a name. */
export async function eraseDepartures(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable('departures')
    .set({ user_id: null, comment: null, track_id: null })
    .where('user_id', '=', userId)
    .execute();
}
