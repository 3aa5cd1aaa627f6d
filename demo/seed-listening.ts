import { buildUser } from '#server/db/build-rows.ts';
import type { InsertObject } from 'kysely';
import { randomBytes } from 'node:crypto';
import { dayOf } from '#contract/rules/days.ts';
import { COUNT_INTERVAL_MS, COUNTED_AFTER_MS } from '#contract/rules/plays.ts';
import { weekOf } from '#contract/rules/weeks.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { LedgerEntriesTable } from '#server/db/types/billing-tables.ts';
import type {
  CountedPlaysTable,
  ListenerDaysTable,
  PlayDaysTable,
  PlaysTable,
} from '#server/db/types/listening-tables.ts';
import type { Tables, UsersTable } from '#server/db/types/tables.ts';
import type { Deps } from '#server/deps.ts';
import {
  appendEntry,
  findPaidThrough,
  countNewLedgers,
} from '#server/features/billing/ledger/service.ts';
import type { Calendar } from '#server/ports/payments/payments.ts';
import { DEMO_ACCOUNT_IDS } from '#server/demo-accounts.ts';
import { hashPassword } from '#server/background/passwords.ts';
import { buildDemoTracks } from './catalogue/demo-tracks.ts';
import { demoListeners, demoUsers, type DemoListener } from './catalogue/demo-listeners.ts';
import { demoFavorites, demoPlays, type DemoPlay } from './catalogue/demo-plays.ts';
import { addDemoDepartures } from './demo-departures.ts';
import {
  demoInvoices,
  demoPayments,
  listMemberPayments,
  type DemoPayments,
} from './demo-payments.ts';
import { sumProgress, sumPlayFacts, sumRollups } from './derived-rows.ts';

const SEED = 2026;
const BATCH = 200;
const toUser = (
  { id, username }: DemoListener,
  paidThrough: number | null,
  { passwordHash, now }: { passwordHash: string; now: number },
): UsersTable =>
  buildUser({
    id,
    username,
    email: `${id}@listeners.example.com`,
    password_hash: passwordHash,
    paid_through: paidThrough,
    created_at: now,
  });

type Counted = {
  plays: PlaysTable[];
  counted: CountedPlaysTable[];
  days: PlayDaysTable[];
  listenerDays: ListenerDaysTable[];
  totals: Map<string, number>;
};

const buildEmptyDay = (day: string, trackId: string): PlayDaysTable => ({
  day,
  track_id: trackId,
  plays: 0,
  subscriber_listeners: 0,
  free_listeners: 0,
});

/** Counts plays by the same rule as live plays, so that the counters agree with the rows. */
function countHistory(history: readonly DemoPlay[], timeZone: string): Counted {
  const lastCounted = new Map<string, CountedPlaysTable>();
  const days = new Map<string, PlayDaysTable>();
  const listenerDays = new Map<string, ListenerDaysTable>();
  const totals = new Map<string, number>();

  function addToDay(play: PlaysTable) {
    const { track_id, listener_key } = play;
    const day = dayOf(play.listened_at, timeZone);
    const dayKey = `${day}/${track_id}`;
    const listenerDayKey = `${dayKey}/${listener_key}`;
    const isFirstToday = !listenerDays.has(listenerDayKey);
    const row = days.get(dayKey) ?? buildEmptyDay(day, track_id);
    row.plays += 1;
    if (isFirstToday && play.is_subscriber) row.subscriber_listeners += 1;
    if (isFirstToday && !play.is_subscriber) row.free_listeners += 1;
    days.set(dayKey, row);
    listenerDays.set(listenerDayKey, { day, track_id, listener_key, suspicion: null });
    totals.set(track_id, (totals.get(track_id) ?? 0) + 1);
  }

  const plays = history.toSorted((a, b) => a.startedAt - b.startedAt).map(toPlay);
  for (const play of plays) {
    const { listener_key, track_id, listened_at, listened_ms } = play;
    const pair = `${listener_key}/${track_id}`;
    const last = lastCounted.get(pair)?.counted_at ?? -Infinity;
    if (listened_ms < COUNTED_AFTER_MS || listened_at - last < COUNT_INTERVAL_MS) continue;
    Object.assign(play, { is_counted: 1, counted_at: listened_at });
    lastCounted.set(pair, { listener_key, track_id, counted_at: listened_at });
    addToDay(play);
  }
  return {
    plays,
    counted: [...lastCounted.values()],
    days: [...days.values()],
    listenerDays: [...listenerDays.values()],
    totals,
  };
}

function toPlay(play: DemoPlay): PlaysTable {
  const listenedMs = Math.round(play.secondsListened * 1000);
  return {
    id: play.id,
    track_id: play.trackId,
    user_id: play.listenerId,
    listener_key: `user:${play.listenerId}`,
    is_subscriber: play.isSubscriber ? 1 : 0,
    started_at: play.startedAt,
    listened_at: play.startedAt + listenedMs,
    listened_ms: listenedMs,
    position_ms: listenedMs,
    is_counted: 0,
    counted_at: null,
    suspicion: null,
    source: null,
  };
}

/** In batches: databases limit the number of values in a statement. */
async function insertAll<T extends keyof Tables>(
  tx: Db,
  table: T,
  rows: readonly InsertObject<Tables, T>[],
) {
  for (let at = 0; at < rows.length; at += BATCH) {
    const batch = rows.slice(at, at + BATCH);
    await tx.insertInto(table).values(batch).execute();
  }
}

async function insertHistory(tx: Db, { plays, counted, days, listenerDays, totals }: Counted) {
  await insertAll(tx, 'plays', plays);
  await insertAll(tx, 'counted_plays', counted);
  await insertAll(tx, 'play_days', days);
  await insertAll(tx, 'listener_days', listenerDays);
  for (const [id, total] of totals)
    await tx.updateTable('tracks').set({ play_count: total }).where('id', '=', id).execute();
}

async function insertRollups(tx: Db, sums: ReturnType<typeof sumRollups>) {
  await insertAll(tx, 'site_days', sums.days);
  await insertAll(tx, 'play_hours', sums.hours);
  await insertAll(tx, 'play_months', sums.months);
  await insertAll(tx, 'listener_last_days', sums.lastDays);
  await insertAll(tx, 'listener_gaps', sums.gaps);
  await insertAll(tx, 'listener_visits', sums.visits);
  await insertAll(tx, 'track_reach', sums.reach);
}

/** Numbers go on where they are, as they would have one payment after the other. */
async function insertInvoices(tx: Tx, ledger: readonly LedgerEntriesTable[], calendar: Calendar) {
  const count = { name: 'invoices', value: 0 };
  const [last = count] = await tx
    .selectFrom('counters')
    .selectAll()
    .where('name', '=', count.name)
    .execute();
  const invoices = demoInvoices(ledger, calendar, last.value + 1);
  await insertAll(tx, 'invoices', invoices);
  const value = last.value + invoices.length;
  await tx
    .insertInto('counters')
    .values({ ...count, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** The payments of invented listeners at once, and those of a member between them, like real ones. */
async function insertPayments(
  tx: Tx,
  payments: readonly DemoPayments[],
  context: { now: number; calendar: Calendar; timeZone: string; memberId: string | null },
) {
  const { calendar, memberId } = context;
  const rows = payments.flatMap(({ ledger }) => ledger);
  await insertAll(tx, 'ledger_entries', rows);
  let invoicedUntil = -Infinity;
  const insertInvoicesUntil = async (until: number) => {
    const due = rows.filter(({ at }) => at > invoicedUntil && at <= until);
    await insertInvoices(tx, due, calendar);
    invoicedUntil = until;
  };
  for (const entry of memberId === null ? [] : listMemberPayments(memberId, context)) {
    await insertInvoicesUntil(entry.at);
    await appendEntry(tx, memberId ?? '', entry, { ...context, now: entry.at });
  }
  await insertInvoicesUntil(Infinity);
  await insertAll(
    tx,
    'payments',
    payments.flatMap((one) => one.payments),
  );
  const ledgers = payments.map(({ ledger }) => ledger);
  await countNewLedgers(tx, ledgers, context);
}

/** The accounts for trying the demo, unless someone else registered their names. */
async function findDemoUsers(tx: Db): Promise<DemoListener[]> {
  const rows = await tx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', DEMO_ACCOUNT_IDS)
    .execute();
  const ids = new Set(rows.map((row) => row.id));
  return demoUsers.filter((user) => ids.has(user.id));
}

/** Adds listeners with plays, favorites and payments once, so that charts and reports have data. */
export async function seedDemoListening({
  database,
  clock,
  config,
  payments: { calendar },
}: Deps): Promise<void> {
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    if (await tx.selectFrom('plays').select('id').limit(1).executeTakeFirst()) return;
    const tracks = buildDemoTracks(weekOf(now, config.timeZone));
    const demoIds = tracks.map(({ id }) => id);
    const rows = await tx.selectFrom('tracks').select('id').where('id', 'in', demoIds).execute();
    const ids = new Set(rows.map((row) => row.id));
    const catalogue = tracks.filter(({ id }) => ids.has(id));
    if (catalogue.length === 0) return;
    // The password is thrown away: no one can log in as a demo listener.
    const passwordHash = await hashPassword(randomBytes(24).toString('base64url'));
    const listeners = demoListeners(SEED);
    const members = await findDemoUsers(tx);
    const audience = [...listeners, ...members];
    const history = demoPlays(catalogue, audience, now);
    const payments = demoPayments(listeners, SEED, { now, calendar });
    const ledgers = new Map(payments.map(({ listenerId, ledger }) => [listenerId, ledger]));
    const users = listeners.map((listener) => {
      const paidThrough = findPaidThrough(ledgers.get(listener.id) ?? [], calendar);
      return toUser(listener, paidThrough, { passwordHash, now });
    });
    await insertAll(tx, 'users', users);
    const memberId = members.find(({ id }) => id === 'demo-premium')?.id ?? null;
    await insertPayments(tx, payments, { now, calendar, timeZone: config.timeZone, memberId });
    const counted = countHistory(history, config.timeZone);
    await insertHistory(tx, counted);
    const facts = sumPlayFacts(counted.plays, catalogue, config.timeZone);
    await insertAll(tx, 'play_facts', facts);
    const listening = sumProgress(history, catalogue, config.timeZone);
    await insertAll(tx, 'progress', listening);
    await insertRollups(tx, sumRollups(counted.plays, listening, config.timeZone));
    await addDemoDepartures(tx, payments, { seed: SEED, now, timeZone: config.timeZone });
    const favorites = demoFavorites(history).map(({ listenerId, trackId, createdAt }) => ({
      user_id: listenerId,
      track_id: trackId,
      created_at: createdAt,
    }));
    await insertAll(tx, 'favorites', favorites);
  });
}
