import { listDays, type DayRange } from '#contract/rules/report-days.ts';
import type { Db } from '../../db/connect.ts';
import { row, sumOf, type ReportDefinition } from './report.ts';

const EVENTS = {
  visits: 'Session Start',
  pages: 'Page Viewed',
  signups: 'User Signup',
  searches: 'Search',
  errors: 'Error Occurred',
} as const;
type Key = keyof typeof EVENTS;
const keys = Object.keys(EVENTS) as Key[];

const listEventDays = (db: Db, { from, to }: DayRange) =>
  db
    .selectFrom('analytics_days')
    .select(['day', 'name', 'events'])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('name', 'in', Object.values(EVENTS))
    .execute();

const SOURCE = 'People who opted out aren’t included.';

export const visits: ReportDefinition = {
  title: 'Visits',
  definition: `Activity reported by browsers. ${SOURCE}`,
  plot: 'bars',
  columns: [
    { key: 'day', label: 'Day', kind: 'day' },
    { key: 'visits', label: 'Visits', kind: 'count', aggregate: 'sum' },
    { key: 'pages', label: 'Pages', kind: 'count', aggregate: 'sum' },
    { key: 'signups', label: 'Sign-ups', kind: 'count', aggregate: 'sum' },
    { key: 'searches', label: 'Searches', kind: 'count', aggregate: 'sum' },
    { key: 'errors', label: 'Errors', kind: 'count', aggregate: 'sum' },
  ],
  figures: {
    visits: {
      label: 'Visits',
      definition: `Sessions, each counted once. ${SOURCE}`,
      unit: 'count',
      isGoodWhen: 'more',
    },
    signups: {
      label: 'Sign-ups',
      definition: 'Accounts created.',
      unit: 'count',
      isGoodWhen: 'more',
    },
    errors: {
      label: 'Errors',
      definition: 'Page errors.',
      unit: 'count',
      isGoodWhen: 'less',
    },
  },
  compares: 'rows',
  async read({ db }, range) {
    const counts = new Map<string, number>();
    for (const { day, name, events } of await listEventDays(db, range)) {
      const key = `${day}/${name}`;
      counts.set(key, (counts.get(key) ?? 0) + events);
    }
    const days = listDays(range).map((day) => ({
      day,
      cells: keys.map((key) => counts.get(`${day}/${EVENTS[key]}`) ?? 0),
    }));
    const total = (key: Key) => sumOf(days, ({ cells }) => cells[keys.indexOf(key)] ?? 0);
    return {
      values: { visits: total('visits'), signups: total('signups'), errors: total('errors') },
      rows: days.map(({ day, cells }) => row([day, ...cells])),
    };
  },
};
