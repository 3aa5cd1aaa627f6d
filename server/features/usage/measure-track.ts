import type { TracklistUsage, TrackUsage } from '#contract/admin/usage.ts';
import { dayOf } from '#contract/rules/days.ts';
import { findRangeProblem, type DayRange } from '#contract/rules/report-days.ts';
import { readChapters } from '../../db/read-chapters.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { measureEntries } from './measure-entries.ts';
import { findTracklist, listLastUsageDays, listTracklists } from './queries.ts';
import { readHeard, type Heard } from './service.ts';

type Tracklist = Omit<Awaited<ReturnType<typeof listTracklists>>[number], 'until_at'>;

const nothing = () => ({ plays: 0, seconds: 0 });

function buildUsage(until: number | null, tracklist: Tracklist): TracklistUsage {
  const known = measureEntries(readChapters(tracklist), tracklist.duration_ms / 1000, []);
  return {
    until,
    full: nothing(),
    preview: nothing(),
    subsonic: nothing(),
    podcasts: 0,
    unplaced: 0,
    entries: readChapters(tracklist).map((chapter, index) => {
      const figures = () => known[index] && nothing();
      return {
        ...chapter,
        full: figures() ?? null,
        preview: figures() ?? null,
        subsonic: figures() ?? null,
      };
    }),
  };
}

function addHeard(usage: TracklistUsage, heard: Heard, { duration_ms }: Tracklist) {
  const { kind, spans, plays, listenedMs, unplacedMs } = heard;
  if (kind === 'podcast') {
    usage.podcasts += plays;
    return;
  }
  usage[kind].plays += plays;
  usage[kind].seconds += listenedMs / 1000;
  usage.unplaced += unplacedMs / 1000;
  const measured = measureEntries(usage.entries, duration_ms / 1000, spans);
  for (const [index, entry] of usage.entries.entries()) {
    const [sum, added] = [entry[kind], measured[index]];
    if (!sum || !added) continue;
    sum.plays += added.plays;
    sum.seconds += added.seconds;
  }
}

/** How often and how long each entry of a track was heard on these days. */
export async function measureTrack(
  { database: { db }, clock, config }: Deps,
  trackId: string,
  range: DayRange,
): Promise<TrackUsage> {
  const problem = findRangeProblem(range, dayOf(clock.now(), config.timeZone));
  if (problem)
    throw new AppError('validation_failed', { message: problem, fields: { from: problem } });
  const current = await findTracklist(db, trackId);
  if (!current) throw new AppError('not_found');
  const tracklists = new Map<number | null, Tracklist>([[null, current]]);
  for (const { until_at, ...past } of await listTracklists(db, trackId))
    tracklists.set(until_at, past);
  const usages = new Map([[null, buildUsage(null, current)] as [number | null, TracklistUsage]]);
  const days = { fromDay: range.from, toDay: range.to, trackId };
  for await (const heard of readHeard(db, days)) {
    const tracklist = tracklists.get(heard.until) ?? current;
    const usage = usages.get(heard.until) ?? buildUsage(heard.until, tracklist);
    usages.set(heard.until, usage);
    addHeard(usage, heard, tracklist);
  }
  const [last] = await listLastUsageDays(db, 1);
  return {
    addedUpTo: last?.day ?? null,
    tracklists: [...usages.values()].toSorted(
      (a, b) => (b.until ?? Infinity) - (a.until ?? Infinity),
    ),
  };
}
