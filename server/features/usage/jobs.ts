import { setImmediate } from 'node:timers/promises';
import { dayOf, startOfDay } from '#contract/rules/days.ts';
import { addDays } from '#contract/rules/report-days.ts';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import type { Db } from '../../db/connect.ts';
import type { HeardDaysTable, UsageDaysTable } from '../../db/types/usage-tables.ts';
import type { Deps } from '../../deps.ts';
import { defineSchedule } from '../../jobs/define-job.ts';
import { isClockSteady } from '../../jobs/wrong-clock.ts';
import type { Span } from './measure-entries.ts';
import { placePlay } from './place-play.ts';
import {
  countRequests,
  findNextStart,
  findRequestDay,
  listChangedPlays,
  listLastUsageDays,
  listMeasuredTracks,
  listPlays,
  listReplacements,
  saveDay,
  setChecked,
  takeBackDays,
} from './queries.ts';

/**
 * The server accepts a heartbeat for as long as a page has its mix loaded, so a play has no certain
 * end. By three o'clock in the morning two days later hardly any goes on: not even one that was paused
 * on one evening and heard to its end on the next.
 */
const MARGIN_MS = 2 * DAY + 3 * HOUR;

/** The day of a play that goes on nevertheless is added up again, until this long after its start. */
const LATE_MS = 31 * DAY;
/** A little more than the longest month, if days are as long as after a change of the time zone. */
const LATE_DAYS = 34;

/** A transaction may commit a play a little after its time. */
const COMMIT_MS = 10 * MINUTE;

/** As many as one run adds up: the next one goes on. */
const DAYS_PER_RUN = 31;
/** Nobody listened for longer: that time is skipped, as a clock may have been years slow. */
const QUIET_DAYS = 31;

type MeasuredTrack = {
  id: string;
  previewStartMs: number;
  /** The earliest first; the audio of today never ends. */
  audio: { untilAt: number; durationMs: number }[];
};

async function loadTracks(db: Db): Promise<MeasuredTrack[]> {
  const replaced = Map.groupBy(await listReplacements(db), ({ track_id }) => track_id);
  return (await listMeasuredTracks(db)).map(({ id, duration_ms, preview_start_ms }) => ({
    id,
    previewStartMs: preview_start_ms ?? 0,
    audio: [
      ...(replaced.get(id) ?? []).map((past) => ({
        untilAt: past.until_at,
        durationMs: past.duration_ms,
      })),
      { untilAt: Infinity, durationMs: duration_ms },
    ],
  }));
}

type Total = Pick<HeardDaysTable, 'kind' | 'until_at' | 'plays'> & {
  spans: Span[];
  seconds: number;
  unplaced: number;
};

/** What was heard of a track on a day, by kind and by the audio that was heard. */
async function sumTrack(
  db: Db,
  { id, previewStartMs, audio }: MeasuredTrack,
  { from_at: fromAt, to_at: toAt }: UsageDaysTable,
): Promise<Total[]> {
  const totals = new Map<string, Total>();
  for await (const play of listPlays(db, { trackId: id, fromAt, toAt })) {
    const { untilAt = Infinity, durationMs = 0 } =
      audio.find((each) => each.untilAt > play.started_at) ?? {};
    const { kind, seconds, span, unplacedSeconds } = placePlay(play, {
      durationMs,
      previewStartMs,
    });
    // Started, but not heard.
    if (seconds === 0) continue;
    const until_at = untilAt < toAt ? untilAt : 0;
    const key = `${kind} ${until_at}`;
    const total = totals.get(key) ?? {
      kind,
      until_at,
      plays: 0,
      spans: [],
      seconds: 0,
      unplaced: 0,
    };
    totals.set(key, total);
    total.plays += 1;
    total.seconds += seconds;
    total.unplaced += unplacedSeconds;
    if (span) total.spans.push(span);
  }
  return [...totals.values()];
}

/** Adds up a day; again, if it was before. Returns how many plays there were. */
async function addUpDay(
  db: Db,
  tracks: readonly MeasuredTrack[],
  day: UsageDaysTable,
): Promise<number> {
  const rows: HeardDaysTable[] = [];
  for (const track of tracks)
    for (const { seconds, unplaced, spans, ...total } of await sumTrack(db, track, day))
      rows.push({
        ...total,
        day: day.day,
        track_id: track.id,
        // Sorted, they don't say in which order they were heard.
        spans: JSON.stringify(spans.toSorted(([a, b], [c, d]) => a - c || b - d)),
        listened_ms: seconds * 1000,
        unplaced_ms: unplaced * 1000,
      });
  await db.transaction().execute((tx) => saveDay(tx, day, rows));
  return rows.reduce((sum, { plays }) => sum + plays, 0);
}

/** Days that are added up, and of which a play has changed since. */
async function findChangedDays(db: Db, now: number): Promise<UsageDaysTable[]> {
  const days = await listLastUsageDays(db, LATE_DAYS);
  const checks = days.map(({ checked_at }) => checked_at).filter((at) => at <= now);
  const [last] = days;
  if (!last) return [];
  const since = Math.max(now - LATE_MS, ...checks) - COMMIT_MS;
  const changed = new Set<UsageDaysTable>();
  for await (const { started_at: at, listened_at } of listChangedPlays(db, since)) {
    if (at >= last.to_at || listened_at - at > LATE_MS) continue;
    const day = days.find(({ from_at, to_at }) => from_at <= at && at < to_at);
    if (day) changed.add(day);
  }
  return [...changed];
}

async function findFirstDay(db: Db, tracks: readonly MeasuredTrack[], timeZone: string) {
  const start = await findFirstStart(db, tracks, 0);
  const days = [start === null ? [] : dayOf(start, timeZone), (await findRequestDay(db)) ?? []];
  return days.flat().toSorted()[0];
}

async function findFirstStart(
  db: Db,
  tracks: readonly MeasuredTrack[],
  fromAt: number,
): Promise<number | null> {
  let first: number | null = null;
  for (const { id } of tracks) {
    const start = await findNextStart(db, id, fromAt);
    await setImmediate();
    if (start !== undefined && (first === null || start < first)) first = start;
  }
  return first;
}

/**
 * The day after the last one. It begins where that one ended, so that a play belongs to exactly one
 * day: after a change of the time zone the first day is longer or shorter.
 */
function buildNextDay(
  day: string,
  { fromAt, timeZone, now }: { fromAt: number; timeZone: string; now: number },
): UsageDaysTable {
  const toAt = startOfDay(addDays(day, 1), timeZone);
  // East of the date line, it is over already.
  if (toAt <= fromAt) return buildNextDay(addDays(day, 1), { fromAt, timeZone, now });
  return { day, from_at: fromAt, to_at: toAt, checked_at: now };
}

async function addUpNewDays(
  { database: { db }, config: { timeZone } }: Deps,
  tracks: readonly MeasuredTrack[],
  { now, signal }: { now: number; signal: AbortSignal },
) {
  const [last] = await listLastUsageDays(db, 1);
  let name = last ? addDays(last.day, 1) : await findFirstDay(db, tracks, timeZone);
  let fromAt = last?.to_at ?? 0;
  for (let count = 0; name !== undefined && count < DAYS_PER_RUN; count += 1) {
    signal.throwIfAborted();
    const day = buildNextDay(name, { fromAt, timeZone, now });
    if (day.to_at + MARGIN_MS > now) return;
    const plays = await addUpDay(db, tracks, day);
    fromAt = day.to_at;
    name = addDays(day.day, 1);
    const next = plays === 0 ? await findFirstStart(db, tracks, fromAt) : null;
    if (next !== null && dayOf(next, timeZone) > addDays(name, QUIET_DAYS))
      name = dayOf(next, timeZone);
  }
}

/** Only of days that are over, so that a feed that asks again is still known. */
async function countPodcasts(
  db: Db,
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<void> {
  const [last] = await listLastUsageDays(db, 1);
  if (!last || last.to_at > now) return;
  for (let count = 0; count < DAYS_PER_RUN; count += 1) {
    signal.throwIfAborted();
    const day = await findRequestDay(db, last.day);
    if (day === undefined) return;
    await countRequests(db, day);
  }
}

/**
 * Adds up what was heard, day by day. Each day is written in one short transaction from the plays
 * that started in it, so that a run that is stopped, or repeated, loses nothing and counts nothing
 * twice.
 */
export const addUpUsage = defineSchedule({
  name: 'add-up-usage',
  everyMs: HOUR,
  run: async (deps: Deps, { signal }) => {
    const { db } = deps.database;
    const now = deps.clock.now();
    const isSteady = await isClockSteady(deps);
    if (isSteady) await takeBackDays(db, now);
    const tracks = await loadTracks(db);
    for (const day of await findChangedDays(db, now)) {
      signal.throwIfAborted();
      await addUpDay(db, tracks, day);
    }
    const [last] = await listLastUsageDays(db, 1);
    if (last) await setChecked(db, last.day, now);
    await addUpNewDays(deps, tracks, { now, signal });
    // Counted before their day is over, a feed that asks again would count twice.
    if (isSteady) await countPodcasts(db, { now, signal });
  },
});
