import { buildUser } from '#server/db/build-rows.ts';
import { randomBytes } from 'node:crypto';
import { dayOf } from '#contract/rules/days.ts';
import { COUNT_INTERVAL_MS, COUNTED_AFTER_MS } from '#contract/rules/plays.ts';
import { weekOf } from '#contract/rules/weeks.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type {
  CountedPlaysTable,
  ListenerDaysTable,
  PlayDaysTable,
  PlaysTable,
} from '#server/db/listening-tables.ts';
import type { UsersTable } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { findPaidThrough, countNewLedgers } from '#server/features/billing/ledger/service.ts';
import type { Calendar } from '#server/ports/payments/payments.ts';
import { hashPassword } from '#server/passwords.ts';
import { buildDemoTracks } from './catalogue/demo-tracks.ts';
import { demoListeners, demoMembers, type DemoListener } from './catalogue/demo-listeners.ts';
import { demoFavorites, demoPlays, type DemoPlay } from './catalogue/demo-plays.ts';
import { demoInvoices, demoPayments, type DemoPayments } from './demo-payments.ts';
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
    is_demo: 1,
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

const emptyDay = (day: string, trackId: string): PlayDaysTable => ({
  day,
  track_id: trackId,
  plays: 0,
  subscriber_listeners: 0,
  free_listeners: 0,
});

/** Counts a history by the rule that counts live plays: the counters must agree with the rows. */
export function countHistory(history: readonly DemoPlay[], timeZone: string): Counted {
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
    const row = days.get(dayKey) ?? emptyDay(day, track_id);
    row.plays += 1;
    if (isFirstToday && play.is_subscriber) row.subscriber_listeners += 1;
    if (isFirstToday && !play.is_subscriber) row.free_listeners += 1;
    days.set(dayKey, row);
    listenerDays.set(listenerDayKey, { day, track_id, listener_key });
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
  };
}

async function inBatches<T>(rows: readonly T[], insert: (batch: T[]) => Promise<unknown>) {
  for (let at = 0; at < rows.length; at += BATCH) await insert(rows.slice(at, at + BATCH));
}

async function insertHistory(tx: Db, { plays, counted, days, listenerDays, totals }: Counted) {
  await inBatches(plays, (batch) => tx.insertInto('plays').values(batch).execute());
  await inBatches(counted, (batch) => tx.insertInto('counted_plays').values(batch).execute());
  await inBatches(days, (batch) => tx.insertInto('play_days').values(batch).execute());
  await inBatches(listenerDays, (batch) => tx.insertInto('listener_days').values(batch).execute());
  for (const [id, total] of totals)
    await tx.updateTable('tracks').set({ play_count: total }).where('id', '=', id).execute();
}

async function insertRollups(tx: Db, sums: ReturnType<typeof sumRollups>) {
  await inBatches(sums.days, (batch) => tx.insertInto('site_days').values(batch).execute());
  await inBatches(sums.hours, (batch) => tx.insertInto('play_hours').values(batch).execute());
  await inBatches(sums.months, (batch) => tx.insertInto('play_months').values(batch).execute());
  await inBatches(sums.lastDays, (batch) =>
    tx.insertInto('listener_last_days').values(batch).execute(),
  );
  await inBatches(sums.gaps, (batch) => tx.insertInto('listener_gaps').values(batch).execute());
  await inBatches(sums.visits, (batch) => tx.insertInto('listener_visits').values(batch).execute());
  await inBatches(sums.reach, (batch) => tx.insertInto('track_reach').values(batch).execute());
}

async function insertPayments(
  tx: Tx,
  payments: readonly DemoPayments[],
  place: { calendar: Calendar; timeZone: string },
) {
  const rows = payments.flatMap(({ ledger }) => ledger);
  await inBatches(rows, (batch) => tx.insertInto('ledger_entries').values(batch).execute());
  const count = { name: 'invoices', value: 0 };
  const [last = count] = await tx
    .selectFrom('counters')
    .selectAll()
    .where('name', '=', count.name)
    .execute();
  const invoices = demoInvoices(rows, place.calendar, last.value + 1);
  await inBatches(invoices, (batch) => tx.insertInto('invoices').values(batch).execute());
  const value = last.value + invoices.length;
  await tx
    .insertInto('counters')
    .values({ ...count, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
  const checkouts = payments.flatMap((one) => one.checkouts);
  await inBatches(checkouts, (batch) => tx.insertInto('checkouts').values(batch).execute());
  await countNewLedgers(
    tx,
    payments.map(({ ledger }) => ledger),
    place,
  );
}

/** The accounts that visitors of the demo sign in with, where nobody else has their names. */
async function findMembers(tx: Db): Promise<DemoListener[]> {
  const rows = await tx.selectFrom('users').select('id').where('is_demo', '=', 1).execute();
  const ids = new Set(rows.map((row) => row.id));
  return demoMembers.filter((member) => ids.has(member.id));
}

/** Invented people who listened, once, so that charts and reports have something to say. */
export async function seedDemoListening({
  database,
  clock,
  config,
  payments: { calendar },
}: Deps): Promise<void> {
  const now = clock.now();
  // Of a password that is thrown away: nobody signs in as an invented listener.
  const passwordHash = await hashPassword(randomBytes(24).toString('base64url'));
  await database.db.transaction().execute(async (tx) => {
    if (await tx.selectFrom('plays').select('id').limit(1).executeTakeFirst()) return;
    const known = await tx.selectFrom('tracks').select('id').execute();
    const ids = new Set(known.map((row) => row.id));
    const catalogue = buildDemoTracks(weekOf(now, config.timeZone)).filter(({ id }) => ids.has(id));
    if (catalogue.length === 0) return;
    const listeners = demoListeners(SEED);
    const members = await findMembers(tx);
    const history = demoPlays(catalogue, [...listeners, ...members], now);
    const payments = demoPayments(listeners, SEED, { now, calendar });
    const ledgers = new Map(payments.map(({ listenerId, ledger }) => [listenerId, ledger]));
    const users = listeners.map((listener) => {
      const paidThrough = findPaidThrough(ledgers.get(listener.id) ?? [], calendar);
      return toUser(listener, paidThrough, { passwordHash, now });
    });
    await inBatches(users, (batch) => tx.insertInto('users').values(batch).execute());
    await insertPayments(tx, payments, {
      calendar,
      timeZone: config.timeZone,
    });
    const counted = countHistory(history, config.timeZone);
    await insertHistory(tx, counted);
    const facts = sumPlayFacts(counted.plays, catalogue, config.timeZone);
    await inBatches(facts, (batch) => tx.insertInto('play_facts').values(batch).execute());
    const listening = sumProgress(history, catalogue, config.timeZone);
    await inBatches(listening, (batch) => tx.insertInto('progress').values(batch).execute());
    await insertRollups(tx, sumRollups(counted.plays, listening, config.timeZone));
    const favorites = demoFavorites(history).map(({ listenerId, trackId, createdAt }) => ({
      user_id: listenerId,
      track_id: trackId,
      created_at: createdAt,
    }));
    await inBatches(favorites, (batch) => tx.insertInto('favorites').values(batch).execute());
  });
}
