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

/** A few rows for each day. */
const listEventDays = (db: Db, { from, to }: DayRange) =>
  db
    .selectFrom('event_days')
    .select(['day', 'name', 'events'])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('name', 'in', Object.values(EVENTS))
    .execute();

const TOLD = 'As browsers told it: who asked not to be counted is not in here.';

export const visits: ReportDefinition = {
  title: 'Visits',
  definition: `What people did in their browsers. ${TOLD}`,
  plot: 'bars',
  columns: [
    { key: 'day', label: 'Day', kind: 'day' },
    { key: 'visits', label: 'Visits', kind: 'count', joins: 'sum' },
    { key: 'pages', label: 'Pages', kind: 'count', joins: 'sum' },
    { key: 'signups', label: 'Sign-ups', kind: 'count', joins: 'sum' },
    { key: 'searches', label: 'Searches', kind: 'count', joins: 'sum' },
    { key: 'errors', label: 'Errors', kind: 'count', joins: 'sum' },
  ],
  figures: {
    visits: {
      label: 'Visits',
      definition: `Pages that were opened and left again, each once. ${TOLD}`,
      unit: 'count',
      isGoodWhen: 'more',
    },
    signups: {
      label: 'Sign-ups',
      definition: 'Accounts that were registered in these visits.',
      unit: 'count',
      isGoodWhen: 'more',
    },
    errors: {
      label: 'Errors',
      definition: 'Times a part of a page failed to show itself.',
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
