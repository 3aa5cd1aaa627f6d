import { cacheDateFormats, hourOf } from './days.ts';
import { findListeningState, type ListenedTrack, type ListeningState } from './progress.ts';

/** A track as the year of a member shows it. */
export type YearTrack = ListenedTrack & { id: string; title: string; weekNumber: number };

/** Counted plays of a member that started in the same hour, with the seconds heard. */
export type YearPlay = { trackId: string; at: number; listened: number };

export type YearFacts = {
  /** Weeks with a mix that was heard. */
  heard: number;
  /** Weeks with a mix. */
  weeks: number;
  /** Weeks of which only previews were heard. */
  previewed: number;
  /** Seconds. */
  listened: number;
  /** The part of a week in which most of that was: `Fridays after 17:00`. */
  mostlyAt: string | null;
  /** The longest run of weeks heard; weeks without a mix don’t end one. */
  run: { weeks: number; from: number; to: number } | null;
  mostPlayed: { trackId: string; title: string; week: number; plays: number } | null;
};

const weekdayIn = cacheDateFormats('en-GB', { weekday: 'long' });

const PARTS = [
  { until: 6, name: (day: string) => `${day}s before\u00A006:00` },
  { until: 12, name: (day: string) => `${day} mornings` },
  { until: 17, name: (day: string) => `${day} afternoons` },
  { until: 24, name: (day: string) => `${day}s after\u00A017:00` },
];

/** No more exact than this: a picture of it may be public. */
function namePartOfWeek(at: number, timeZone: string): string {
  const hour = hourOf(at, timeZone);
  const part = PARTS.find(({ until }) => hour < until);
  return part?.name(weekdayIn(timeZone).format(at)) ?? '';
}

/** The key with the largest sum; the first of those that are equal. */
function findLargest<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  size: (item: T) => number,
) {
  const sums = new Map<string, number>();
  for (const item of items) sums.set(keyOf(item), (sums.get(keyOf(item)) ?? 0) + size(item));
  return [...sums].toSorted(([, a], [, b]) => b - a)[0];
}

/** Weeks in order, each with whether it was heard. */
function findRun(weeks: readonly { week: number; isHeard: boolean }[]): YearFacts['run'] {
  const runs: NonNullable<YearFacts['run']>[] = [];
  let wasHeard = false;
  for (const { week, isHeard } of weeks) {
    const run = wasHeard ? runs.at(-1) : undefined;
    if (isHeard && run) Object.assign(run, { weeks: run.weeks + 1, to: week });
    else if (isHeard) runs.push({ weeks: 1, from: week, to: week });
    wasHeard = isHeard;
  }
  return runs.toSorted((a, b) => b.weeks - a.weeks)[0] ?? null;
}

/** A newer week wins where two mixes were played as often. */
function findMostPlayed(
  tracks: readonly YearTrack[],
  plays: readonly YearPlay[],
): YearFacts['mostPlayed'] {
  const counts = Map.groupBy(plays, ({ trackId }) => trackId);
  const ranked = tracks
    .map((track) => ({ track, count: counts.get(track.id)?.length ?? 0 }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count || b.track.weekNumber - a.track.weekNumber);
  const [first] = ranked;
  if (!first) return null;
  const { id, title, weekNumber } = first.track;
  return { trackId: id, title, week: weekNumber, plays: first.count };
}

/** Once a mix of a week was heard, the week was. */
const isWeekHeard = (states: readonly ListeningState[]): boolean => states.includes('heard');

export function findYearFacts(
  tracks: readonly YearTrack[],
  plays: readonly YearPlay[],
  timeZone: string,
): YearFacts {
  const weeks = [...Map.groupBy(tracks, (track) => track.weekNumber)]
    .map(([week, ofWeek]) => ({ week, states: ofWeek.map(findListeningState) }))
    .toSorted((a, b) => a.week - b.week)
    .map(({ week, states }) => ({
      week,
      isHeard: isWeekHeard(states),
      isPreviewed: states.includes('previewed'),
    }));
  const ids = new Set(tracks.map(({ id }) => id));
  const ofYear = plays.filter(({ trackId }) => ids.has(trackId));
  const mostly = findLargest(
    ofYear,
    ({ at }) => namePartOfWeek(at, timeZone),
    ({ listened }) => listened,
  );
  return {
    heard: weeks.filter(({ isHeard }) => isHeard).length,
    weeks: weeks.length,
    previewed: weeks.filter(({ isHeard, isPreviewed }) => isPreviewed && !isHeard).length,
    listened: tracks.reduce((sum, { progress }) => sum + (progress?.listened ?? 0), 0),
    mostlyAt: mostly?.[0] ?? null,
    run: findRun(weeks),
    mostPlayed: findMostPlayed(tracks, ofYear),
  };
}

/** A fact as page and picture show it. */
export type YearFact = {
  value: string;
  text: string;
  /** The value names this week, and is in its colour. */
  week?: number | undefined;
};

const MINUTE = 60;
const HOUR = 3600;

/** `31 h`, `45 min` */
const formatListened = (seconds: number): string =>
  seconds >= HOUR ? `${Math.floor(seconds / HOUR)} h` : `${Math.floor(seconds / MINUTE)} min`;

const TIMES = ['never', 'once', 'twice', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** `once`, `nine times`, `12 times` */
const countTimes = (count: number): string =>
  count < 3 ? (TIMES[count] ?? '') : `${TIMES[count] ?? count} times`;

/** Four, whatever was heard. */
export function describeYear(facts: YearFacts): YearFact[] {
  const { heard, weeks, previewed, listened, mostlyAt, run, mostPlayed } = facts;
  const ofWeeks = `of ${weeks}`;
  const first =
    heard === 0 && previewed > 0
      ? {
          value: String(previewed),
          text: `${previewed === 1 ? 'preview' : 'previews'} heard, ${ofWeeks} weeks`,
        }
      : { value: String(heard), text: `${heard === 1 ? 'week' : 'weeks'} heard ${ofWeeks}` };
  return [
    first,
    {
      value: formatListened(listened),
      text: mostlyAt === null ? 'listened' : `listened, most on ${mostlyAt}`,
    },
    run
      ? {
          value: String(run.weeks),
          text:
            run.weeks === 1
              ? `week in a row, ${run.from}`
              : `weeks in a row, from ${run.from} to ${run.to}`,
        }
      : { value: '0', text: 'weeks in a row' },
    mostPlayed
      ? {
          value: `Week ${mostPlayed.week}`,
          text: [mostPlayed.title, `played ${countTimes(mostPlayed.plays)}`]
            .filter(Boolean)
            .join(', '),
          week: mostPlayed.week,
        }
      : { value: '–', text: 'most played' },
  ];
}

export type SiteYear = {
  plays: number;
  listeners: number;
  tracks: readonly { title: string; weekNumber: number; plays: number }[];
};

const formatCount = (count: number): string => count.toLocaleString('en-GB');

/** Four facts about the site’s year, without anybody’s listening. */
export function describeSiteYear({ plays, listeners, tracks }: SiteYear): YearFact[] {
  const [top] = tracks.toSorted((a, b) => b.plays - a.plays || b.weekNumber - a.weekNumber);
  return [
    { value: formatCount(tracks.length), text: tracks.length === 1 ? 'mix' : 'mixes' },
    { value: formatCount(plays), text: plays === 1 ? 'play' : 'plays' },
    { value: formatCount(listeners), text: listeners === 1 ? 'listener' : 'listeners' },
    top && top.plays > 0
      ? {
          value: `Week ${top.weekNumber}`,
          text: `${top.title}, ${formatCount(top.plays)} ${top.plays === 1 ? 'play' : 'plays'}`,
          week: top.weekNumber,
        }
      : { value: '–', text: 'most played' },
  ];
}

const YEAR = /^[1-9]\d{3}$/;

/** The year that an address names; null for everything else. */
export const parseYear = (text: string): number | null => (YEAR.test(text) ? Number(text) : null);
