import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FigureListPage, REPORT_NAMES, Report, type ReportName } from '#contract/reports.ts';
import { dayOf, startOfDay } from '#contract/rules/days.ts';
import { addDays, addMonths, listDays, monthOf } from '#contract/rules/report-days.ts';
import type { LedgerTable } from '../../db/billing-tables.ts';
import { createRandom } from '../../testing/random.ts';
import { findFullScans, recordPlan } from '../../testing/explain.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createMember, PASSWORD } from '../../testing/test-member.ts';
import { notePaidSpans } from '../billing/jobs.ts';
import { newEvent, type NewEvent } from '../billing/ledger-event.ts';
import { findPeriods, monthsOf } from '../billing/paid-through.ts';
import { recordEvents } from '../billing/record.ts';
import { sumBefore } from './money-queries.ts';

const DAY = 24 * 60 * 60 * 1000;
const START = Date.UTC(2026, 0, 31, 20);
const MEMBERS = 14;

let test: TestApp;
let admin: TestClient;
let ledger: LedgerTable[];
let today: string;
const random = createRandom(79);
const cache = new Map<number, string>();
const day = (at: number): string => {
  const known = cache.get(at) ?? dayOf(at, test.deps.config.timeZone);
  cache.set(at, known);
  return known;
};
const db = () => test.deps.database.db;
const place = () => ({
  now: test.clock.now(),
  calendar: test.deps.payments.calendar,
  timeZone: test.deps.config.timeZone,
});

/** Renewals in time, late or never, plans of both kinds, money back in part and in full, disputes, gifts. */
function inventHistory(id: string): NewEvent[] {
  const plan = random.pick(['monthly', 'monthly', 'annual'] as const);
  const amount = plan === 'annual' ? 790_00 : random.pick([79_00, 39_50]);
  const of = { provider: 'sandbox', agreement_id: `${id}-a`, plan, amount, currency: 'ZAR' };
  const events: NewEvent[] = [];
  let at = START + random.below(200) * DAY + random.below(DAY);
  for (let n = 1 + random.below(8); n > 0 && at < test.clock.now(); n -= 1) {
    const charge = { ...of, charge_id: `${id}-${n}` };
    events.push(newEvent('charge', at, 'Paid.', charge));
    const later = at + random.below(20) * DAY;
    const luck = random.below(14);
    if (luck === 0) events.push(newEvent('refund', later, 'Back.', { ...charge, amount: 10_00 }));
    if (luck <= 1) events.push(newEvent('refund', later + DAY, 'Back.', charge));
    if (luck === 2) events.push(newEvent('dispute', later, 'Held.', charge));
    if (luck === 2) events.push(newEvent('dispute-won', later + DAY, 'Ours.', charge));
    if (luck === 3) events.push(newEvent('gift', later, 'Gift.', { months: 1 }));
    if (luck === 4) events.push(newEvent('trial', at - 3 * DAY, 'Trial.', { days: 3 }));
    const next = test.deps.payments.calendar.addMonths(at, monthsOf(plan));
    at = next + random.pick([0, 0, 0, 2, 5, 40]) * DAY;
  }
  return events;
}

async function recordHistory(userId: string, events: readonly NewEvent[]) {
  let known: LedgerTable[] = [];
  for (const event of events)
    await db()
      .transaction()
      .execute(async (tx) => {
        const written = await recordEvents(tx, { userId, ledger: known }, [event], place());
        known = written.ledger;
      });
}

beforeAll(async () => {
  test = await createTestApp();
  ({ client: admin } = await createAdmin(test));
  today = day(test.clock.now());
  const users = Array.from({ length: MEMBERS }, (_, index) => `member-${index}`);
  for (const id of users) {
    const now = test.clock.now();
    await db()
      .insertInto('users')
      .values({
        id,
        username: id,
        username_key: id,
        email: id,
        email_key: id,
        password_hash: '',
        is_admin: 0,
        is_demo: 0,
        paid_through: null,
        avatar_key: null,
        created_at: now,
        updated_at: now,
      })
      .execute();
    await recordHistory(id, inventHistory(id));
  }
  ledger = await db().selectFrom('ledger').selectAll().orderBy('user_id').orderBy('seq').execute();
});
afterAll(() => test.close());

type Covered = { from: string; to: string; monthly: number };

/** Each member's days that a payment covers, from the ledger as it stands. */
function listCovered(): Map<string, Covered[]> {
  const members = Map.groupBy(ledger, ({ user_id }) => user_id);
  return new Map(
    [...members].map(([id, rows]) => [
      id,
      findPeriods(rows, test.deps.payments.calendar)
        .filter(({ fact }) => fact.kind === 'charge')
        .map(({ fact, from, to }) => ({
          from: day(from),
          to: day(to),
          monthly: Math.round((fact.amount ?? 0) / monthsOf(fact.plan ?? 'monthly')),
        })),
    ]),
  );
}

const isPaid = (covered: readonly Covered[], on: string) =>
  covered.some(({ from, to }) => from <= on && on <= to);

/** On the day it runs out a payment counts, but not as one that came again. */
const isPaidAgain = (covered: readonly Covered[], on: string) =>
  covered.some(({ from, to }) => from <= on && on < to);

const read = async (name: ReportName, query: Record<string, string>): Promise<Report> => {
  const response = await admin.request({ method: 'GET', url: `/api/admin/reports/${name}`, query });
  return Report.parse(response.json());
};
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

describe('what was paid, counted again from the ledger', () => {
  it('has something to count', () => {
    expect(ledger.length).toBeGreaterThan(30);
    expect(new Set(ledger.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(5);
  });

  it('is who pays on each day, who began and who stopped, and what it makes a month', async () => {
    const members = [...listCovered().values()];
    for (const range of ranges()) {
      const subscribers = await read('subscribers', range);
      const money = await read('mrr', range);
      const expected = listDays(range).map((on) => {
        const before = addDays(on, -1);
        const paying = members.filter((covered) => isPaid(covered, on));
        const began = paying.filter((covered) => !isPaid(covered, before)).length;
        const stopped = members.filter((c) => isPaid(c, before) && !isPaid(c, on)).length;
        return { row: [on, paying.length, began, stopped], paying };
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
      const before = subscribers.before?.to ?? '';
      const wasActive = members.filter((covered) => isPaid(covered, before)).length;
      expect(subscribers.figures.find(({ key }) => key === 'active')?.previous).toBe(wasActive);
    }
  });

  it('is the share that was lost', async () => {
    const members = [...listCovered().values()];
    for (const range of ranges()) {
      const atStart = members.filter((c) => isPaid(c, addDays(range.from, -1))).length;
      const days = listDays(range);
      const lost = members.flatMap((c) =>
        days.filter((on) => isPaid(c, addDays(on, -1)) && !isPaid(c, on)),
      ).length;
      const report = await read('churn', range);
      const previous = report.before ? listDays(report.before) : [];
      const lostBefore = members.flatMap((c) =>
        previous.filter((on) => isPaid(c, addDays(on, -1)) && !isPaid(c, on)),
      ).length;
      expect(report.figures.find(({ key }) => key === 'lost')?.previous).toBe(lostBefore);
      expect(valuesOf(report)).toEqual({ churn: atStart > 0 ? lost / atStart : null, lost });
      expect(report.rows.reduce((sum, { cells }) => sum + Number(cells[3]), 0)).toBe(lost);
    }
  });

  it('is how long the people of a month stay', async () => {
    const members = [...listCovered().values()].filter((covered) =>
      covered.some((c) => c.from < c.to),
    );
    const firsts = members.map((covered) => ({
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
      .map(([cohort, people]) => [
        cohort,
        people.length,
        ...Array.from({ length: 12 }, (_, index) => {
          const isOver = monthOf(addMonths(`${cohort}-01`, index + 1)) < monthOf(today);
          const stayed = people.filter(({ covered, first }) =>
            isPaidAgain(covered, addMonths(first, index + 1)),
          );
          return isOver ? stayed.length / people.length : null;
        }),
      ]);
    expect(report.rows.map(({ cells }) => cells)).toEqual(expected);
    const over = [...byMonth].filter(([cohort]) => addMonths(`${cohort}-01`, 2) <= today);
    const people = over.flatMap(([, all]) => all);
    const stayed = people.filter(({ covered, first }) => isPaidAgain(covered, addMonths(first, 1)));
    expect(valuesOf(report)).toEqual({
      members: firsts.length,
      month1: stayed.length / people.length,
    });
  });

  it('is the money that came and went', async () => {
    for (const range of ranges()) {
      const isIn = ({ at }: LedgerTable) => day(at) >= range.from && day(at) <= range.to;
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

describe('somebody who pays no more', () => {
  const charge = (id: string, plan: 'monthly' | 'annual', amount: number) =>
    newEvent('charge', test.clock.now() - 10 * DAY, 'Paid.', {
      provider: 'sandbox',
      charge_id: id,
      plan,
      amount,
      currency: 'ZAR',
    });

  it('because access was ended has paid until then', async () => {
    const { user } = await createMember(test, 'ended');
    const readLost = async () => {
      const { rows } = await read('subscribers', { from: addDays(today, -5), to: today });
      return rows.map(({ cells }) => Number(cells[3]));
    };
    const before = await readLost();
    const end = newEvent('end', test.clock.now() - 2 * DAY, 'Ended.');
    await recordHistory(user.id, [charge('ended-1', 'monthly', 79_00), end]);
    const more = (await readLost()).map((lost, index) => lost - (before[index] ?? 0));
    expect(more).toEqual([0, 0, 0, 0, 1, 0]);
  });

  it('because they left stays in the numbers, and pays no more from the next day', async () => {
    const { client, user } = await createMember(test, 'leaver');
    const readDays = async () => ({
      today: await sumBefore(db(), addDays(today, 1)),
      tomorrow: await sumBefore(db(), addDays(today, 2)),
    });
    const was = await readDays();
    await recordHistory(user.id, [charge('leaver-1', 'annual', 790_00)]);
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

describe('from preview to paid', () => {
  it('counts the checkouts begun in these days, and those of them that were paid', async () => {
    const checkout = (reference: string, at: number, state: 'open' | 'paid' | 'expired') => ({
      reference,
      user_id: random.pick([null, 'member-1', 'member-2']),
      provider: 'sandbox',
      plan: 'monthly' as const,
      amount: 79_00,
      renewal_amount: 79_00,
      currency: 'ZAR',
      coupon_id: null,
      free_days: 0,
      free_kind: null,
      first_charge_at: at,
      state,
      customer_id: null,
      agreement_id: null,
      is_purchase_told: 0 as const,
      checkout_id: null,
      created_at: at,
      updated_at: at,
    });
    const midnight = startOfDay(addDays(today, -20), test.deps.config.timeZone);
    const rows = Array.from({ length: 50 }, (_, index) => {
      const at = test.clock.now() - random.below(150) * DAY - random.below(DAY);
      return checkout(`c-${index}`, at, random.pick(['open', 'paid', 'expired'] as const));
    });
    rows.push(checkout('edge-a', midnight - 1, 'paid'), checkout('edge-b', midnight, 'paid'));
    await db().insertInto('checkouts').values(rows).execute();
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
      const begun = rows.filter(
        ({ created_at: at }) => day(at) >= range.from && day(at) <= range.to,
      );
      const paid = begun.filter(({ state }) => state === 'paid').length;
      const previews = [0, 7, 40]
        .filter((days) => addDays(today, -days) >= range.from && addDays(today, -days) <= range.to)
        .reduce((sum, days) => sum + 9 - (days % 5), 0);
      const report = await read('funnel', range);
      expect(valuesOf(report)).toEqual({ previews, checkouts: begun.length, paid });
      expect(report.rows.map(({ cells }) => cells.slice(1))).toEqual([
        [previews, null],
        [begun.length, previews > 0 ? begun.length / previews : null],
        [paid, begun.length > 0 ? paid / begun.length : null],
      ]);
    }
  });
});

describe('a number that opens a list', () => {
  const readList = async (href: string): Promise<FigureListPage> => {
    const { searchParams } = new URL(href, 'http://site');
    const { report, figure, ...query } = Object.fromEntries(searchParams);
    const pages: FigureListPage[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const response = await admin.request({
        method: 'GET',
        url: `/api/admin/reports/${report}/${figure}`,
        query: { ...query, limit: '7', ...(cursor && { cursor }) },
      });
      const page = FigureListPage.parse(response.json());
      pages.push(page);
      cursor = page.nextCursor;
    }
    const [first] = pages as [FigureListPage, ...FigureListPage[]];
    return { ...first, items: pages.flatMap(({ items }) => items) };
  };

  it('has as many rows as it says, those of people who have left too', async () => {
    const opened = new Set<string>();
    for (const range of ranges())
      for (const name of REPORT_NAMES)
        for (const figure of (await read(name, range)).figures) {
          if (!figure.href) continue;
          const { pathname, searchParams } = new URL(figure.href, 'http://site');
          opened.add(`${name}.${figure.key}`);
          // Of mixes, which listening.test.ts has and this one does not.
          if (figure.key === 'plays') continue;
          if (pathname === '/admin/reports') {
            const other = await read(searchParams.get('report') as ReportName, range);
            expect([name, figure.key, valuesOf(other)[figure.key]]).toEqual([
              name,
              figure.key,
              figure.value,
            ]);
            continue;
          }
          const list = await readList(figure.href);
          const monthly = list.columns.findIndex(({ key }) => key === 'monthly');
          const total =
            figure.unit === 'cents'
              ? list.items.reduce((sum, { cells }) => sum + Number(cells[monthly]), 0)
              : list.items.length;
          expect([name, figure.key, range, total]).toEqual([name, figure.key, range, figure.value]);
          expect(list.figure.value).toBe(figure.value);
        }
    expect([...opened].toSorted()).toEqual([
      'churn.lost',
      'cohorts.members',
      'funnel.checkouts',
      'funnel.paid',
      'funnel.previews',
      'mrr.active',
      'mrr.mrr',
      'plays.plays',
      'revenue.payments',
      'subscribers.active',
      'subscribers.lost',
      'subscribers.new',
    ]);
  });

  it('is there for figures that have one, and says so for the others', async () => {
    for (const path of ['plays/previews', 'subscribers/nothing', 'mrr/constructor']) {
      const url = `/api/admin/reports/${path}`;
      expect((await admin.request({ method: 'GET', url })).statusCode).toBe(404);
    }
  });

  it('is written again from ledgers that are older than it', async () => {
    const readSpans = () =>
      db()
        .selectFrom('paid_spans')
        .select(['user_id', 'from_day', 'to_day', 'monthly', 'is_begin', 'is_end', 'cohort'])
        .where('user_id', 'is not', null)
        .orderBy('user_id')
        .orderBy('from_day')
        .execute();
    const before = await readSpans();
    await db().deleteFrom('paid_spans').where('user_id', 'is not', null).execute();
    const job = { id: 'a', attempt: 1, maxAttempts: 1, signal: new AbortController().signal };
    await notePaidSpans.execute(test.deps, '{}', { ...job, finish: async () => undefined });
    expect(await readSpans()).toEqual(before);
    expect(before.length).toBeGreaterThan(20);
  });

  it.each([
    'subscribers/active',
    'subscribers/new',
    'subscribers/lost',
    'cohorts/members',
    'revenue/payments',
    'funnel/paid',
  ])('%s is read by an index', async (path) => {
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
    for (const table of ['paid_spans', 'invoices', 'checkouts'])
      expect(findFullScans(steps, table)).toEqual([]);
  });
});
