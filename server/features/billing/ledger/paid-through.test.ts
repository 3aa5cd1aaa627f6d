import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCalendar, createRealCalendar } from '../../../ports/payments/calendar.ts';
import { buildLedgerEntry, type NewLedgerEntry } from './ledger-entries.ts';
import { findAccessEnd, findPeriods } from './paid-through.ts';
import { findPaidThrough } from './service.ts';
import { DAY } from '#contract/rules/time.ts';

const calendar = createCalendar();
const day = (text: string) => Date.parse(`${text}T10:00:00Z`);

type More = Partial<NewLedgerEntry>;
const charge = (id: string, at: string, more: More = {}): NewLedgerEntry =>
  buildLedgerEntry('charge', day(at), '', {
    provider: 'sandbox',
    charge_id: id,
    subscription_id: 'a',
    plan: 'monthly',
    amount: 79_00,
    ...more,
  });
const about = (kind: 'refund' | 'dispute' | 'dispute-won', id: string, amount = 79_00) =>
  buildLedgerEntry(kind, 0, '', { provider: 'sandbox', charge_id: id, amount });
const endOf = (...facts: NewLedgerEntry[]) => {
  const end = findPaidThrough(facts, calendar);
  return end === null ? null : new Date(end).toISOString().slice(0, 10);
};

describe('the paid time', () => {
  it.each<[string, NewLedgerEntry[], string | null]>([
    ['nothing', [], null],
    ['a month', [charge('1', '2026-11-15')], '2026-12-15'],
    ['a year', [charge('1', '2028-02-29', { plan: 'annual' })], '2029-02-28'],
    [
      'two months, the second early',
      [charge('1', '2026-11-15'), charge('2', '2026-12-01')],
      '2027-01-15',
    ],
    ['two months with a gap', [charge('1', '2026-11-15'), charge('2', '2027-03-01')], '2027-04-15'],
    [
      'a renewal three days late, which keeps the day',
      [charge('1', '2026-11-15'), charge('2', '2026-12-18')],
      '2027-01-15',
    ],
    [
      'a renewal 40 days late, which pays for no time that has gone',
      [charge('1', '2026-11-15'), charge('2', '2027-01-24')],
      '2027-02-15',
    ],
    [
      'a year that is renewed 40 days late',
      [
        charge('1', '2026-11-15', { plan: 'annual' }),
        charge('2', '2027-12-25', { plan: 'annual' }),
      ],
      '2028-12-15',
    ],
    [
      'three months that were paid once in the middle of a month',
      [
        charge('1', '2026-11-15'),
        charge('2', '2026-11-20', { subscription_id: null, plan: null, months: 3 }),
      ],
      '2027-03-15',
    ],
    [
      'a renewal after a gift, which counts from its end',
      [
        charge('1', '2026-11-15'),
        buildLedgerEntry('gift', day('2026-11-20'), '', { months: 1 }),
        charge('2', '2027-01-18'),
      ],
      '2027-02-15',
    ],
    [
      'another subscription two days after the end of one',
      [charge('1', '2026-11-15'), charge('2', '2026-12-17', { subscription_id: 'b' })],
      '2027-01-17',
    ],
    [
      'another subscription that was bought before the end of one, and paid a day late',
      [
        charge('1', '2026-11-15'),
        buildLedgerEntry('subscribed', day('2026-12-01'), '', { subscription_id: 'b' }),
        charge('2', '2026-12-16', { subscription_id: 'b' }),
      ],
      '2027-01-15',
    ],
    [
      'three months from the 31st, which come back to it',
      [charge('1', '2027-01-31'), charge('2', '2027-02-28'), charge('3', '2027-03-31')],
      '2027-04-30',
    ],
    [
      'a month and then a year',
      [charge('1', '2026-11-15'), charge('2', '2026-12-15', { plan: 'annual' })],
      '2027-12-15',
    ],
    ['a month that was paid back', [charge('1', '2026-11-15'), about('refund', '1')], null],
    [
      'a month, paid back in part',
      [charge('1', '2026-11-15'), about('refund', '1', 10_00)],
      '2026-12-15',
    ],
    ['a month that is disputed', [charge('1', '2026-11-15'), about('dispute', '1')], null],
    [
      'a month whose dispute was won',
      [charge('1', '2026-11-15'), about('dispute', '1'), about('dispute-won', '1')],
      '2026-12-15',
    ],
    [
      'two months of which the first was paid back',
      [charge('1', '2026-11-15'), charge('2', '2026-12-15'), about('refund', '1')],
      '2027-01-15',
    ],
    [
      'a gift in the middle of a month, which is added to its end',
      [charge('1', '2026-11-15'), buildLedgerEntry('gift', day('2026-11-20'), '', { months: 3 })],
      '2027-03-15',
    ],
    ['a trial', [buildLedgerEntry('trial', day('2026-11-15'), '', { days: 7 })], '2026-11-22'],
    [
      'a trial and the payment after it',
      [buildLedgerEntry('trial', day('2026-11-15'), '', { days: 7 }), charge('1', '2026-11-22')],
      '2026-12-22',
    ],
    [
      'a grant',
      [buildLedgerEntry('grant', day('2026-11-15'), '', { until: day('2027-01-01') })],
      '2027-01-01',
    ],
    [
      'a grant that is shorter than what was paid for',
      [
        charge('1', '2026-11-15'),
        buildLedgerEntry('grant', day('2026-11-16'), '', { until: day('2026-11-20') }),
      ],
      '2026-12-15',
    ],
    [
      'what an administrator ended',
      [charge('1', '2026-11-15'), buildLedgerEntry('end', day('2026-11-16'), '')],
      null,
    ],
    [
      'what was paid after an administrator ended it',
      [
        charge('1', '2026-11-15'),
        buildLedgerEntry('end', day('2026-11-16'), ''),
        charge('2', '2026-11-17', { subscription_id: 'b' }),
      ],
      '2026-12-17',
    ],
    [
      'a charge that was refused',
      [buildLedgerEntry('charge-refused', day('2026-11-15'), '', { plan: 'annual', amount: 1 })],
      null,
    ],
  ])('%s', (_name, facts, expected) => {
    expect(endOf(...facts)).toBe(expected);
    expect(endOf(...facts.toReversed())).toBe(expected);
  });
});

const START = Date.UTC(2026, 0, 1);
const anyTime = fc.integer({ min: 0, max: 900 }).map((days) => START + days * DAY);
const anyPlan = fc.constantFrom('monthly' as const, 'annual' as const);
const anyFact = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      at: anyTime,
      plan: anyPlan,
      subscription_id: fc.constantFrom('a', 'b'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ at: anyTime, months: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 1, arbitrary: fc.record({ at: anyTime, until: anyTime }) },
);
/** As they are recorded: each payment remembers the end of its period. */
const record = (facts: readonly NewLedgerEntry[]): NewLedgerEntry[] =>
  facts
    .toSorted((a, b) => a.at - b.at)
    .reduce<NewLedgerEntry[]>((before, entry) => {
      const period = findPeriods([...before, entry], calendar).find((one) => one.entry === entry);
      const until = entry.kind === 'charge' ? (period?.to ?? null) : entry.until;
      return [...before, { ...entry, until }];
    }, []);

const history = fc.array(anyFact, { minLength: 1, maxLength: 14 }).map((facts) =>
  record(
    facts.map((entry, index): NewLedgerEntry => {
      if ('plan' in entry)
        return buildLedgerEntry('charge', entry.at, '', {
          ...entry,
          provider: 'p',
          charge_id: `c${index}`,
          amount: 100,
        });
      return 'months' in entry
        ? buildLedgerEntry('gift', entry.at, '', entry)
        : buildLedgerEntry('grant', entry.at, '', entry);
    }),
  ),
);

describe('any set of payments', () => {
  it('gives the same result in any order, and counts each charge once', () => {
    fc.assert(
      fc.property(
        history.chain((facts) =>
          fc.tuple(fc.constant(facts), fc.shuffledSubarray(facts, { minLength: facts.length })),
        ),
        ([facts, shuffled]) => {
          expect(findPaidThrough(shuffled, calendar)).toBe(findPaidThrough(facts, calendar));
        },
      ),
    );
  });

  it('only grows with another payment, and never grows without one', () => {
    fc.assert(
      fc.property(history, fc.nat(), (facts, pick) => {
        const charges = facts.filter(({ kind }) => kind === 'charge');
        const taken = charges[pick % Math.max(1, charges.length)];
        if (!taken) return;
        const back = buildLedgerEntry('refund', 0, '', {
          provider: 'p',
          charge_id: taken.charge_id,
          amount: 100,
        });
        const all = findPaidThrough(facts, calendar) ?? 0;
        const less = findPaidThrough([...facts, back], calendar) ?? 0;
        expect(less).toBeLessThanOrEqual(all);
        expect(less).toBe(
          findPaidThrough(
            facts.filter((entry) => entry !== taken),
            calendar,
          ) ?? 0,
        );
      }),
    );
  });

  it('never covers the same time twice', () => {
    fc.assert(
      fc.property(history, (facts) => {
        const paid = findPeriods(facts, calendar).filter(({ entry }) => entry.kind === 'charge');
        for (const [index, period] of paid.entries()) {
          expect(period.to).toBeGreaterThan(period.from);
          const next = paid[index + 1];
          if (next) expect(next.from).toBeGreaterThanOrEqual(period.to);
        }
      }),
    );
  });
});

it('counts no test payments where real money is taken, and nothing that follows from them', () => {
  const test = charge('1', '2026-11-15', { plan: 'annual' });
  const trial = buildLedgerEntry('trial', day('2026-11-10'), '', { provider: 'sandbox', days: 7 });
  const real = charge('2', '2026-12-01', { provider: 'paystack', subscription_id: 'b' });
  expect(findPaidThrough([trial, test], createRealCalendar())).toBeNull();
  expect(findPaidThrough([trial, test, real], createRealCalendar())).toBe(day('2027-01-01'));
  expect(findPaidThrough([trial, test, real], calendar)).toBe(day('2027-12-17'));
});

describe('the end of access', () => {
  type Recorded = NewLedgerEntry & { recorded_at: number };
  const on = (at: string, entry: NewLedgerEntry): Recorded => ({ ...entry, recorded_at: day(at) });
  const paid = on('2026-11-15', charge('1', '2026-11-15'));
  const ended = buildLedgerEntry('end', day('2026-11-20'), '');
  it.each<[string, Recorded[], string | null]>([
    ['unknown if nothing was ever paid', [], null],
    ['three days after the paid time', [paid], '2026-12-18'],
    ['when an administrator ends it', [paid, on('2026-11-20', ended)], '2026-11-20'],
    ['when it is paid back', [paid, on('2026-11-25', about('refund', '1'))], '2026-11-25'],
    [
      'as before, if it is paid back later',
      [paid, on('2027-02-01', about('refund', '1'))],
      '2026-12-18',
    ],
    [
      'as before, if an end comes later',
      [paid, on('2027-02-01', buildLedgerEntry('end', day('2027-02-01'), ''))],
      '2026-12-18',
    ],
    [
      'the last one of several',
      [paid, on('2026-11-20', ended), on('2027-01-10', charge('2', '2027-01-10'))],
      '2027-02-13',
    ],
    [
      'with a later payment that was never in time',
      [paid, on('2027-06-01', charge('2', '2027-01-10'))],
      '2026-12-18',
    ],
  ])('is %s', (_when, ledger, expected) => {
    const end = findAccessEnd(ledger, { calendar, graceMs: 3 * DAY });
    expect(end && new Date(end).toISOString().slice(0, 10)).toBe(expected);
  });
});
