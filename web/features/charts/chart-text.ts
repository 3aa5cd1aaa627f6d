import type { Chart, ChartEntry } from '#contract/charts.ts';
import { CHART_DAYS, FREE_WEIGHT } from '#contract/rules/chart.ts';
import { parseWeekKey } from '#contract/rules/weeks.ts';
import { formatNumber } from '#web/lib/format.ts';

type Place = Pick<ChartEntry, 'rank' | 'previousRank' | 'peak' | 'weeksOnChart' | 'recent'>;

/** `week 46`, and with its year where that is not this one. */
export function formatChartWeek(week: string, thisYear: number): string {
  const parsed = parseWeekKey(week);
  if (!parsed) return week;
  return parsed.year === thisYear ? `week ${parsed.week}` : `week ${parsed.week} of ${parsed.year}`;
}

/** What the numbers of the page are. */
export function describeChart({ week, previousWeek }: Chart, thisYear: number): string {
  const counted = week
    ? `The most played mixes of ${formatChartWeek(week, thisYear)}, counted from Monday to Sunday.`
    : 'The most played mixes of the last seven days. Every Monday the chart is kept for good.';
  return previousWeek
    ? `${counted} Movement is against ${formatChartWeek(previousWeek, thisYear)}.`
    : counted;
}

/** The story of the first place in one line. */
export function describeNumberOne({ previousRank, peak, weeksOnChart, recent }: Place): string {
  const timesFirst = recent.filter((rank) => rank === 1).length;
  if (previousRank === 1)
    return `Number one again, ${timesFirst} weeks of the last ${recent.length}`;
  if (timesFirst > 1 && peak === 1) return 'Back at number one';
  return weeksOnChart === 1 ? 'New at number one' : 'Number one for the first time';
}

export type Movement = { kind: 'up' | 'down' | 'same' | 'new' | 'back'; words: string };

export function describeMovement({ movement, weeksOnChart }: ChartEntry): Movement {
  if (movement === null)
    return weeksOnChart === 1 ? { kind: 'new', words: 'New' } : { kind: 'back', words: 'Back' };
  if (movement === 0) return { kind: 'same', words: 'No change' };
  const places = `${Math.abs(movement)} ${Math.abs(movement) === 1 ? 'place' : 'places'}`;
  return movement > 0
    ? { kind: 'up', words: `Up ${places}` }
    : { kind: 'down', words: `Down ${places}` };
}

const times = (count: number, one: string, many: string) =>
  `${formatNumber(count, 2)} ${count === 1 ? one : many}`;

/** Why a mix has its place, with the numbers it was given for. */
export function explainRank({ subscriberDays, freeDays, points }: ChartEntry): string[] {
  return [
    `Each day counts who listened, once each. Over ${CHART_DAYS} days that were ${times(subscriberDays, 'subscriber', 'subscribers')} and ${times(freeDays, 'free listener', 'free listeners')}.`,
    `A subscriber's day counts 1, a free listener's ${FREE_WEIGHT}: ${formatNumber(subscriberDays)} + ${formatNumber(freeDays)} × ${FREE_WEIGHT} = ${times(points, 'point', 'points')}.`,
    'With equal points the newer week stands higher.',
  ];
}
