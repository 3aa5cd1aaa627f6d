import { hourOf } from './days.ts';
import { formatWeekKey, parseWeekKey, weekDays, weekOf } from './weeks.ts';
import { DAY, WEEK } from './time.ts';

const NIGHT_ENDS_AT = 5;
const EARLY_MS = DAY;
/** Who joined in the first month of the site. */
export const FOUNDER_MS = 30 * DAY;

/** What is remembered of a member's counted plays, so that nothing has to be added up again. */
export type PlayFacts = {
  plays: number;
  /** Counted between midnight and five. */
  nights: number;
  /** Counted within a day of the release. */
  earlies: number;
  /** Weeks in a row with a play, up to the last one. */
  weekStreak: number;
  bestStreak: number;
  lastWeek: string | null;
};

export const NO_PLAYS: PlayFacts = {
  plays: 0,
  nights: 0,
  earlies: 0,
  weekStreak: 0,
  bestStreak: 0,
  lastWeek: null,
};

type CountedPlay = { at: number; publishedAt: number | null; timeZone: string };

function continueStreak({ weekStreak, lastWeek }: PlayFacts, week: string, monday: number): number {
  if (lastWeek === week) return weekStreak;
  const last = lastWeek === null ? null : parseWeekKey(lastWeek);
  return last && weekDays(last).monday + WEEK === monday ? weekStreak + 1 : 1;
}

export function addPlay(facts: PlayFacts, { at, publishedAt, timeZone }: CountedPlay): PlayFacts {
  const week = weekOf(at, timeZone);
  const lastWeek = formatWeekKey(week);
  const weekStreak = continueStreak(facts, lastWeek, weekDays(week).monday);
  const isEarly = publishedAt !== null && at < publishedAt + EARLY_MS;
  return {
    plays: facts.plays + 1,
    nights: facts.nights + (hourOf(at, timeZone) < NIGHT_ENDS_AT ? 1 : 0),
    earlies: facts.earlies + (isEarly ? 1 : 0),
    weekStreak,
    bestStreak: Math.max(facts.bestStreak, weekStreak),
    lastWeek,
  };
}

/** Everything an achievement can be earned with. */
export type MemberFacts = Pick<PlayFacts, 'plays' | 'nights' | 'earlies' | 'bestStreak'> & {
  heardHours: number;
  /** Mixes heard to the end. */
  heardMixes: number;
  favorites: number;
  playlists: number;
  /** Of the mixes of the last year that is over, in percent. */
  yearShare: number;
  isFounder: boolean;
};

export type AchievementRule = {
  id: string;
  title: string;
  description: string;
  goal: number;
  measure: (facts: MemberFacts) => number;
};

export const ACHIEVEMENTS: readonly AchievementRule[] = [
  {
    id: 'first-play',
    title: 'Needle down',
    description: 'Hear your first mix.',
    goal: 1,
    measure: (facts) => facts.plays,
  },
  {
    id: 'plays-10',
    title: 'Ten in',
    description: 'Play mixes ten times.',
    goal: 10,
    measure: (facts) => facts.plays,
  },
  {
    id: 'plays-100',
    title: 'Hundred up',
    description: 'Play mixes a hundred times.',
    goal: 100,
    measure: (facts) => facts.plays,
  },
  {
    id: 'hours-10',
    title: 'Ten hours in',
    description: 'Listen for ten hours in all.',
    goal: 10,
    measure: (facts) => facts.heardHours,
  },
  {
    id: 'hours-100',
    title: 'Hundred hours in',
    description: 'Listen for a hundred hours in all.',
    goal: 100,
    measure: (facts) => facts.heardHours,
  },
  {
    id: 'heard-10',
    title: 'To the run-out groove',
    description: 'Hear ten mixes to the end.',
    goal: 10,
    measure: (facts) => facts.heardMixes,
  },
  {
    id: 'streak-4',
    title: 'Four on the floor',
    description: 'Listen in four weeks in a row.',
    goal: 4,
    measure: (facts) => facts.bestStreak,
  },
  {
    id: 'streak-12',
    title: 'A season without a gap',
    description: 'Listen in twelve weeks in a row.',
    goal: 12,
    measure: (facts) => facts.bestStreak,
  },
  {
    id: 'streak-52',
    title: 'All year round',
    description: 'Listen in fifty-two weeks in a row.',
    goal: 52,
    measure: (facts) => facts.bestStreak,
  },
  {
    id: 'whole-year',
    title: 'Every week of it',
    description: 'Hear every mix of a year to the end, once the year is over.',
    goal: 100,
    measure: (facts) => facts.yearShare,
  },
  {
    id: 'night',
    title: 'Night listener',
    description: 'Play five mixes between midnight and five in the morning.',
    goal: 5,
    measure: (facts) => facts.nights,
  },
  {
    id: 'early-bird',
    title: 'Early bird',
    description: 'Play three mixes within a day of their release.',
    goal: 3,
    measure: (facts) => facts.earlies,
  },
  {
    id: 'first-favorite',
    title: 'First heart',
    description: 'Add a mix to your favorites.',
    goal: 1,
    measure: (facts) => facts.favorites,
  },
  {
    id: 'favorites-25',
    title: 'Collector',
    description: 'Have twenty-five favorites.',
    goal: 25,
    measure: (facts) => facts.favorites,
  },
  {
    id: 'playlist',
    title: 'Playlist maker',
    description: 'Make a playlist.',
    goal: 1,
    measure: (facts) => facts.playlists,
  },
  {
    id: 'founder',
    title: 'Founder month',
    description: 'Be here since the first month.',
    goal: 1,
    measure: (facts) => (facts.isFounder ? 1 : 0),
  },
];

/** More than is counted for any goal: whoever has this many needs no exact number. */
export const MOST_COUNTED = 25;

/** How far along, never past the goal. */
export const progressOf = ({ goal, measure }: AchievementRule, facts: MemberFacts): number =>
  Math.min(goal, Math.floor(measure(facts)));
