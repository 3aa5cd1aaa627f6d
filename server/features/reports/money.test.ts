import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report, ReportName } from '#contract/admin/reports.ts';
import { dayOf } from '#contract/rules/days.ts';
import { addDays, addMonths, listDays, monthOf } from '#contract/rules/report-days.ts';
import type { LedgerEntriesTable } from '../../db/types/billing-tables.ts';
import { readReport } from '../../testing/figure-lists.ts';
import { payAtRandom, recordHistory } from '../../testing/random-payments.ts';
import { createRandom } from '../../testing/random.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createUser, PASSWORD } from '../../testing/test-user.ts';
import { buildLedgerEntry } from '../billing/ledger/ledger-entries.ts';
import { monthsOf } from '#contract/rules/plans.ts';
import { findPeriods } from '../billing/ledger/paid-through.ts';
import { sumBefore } from './subscription-reports.ts';
import { DAY } from '#contract/rules/time.ts';

let test: TestApp;
let admin: TestClient;
let ledger: LedgerEntriesTable[];
let today: string;
const random = createRandom(79);
const cache = new Map<number, string>();
const day = (at: number): string => {
  const known = cache.get(at) ?? dayOf(at, test.deps.config.timeZone);
  cache.set(at, known);
  return known;
};
const db = () => test.deps.database.db;

beforeAll(async () => {
  test = await createTestApp();
  ({ client: admin } = await createAdmin(test));
  today = day(test.clock.now());
  ledger = await payAtRandom(test, random);
});
afterAll(() => test.close());

type Covered = { from: string; to: string; monthly: number };

/** The days each subscriber's payments cover, from the ledger. */
function listCovered(): Map<string, Covered[]> {
  const subscribers = Map.groupBy(ledger, ({ user_id }) => user_id);
  return new Map(
    [...subscribers].map(([id, rows]) => [
      id,
      findPeriods(rows, test.deps.payments.calendar)
        .filter(({ entry }) => entry.kind === 'charge')
        .map(({ entry, from, to }) => ({
          from: day(from),
          to: day(to),
          monthly: Math.round((entry.amount ?? 0) / monthsOf(entry.plan ?? 'monthly')),
        })),
    ]),
  );
}

const isPaid = (covered: readonly Covered[], on: string) =>
  covered.some(({ from, to }) => from <= on && on <= to);

/** The day a payment expires counts as paid, but not as paid again. */
const isPaidAgain = (covered: readonly Covered[], on: string) =>
  covered.some(({ from, to }) => from <= on && on < to);

const read = (name: ReportName, query: Record<string, string>) => readReport(admin, name, query);
const valuesOf = (report: Report) =>
  Object.fromEntries(report.figures.map(({ key, value }) => [key, value]));

const ranges = () => [
  { from: '2026-02-01', to: today },
  { from: '2026-05-10', to: '2026-06-20' },
  ...Array.from({ length: 4 }, () => {
    const to = addDays(today, -random.below(150));
    return { from: addDays(to, -random.below(100)), to };
  }),
];

describe('revenue reports match a recount of the ledger', () => {
  it('with enough payments to be meaningful', () => {
    expect(ledger.length).toBeGreaterThan(30);
    expect(new Set(ledger.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(5);
  });

  it('for paying, new and lost subscribers per day and MRR', async () => {
    const users = [...listCovered().values()];
    for (const range of ranges()) {
      const subscribers = await read('subscribers', range);
      const money = await read('mrr', range);
      const expected = listDays(range).map((on) => {
        const before = addDays(on, -1);
        const paying = users.filter((covered) => isPaid(covered, on));
        const started = paying.filter((covered) => !isPaid(covered, before)).length;
        const stopped = users.filter((c) => isPaid(c, before) && !isPaid(c, on)).length;
        return { row: [on, paying.length, started, stopped], paying };
      });
      expect(subscribers.rows.map(({ cells }) => cells)).toEqual(expected.map(({ row }) => row));
      const mrr = expected.map(({ row: [on], paying }) => {
        const newest = paying.map((covered) =>
          covered.findLast(({ from, to }) => from <= String(on) && String(on) <= to),
        );
        return newest.reduce((sum, period) => sum + (period?.monthly ?? 0), 0);
      });
      expect(money.rows.map(({ cells }) => cells[1])).toEqual(mrr);
      const active = expected.at(-1)?.paying.length ?? 0;
      const arpu = active > 0 ? Math.round((mrr.at(-1) ?? 0) / active) : null;
      expect(valuesOf(money)).toEqual({ mrr: mrr.at(-1), active, arpu });
      expect(money.rows.map(({ cells }) => cells[3])).toEqual(
        expected.map(({ paying }, index) =>
          paying.length > 0 ? Math.round((mrr[index] ?? 0) / paying.length) : null,
        ),
      );
      const countOf = (column: number) =>
        expected.reduce((sum, { row }) => sum + Number(row[column]), 0);
      expect(valuesOf(subscribers)).toEqual({ active, new: countOf(2), lost: countOf(3) });
      const before = subscribers.previousRange?.to ?? '';
      const wasActive = users.filter((covered) => isPaid(covered, before)).length;
      expect(subscribers.figures.find(({ key }) => key === 'active')?.previous).toBe(wasActive);
    }
  });

  it('for churn', async () => {
    const subscribers = [...listCovered().values()];
    for (const range of ranges()) {
      const atStart = subscribers.filter((c) => isPaid(c, addDays(range.from, -1))).length;
      const days = listDays(range);
      const lost = subscribers.flatMap((c) =>
        days.filter((on) => isPaid(c, addDays(on, -1)) && !isPaid(c, on)),
      ).length;
      const started = subscribers.flatMap((c) =>
        days.filter((on) => !isPaid(c, addDays(on, -1)) && isPaid(c, on)),
      ).length;
      const paying = atStart + started;
      const report = await read('churn', range);
      const previous = report.previousRange ? listDays(report.previousRange) : [];
      const lostBefore = subscribers.flatMap((c) =>
        previous.filter((on) => isPaid(c, addDays(on, -1)) && !isPaid(c, on)),
      ).length;
      expect(report.figures.find(({ key }) => key === 'lost')?.previous).toBe(lostBefore);
      expect(valuesOf(report)).toEqual({ churn: paying > 0 ? lost / paying : null, lost });
      expect(report.rows.reduce((sum, { cells }) => sum + Number(cells[3]), 0)).toBe(started);
      expect(report.rows.reduce((sum, { cells }) => sum + Number(cells[4]), 0)).toBe(lost);
    }
  });

  it('for churn, which never exceeds 100%, not even from a day without subscribers', async () => {
    const report = await read('churn', { from: '2026-01-01', to: today });
    const lost = Number(valuesOf(report).lost);
    // Nobody was paying at the start, and some have stopped since.
    expect(report.rows[0]?.cells[2]).toBe(0);
    expect(lost).toBeGreaterThan(0);
    for (const churn of [valuesOf(report).churn, ...report.rows.map(({ cells }) => cells[1])])
      expect(Number(churn)).toBeLessThanOrEqual(1);
    expect(valuesOf(report).churn).toBeGreaterThan(0);
  });

  it('for cohort retention', async () => {
    const subscribers = [...listCovered().values()].filter((covered) =>
      covered.some((c) => c.from < c.to),
    );
    const firsts = subscribers.map((covered) => ({
      covered,
      first:
        covered
          .filter((c) => c.from < c.to)
          .map((c) => c.from)
          .toSorted()[0] ?? '',
    }));
    const report = await read('cohorts', { from: '2026-01-01', to: today });
    const byMonth = Map.groupBy(firsts, ({ first }) => monthOf(first));
    const expected = [...byMonth]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([cohort, cohortUsers]) => [
        cohort,
        cohortUsers.length,
        ...Array.from({ length: 12 }, (_, index) => {
          const isOver = monthOf(addMonths(`${cohort}-01`, index + 1)) < monthOf(today);
          const stayed = cohortUsers.filter(({ covered, first }) =>
            isPaidAgain(covered, addMonths(first, index + 1)),
          );
          return isOver ? stayed.length / cohortUsers.length : null;
        }),
      ]);
    expect(report.rows.map(({ cells }) => cells)).toEqual(expected);
    const over = [...byMonth].filter(([cohort]) => addMonths(`${cohort}-01`, 2) <= today);
    const cohortUsers = over.flatMap(([, all]) => all);
    const stayed = cohortUsers.filter(({ covered, first }) =>
      isPaidAgain(covered, addMonths(first, 1)),
    );
    expect(valuesOf(report)).toEqual({
      subscribers: firsts.length,
      month1: stayed.length / cohortUsers.length,
    });
  });

  it('for revenue and refunds', async () => {
    for (const range of ranges()) {
      const isIn = ({ at }: LedgerEntriesTable) => day(at) >= range.from && day(at) <= range.to;
      const charges = ledger.filter((row) => row.kind === 'charge');
      const charged = charges.filter(isIn).reduce((sum, row) => sum + (row.amount ?? 0), 0);
      let returned = 0;
      for (const charge of charges) {
        const about = ledger.filter((row) => row.charge_id === charge.charge_id);
        let refunded = 0;
        let held = 0;
        for (const row of about) {
          const before = refunded + held;
          if (row.kind === 'refund') refunded = Math.max(refunded, row.amount ?? 0);
          if (row.kind === 'dispute') held = (charge.amount ?? 0) - refunded;
          if (row.kind === 'dispute-won') held = 0;
          if (isIn(row)) returned += refunded + held - before;
        }
      }
      const payments = charges.filter(isIn).length;
      const report = await read('revenue', range);
      expect(valuesOf(report)).toEqual({ net: charged - returned, payments, returned });
    }
  });
});

describe('a subscriber who stopped paying', () => {
  const charge = (id: string, plan: 'monthly' | 'annual', amount: number) =>
    buildLedgerEntry('charge', test.clock.now() - 10 * DAY, 'Paid.', {
      provider: 'sandbox',
      charge_id: id,
      plan,
      amount,
      currency: 'ZAR',
    });

  it('because access was ended counts as paying until then', async () => {
    const { user } = await createUser(test, 'ended');
    const readLost = async () => {
      const { rows } = await read('subscribers', { from: addDays(today, -5), to: today });
      return rows.map(({ cells }) => Number(cells[3]));
    };
    const before = await readLost();
    const end = buildLedgerEntry('end', test.clock.now() - 2 * DAY, 'Ended.');
    await recordHistory(test, user.id, [charge('ended-1', 'monthly', 79_00), end]);
    const more = (await readLost()).map((lost, index) => lost - (before[index] ?? 0));
    expect(more).toEqual([0, 0, 0, 0, 1, 0]);
  });

  it('because the account was deleted stays in the figures until that day', async () => {
    const { client, user } = await createUser(test, 'leaver');
    const readDays = async () => ({
      today: await sumBefore(db(), addDays(today, 1)),
      tomorrow: await sumBefore(db(), addDays(today, 2)),
    });
    const was = await readDays();
    await recordHistory(test, user.id, [charge('leaver-1', 'annual', 790_00)]);
    const paying = { active: was.today.active + 1, mrr: was.today.mrr + Math.round(790_00 / 12) };
    expect((await readDays()).today).toEqual(paying);
    const gone = await client.request({
      method: 'DELETE',
      url: '/api/me',
      payload: { password: PASSWORD, confirmation: 'delete' },
    });
    expect(gone.statusCode).toBe(204);
    expect(await readDays()).toEqual({ today: paying, tomorrow: was.tomorrow });
  });
});
