/** @module-tag both-databases */
import { buildPayment } from '../../db/build-rows.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEPARTURE_WAYS, describeDeparture } from '#contract/rules/departures.ts';
import { FigureListPage } from '#contract/admin/reports.ts';
import { CANCEL_REASONS } from '#contract/billing.ts';
import { dayOf, startOfDay } from '#contract/rules/days.ts';
import { addDays } from '#contract/rules/report-days.ts';
import { findFullScans, recordPlan } from '../../testing/explain.ts';
import { openFigures, readReport, sumColumn } from '../../testing/figure-lists.ts';
import { payAtRandom } from '../../testing/random-payments.ts';
import { createRandom } from '../../testing/random.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { readPaidHistory } from '../billing/ledger/paid-history.ts';
import { listLedgerEntries } from '../billing/queries.ts';
import { recordDeparture, takeBackDepartures } from '../departures/service.ts';
import { replacePaymentRows } from '../rollups/payment-rollups.ts';
import { DAY } from '#contract/rules/time.ts';

let test: TestApp;
let admin: TestClient;
let today: string;
const random = createRandom(79);
const db = () => test.deps.database.db;
const day = (at: number): string => dayOf(at, test.deps.config.timeZone);

beforeAll(async () => {
  test = await createTestApp();
  ({ client: admin } = await createAdmin(test));
  today = day(test.clock.now());
  await payAtRandom(test, random);
  await leaveAtRandom();
  // Rows of deleted accounts stay, without the user.
  await db().deleteFrom('users').where('id', '=', 'member-3').execute();
});
afterAll(() => test.close());

/** Each of some subscriptions ends for some reason; some of their members go on after all. */
async function leaveAtRandom() {
  const { timeZone } = test.deps.config;
  const users = await db().selectFrom('users').select('id').where('is_admin', '=', 0).execute();
  await db()
    .transaction()
    .execute(async (tx) => {
      for (let index = 0; index < 40; index += 1) {
        const userId = random.pick(users).id;
        const now = test.clock.now() - random.below(250) * DAY;
        const subscription = {
          id: `subscription-${index}`,
          user_id: userId,
          plan: random.pick(['monthly', 'annual'] as const),
          started_at: now - random.below(400) * DAY,
        };
        const way = random.pick([...DEPARTURE_WAYS, 'cancelled', 'cancelled'] as const);
        const reason = way === 'cancelled' ? random.pick([null, ...CANCEL_REASONS]) : null;
        await recordDeparture(tx, subscription, { way, reason }, { now, timeZone, endsAt: now });
        if (random.below(4) === 0)
          await takeBackDepartures(tx, { userId, subscriptionId: subscription.id }, now);
      }
    });
}

const ranges = () => [
  { from: '2026-02-01', to: today },
  { from: '2026-05-10', to: '2026-06-20' },
  ...Array.from({ length: 4 }, () => {
    const to = addDays(today, -random.below(150));
    return { from: addDays(to, -random.below(100)), to };
  }),
];

describe('who left and why', () => {
  it('is counted by month and reason, without those who went on after all', async () => {
    const rows = await db()
      .selectFrom('departures')
      .selectAll()
      .where('taken_back_at', 'is', null)
      .execute();
    expect(rows.length).toBeGreaterThan(20);
    for (const range of ranges()) {
      const report = await readReport(admin, 'leaving', range);
      const inRange = rows.filter((row) => range.from <= row.day && row.day <= range.to);
      const months = report.columns.slice(2).map(({ key }) => key);
      for (const { cells } of report.rows) {
        const own = inRange.filter((one) => describeDeparture(one) === cells[0]);
        const inMonth = months.map((month) => own.filter((one) => one.day.startsWith(month)));
        expect(cells.slice(1)).toEqual([own.length, ...inMonth.map(({ length }) => length)]);
      }
      const reasons = new Set(inRange.map((one) => describeDeparture(one)));
      expect(new Set(report.rows.map(({ cells }) => cells[0]))).toEqual(reasons);
      expect(report.figures[0]?.value).toBe(inRange.length);
    }
  });
});

describe('the funnel', () => {
  it('counts the checkouts started in the period, and how many of them were paid', async () => {
    const checkout = (reference: string, at: number, state: 'open' | 'paid' | 'expired') =>
      buildPayment({
        reference,
        user_id: random.pick([null, 'member-1', 'member-2']),
        kind: 'first',
        plan: 'monthly',
        amount: 79_00,
        renewal_amount: 79_00,
        currency: 'ZAR',
        provider: 'sandbox',
        state,
        check_at: null,
        created_at: at,
      });
    const midnight = startOfDay(addDays(today, -20), test.deps.config.timeZone);
    const rows = Array.from({ length: 50 }, (_, index) => {
      const at = test.clock.now() - random.below(150) * DAY - random.below(DAY);
      return checkout(`c-${index}`, at, random.pick(['open', 'paid', 'expired'] as const));
    });
    rows.push(checkout('edge-a', midnight - 1, 'paid'), checkout('edge-b', midnight, 'paid'));
    await db().insertInto('payments').values(rows).execute();
    await db()
      .insertInto('site_days')
      .values(
        [0, 7, 40].map((days) => ({
          day: addDays(today, -days),
          plays: 9,
          subscriber_plays: days % 5,
          listeners: 1,
        })),
      )
      .execute();
    const edges = [
      { from: addDays(today, -20), to: addDays(today, -20) },
      { from: addDays(today, -21), to: addDays(today, -21) },
    ];
    for (const range of [...ranges(), ...edges]) {
      const started = rows.filter(
        ({ created_at: at }) => day(at) >= range.from && day(at) <= range.to,
      );
      const paid = started.filter(({ state }) => state === 'paid').length;
      const previews = [0, 7, 40]
        .filter((days) => addDays(today, -days) >= range.from && addDays(today, -days) <= range.to)
        .reduce((sum, days) => sum + 9 - (days % 5), 0);
      const report = await readReport(admin, 'funnel', range);
      expect(report.figures.map(({ value }) => value)).toEqual([previews, started.length, paid]);
      expect(report.rows.map(({ cells }) => cells.slice(1))).toEqual([
        [previews, null],
        [started.length, previews > 0 ? started.length / previews : null],
        [paid, started.length > 0 ? paid / started.length : null],
      ]);
    }
  });
});

/** Of listeners and mixes, which listener-lists.test.ts has and this one does not. */
const isOfListening = (key: string) =>
  /^(completion|listeners|live|plays|tracks)\.|previews$/.test(key);

describe('the list behind a figure', () => {
  it('has as many rows as the figure says, including deleted accounts', async () => {
    const opened = new Set<string>();
    for await (const { key, range, figure, list } of openFigures(admin, ranges())) {
      if (isOfListening(key)) continue;
      opened.add(key);
      const count = list.items.length;
      const totals: Record<string, () => number | null> = {
        'mrr.mrr': () => sumColumn(list, 'monthly'),
        'mrr.arpu': () => (count > 0 ? Math.round(sumColumn(list, 'monthly') / count) : null),
        'revenue.returned': () => sumColumn(list, 'amount'),
        // The list contains the lost subscribers; the share is only in the report.
        'churn.churn': () => figure.value,
        'leaving.months': () => (count > 0 ? Math.round(sumColumn(list, 'months') / count) : null),
      };
      const total = totals[key]?.() ?? count;
      expect([key, range, total]).toEqual([key, range, figure.value ?? total]);
      expect(list.figure.value).toBe(figure.value);
      const [name, figureKey] = key.split('.');
      const url = `/api/admin/reports/${name}/${figureKey}.csv`;
      const file = await admin.request({ method: 'GET', url, query: range });
      expect([key, file.body.trimEnd().split('\r\n').length]).toEqual([key, count + 1]);
    }
    const exports = db()
      .selectFrom('audit_log')
      .select('after')
      .where('action', '=', 'list.exported');
    expect(JSON.stringify(await exports.execute())).toContain('Who left and why: Cancelled');
    expect([...opened].toSorted()).toEqual([
      'churn.churn',
      'churn.lost',
      'cohorts.subscribers',
      'funnel.checkouts',
      'funnel.paid',
      'leaving.cancelled',
      'leaving.left',
      'leaving.months',
      'leaving.unpaid',
      'mrr.active',
      'mrr.arpu',
      'mrr.mrr',
      'revenue.payments',
      'revenue.returned',
      'subscribers.active',
      'subscribers.lost',
      'subscribers.new',
      'suspicious-plays.left',
    ]);
  });

  it('responds with 404 for figures without a list', async () => {
    for (const path of [
      'plays/share',
      'subscribers/nothing',
      'mrr/constructor',
      'mrr/nothing.csv',
    ]) {
      const url = `/api/admin/reports/${path}`;
      expect((await admin.request({ method: 'GET', url })).statusCode).toBe(404);
    }
  });

  it('can be rebuilt from the ledger', async () => {
    const readSpans = () =>
      db()
        .selectFrom('paid_spans')
        .select(['user_id', 'from_day', 'to_day', 'monthly', 'is_start', 'is_end', 'cohort'])
        .where('user_id', 'is not', null)
        .orderBy('user_id')
        .orderBy('from_day')
        .execute();
    const readReturns = () =>
      db()
        .selectFrom('money_returns')
        .select(['user_id', 'day', 'at', 'kind', 'amount'])
        .orderBy('user_id')
        .orderBy('day')
        .orderBy('amount')
        .execute();
    const before = await readSpans();
    const returnsBefore = await readReturns();
    await db().deleteFrom('paid_spans').where('user_id', 'is not', null).execute();
    await db().deleteFrom('money_returns').where('user_id', 'is not', null).execute();
    const { calendar } = test.deps.payments;
    const users = await db().selectFrom('ledger_entries').select('user_id').distinct().execute();
    const after = await Promise.all(
      users.map(async ({ user_id: id }) =>
        readPaidHistory(id, await listLedgerEntries(db(), id), calendar),
      ),
    );
    await replacePaymentRows(db(), { before: [], after, timeZone: test.deps.config.timeZone });
    expect(await readSpans()).toEqual(before);
    expect(before.length).toBeGreaterThan(20);
    expect(await readReturns()).toEqual(returnsBefore);
    expect(returnsBefore.length).toBeGreaterThan(4);
  });

  it.each([
    'subscribers/active',
    'subscribers/new',
    'subscribers/lost',
    'cohorts/subscribers',
    'revenue/payments',
    'revenue/returned',
    'funnel/paid',
    'leaving/left',
  ])('%s uses an index', async (path) => {
    const range = { from: '2026-05-10', to: '2026-06-20' };
    const { nextCursor } = FigureListPage.parse(
      (
        await admin.request({ url: `/api/admin/reports/${path}`, query: { ...range, limit: '1' } })
      ).json(),
    );
    const steps = await recordPlan(test.deps.database, () =>
      admin.request({
        url: `/api/admin/reports/${path}`,
        query: { ...range, limit: '1', ...(nextCursor && { cursor: nextCursor }) },
      }),
    );
    for (const table of ['paid_spans', 'invoices', 'payments', 'money_returns', 'departures'])
      expect(findFullScans(steps, table)).toEqual([]);
  });
});
