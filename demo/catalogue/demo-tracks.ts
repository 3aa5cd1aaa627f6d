import { weekDays, weeksInYear, type WeekOfYear } from '#contract/rules/weeks.ts';
import type { Chapter } from '#contract/tracks.ts';
import { createRandom, hashSeed } from '#contract/rules/random.ts';
import { between } from '#demo/synth/dsp/random.ts';
import type { SynthTrack } from '#demo/synth/music/arrangement.ts';
import { layOutChapters } from '#demo/synth/music/song-form.ts';
import type { TrackIdea } from './ideas/track-idea.ts';
import { EARLY_ACCESS_IDEA, TRACK_IDEAS } from './ideas/track-ideas.ts';
import { inventTracklist } from './tracklist.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';

/** A track of the demo catalogue, with everything the synthesiser needs to play it. */
export type DemoTrack = Omit<SynthTrack, 'chapters'> & {
  /** Depends only on the week and the year, so building the catalogue again gives the same id. */
  id: string;
  year: number;
  week: number;
  title: string;
  description: string;
  chapters: (Chapter & { at: number })[];
  isSubscriberOnly: boolean;
  /** Not public yet; `publishedAt` is the start of the following week. */
  isEarlyAccess: boolean;
  publishedAt: number;
};

/** The demo's weeks are those of Johannesburg, which is always two hours ahead of UTC. */
const SAST = 2 * HOUR;
const FRIDAY = 4;
const RELEASE_HOUR = 7;

/** Weeks without a mix. The current week always has one, so that the front page has something to play. */
const WEEKS_OFF: readonly number[] = [14, 30];
/** With fewer tracks this year, the catalogue also includes last year's. */
const SMALLEST_CATALOGUE = 40;

const LONG_SECONDS = 30 * 60;
const SHORTEST_SECONDS = 66;
const LONGEST_SECONDS = 145;

const previousWeek = ({ year, week }: WeekOfYear): WeekOfYear =>
  week > 1 ? { year, week: week - 1 } : { year: year - 1, week: weeksInYear(year - 1) };

/** Mixes come out on Fridays, except this week's: it came out on Monday. */
function publishedAt(of: WeekOfYear, isThisWeek: boolean): number {
  const monday = weekDays(of).monday - SAST;
  return isThisWeek ? monday : monday + FRIDAY * DAY + RELEASE_HOUR * HOUR;
}

function buildDemoTrack(
  idea: TrackIdea,
  year: number,
  take: number,
): Omit<DemoTrack, 'publishedAt'> {
  const id = `demo-${year}-w${String(idea.week).padStart(2, '0')}-${take}`;
  const seed = hashSeed(id);
  const random = createRandom(seed);
  const seconds = idea.isLong ? LONG_SECONDS : between(random, SHORTEST_SECONDS, LONGEST_SECONDS);
  // A short, slow track has no room for many chapters of at least four bars.
  const phrases = seconds / (16 * (60 / idea.bpm));
  const most = Math.min(9, Math.max(5, Math.floor(phrases)));
  const chapterCount = idea.isLong ? 9 : 5 + Math.floor(random() * (most - 4));
  const { starts, duration } = layOutChapters(idea.bpm, seconds, chapterCount);
  return {
    id,
    seed,
    year,
    week: idea.week,
    title: idea.title,
    description: idea.description,
    genre: idea.genre,
    bpm: idea.bpm,
    key: idea.key,
    duration,
    chapters: inventTracklist(random, starts),
    isSubscriberOnly: idea.isSubscriberOnly ?? false,
    isEarlyAccess: false,
  };
}

function buildWeek(of: WeekOfYear, isThisWeek: boolean): DemoTrack[] {
  if (WEEKS_OFF.includes(of.week) && !isThisWeek) return [];
  return TRACK_IDEAS.filter(({ week }) => week === of.week).map((idea, n) => ({
    ...buildDemoTrack(idea, of.year, n + 1),
    publishedAt: publishedAt(of, isThisWeek) + n * HOUR,
  }));
}

/** This year's tracks up to this week, newest first, and some of last year's if there are few. */
export function buildDemoTracks(today: WeekOfYear): DemoTrack[] {
  const early: DemoTrack = {
    ...buildDemoTrack({ ...EARLY_ACCESS_IDEA, week: today.week }, today.year, 9),
    isEarlyAccess: true,
    publishedAt: publishedAt(today, true) + 7 * DAY,
  };
  const tracks = [...buildWeek(today, true), early];
  let of = previousWeek(today);
  while (of.year === today.year || tracks.length <= SMALLEST_CATALOGUE) {
    tracks.push(...buildWeek(of, false));
    of = previousWeek(of);
  }
  return tracks;
}
