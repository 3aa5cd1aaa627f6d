import type { ChartEntry } from '#contract/charts.ts';
import { CHART_DAYS, FREE_WEIGHT, NETWORK_LISTENERS } from '#contract/rules/chart.ts';
import { parseWeekKey } from '#contract/rules/weeks.ts';
import { formatCount, formatNumber } from '#web/lib/format/format.ts';

type ChartHistory = Pick<ChartEntry, 'rank' | 'previousRank' | 'peak' | 'weeksOnChart' | 'recent'>;

/** `week 46`, or `week 52 of 2025` for another year. */
export function formatChartWeek(week: string, thisYear: number): string {
  const parsed = parseWeekKey(week);
  if (!parsed) return week;
  return parsed.year === thisYear ? `week ${parsed.week}` : `week ${parsed.week} of ${parsed.year}`;
}

/** Explains the chart under its title. Needs nothing of the chart, which would move when it comes. */
export function describeChart(week: string | null, thisYear: number): string {
  const period = week
    ? `The most-played mixes of ${formatChartWeek(week, thisYear)}, Monday to Sunday.`
    : 'The most-played mixes of the last seven days. The chart is archived every Monday.';
  return `${period} An arrow shows a change since the week before.`;
}

/** How the number one got there, in one line. */
export function describeNumberOne({
  previousRank,
  peak,
  weeksOnChart,
  recent,
}: ChartHistory): string {
  const timesFirst = recent.filter((rank) => rank === 1).length;
  if (previousRank === 1)
    return `Number one again: ${timesFirst} of the last ${recent.length} weeks`;
  if (timesFirst > 1 && peak === 1) return 'Back at number one';
  return weeksOnChart === 1 ? 'Straight in at number one' : 'Number one for the first time';
}

type Movement = { kind: 'up' | 'down' | 'same' | 'new' | 'back'; text: string };

export function describeMovement({ movement, weeksOnChart }: ChartEntry): Movement {
  if (movement === null)
    return weeksOnChart === 1 ? { kind: 'new', text: 'New' } : { kind: 'back', text: 'Back' };
  if (movement === 0) return { kind: 'same', text: 'No change' };
  const places = `${Math.abs(movement)} ${Math.abs(movement) === 1 ? 'place' : 'places'}`;
  return movement > 0
    ? { kind: 'up', text: `Up ${places}` }
    : { kind: 'down', text: `Down ${places}` };
}

/** The calculation behind a rank. */
export function explainRank({ subscriberDays, freeDays, points }: ChartEntry): string[] {
  return [
    `Each listener counts once a day. Over ${CHART_DAYS} days that’s ${formatCount(subscriberDays, 'subscriber')} and ${formatCount(freeDays, 'free listener')}.`,
    `Subscribers score 1 point a day, free listeners ${FREE_WEIGHT}: ${formatNumber(subscriberDays)} + ${formatNumber(freeDays)} × ${FREE_WEIGHT} = ${formatNumber(points, 2)} ${points === 1 ? 'point' : 'points'}.`,
    `From one network, at most ${NETWORK_LISTENERS} visitors and new members count a day.`,
    'Ties go to the newer week.',
  ];
}
