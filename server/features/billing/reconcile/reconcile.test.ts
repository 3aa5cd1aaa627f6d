import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan } from '#contract/rules/plans.ts';
import { createCalendar } from '../../../ports/payments/calendar.ts';
import type { ProviderSubscription, Charge } from '../../../ports/payments/payments.ts';
import { payModel } from '../../../testing/paid-model.ts';
import { reconcile } from './reconcile.ts';
import { findPaidThrough } from '../ledger/service.ts';
import type { CheckoutRow } from '../queries.ts';
import type { LocalState } from './local-state.ts';
import type { ProviderState } from './provider-state.ts';
import { DAY } from '#contract/rules/time.ts';

const calendar = createCalendar();
const START = Date.UTC(2026, 10, 15, 12);
const PRICE: Record<Plan, number> = { monthly: 79_00, annual: 790_00 };

const checkout: CheckoutRow = {
  reference: 'ref',
  checkout_id: null,
  user_id: 'thandi',
  provider: 'sandbox',
  plan: 'monthly',
  amount: PRICE.monthly,
  renewal_amount: PRICE.monthly,
  currency: 'ZAR',
  coupon_id: null,
  free_days: 0,
  free_kind: null,
  first_charge_at: START,
  state: 'open',
  customer_id: null,
  provider_subscription_id: null,
  is_purchase_reported: 0,
  created_at: START,
  updated_at: START,
};

/** A provider with one customer, played by hand. */
class Company {
  now = START;
  charges: Charge[] = [];
  providerSubscription: ProviderSubscription = {
    id: 'agr',
    customerId: 'cus',
    plan: 'monthly',
    status: 'active',
    nextChargeAt: START,
    nextAmount: PRICE.monthly,
    nextPlan: null,
    card: null,
  };

  charge(status: 'paid' | 'failed') {
    const isFirst = this.charges.length === 0;
    const plan = this.providerSubscription.nextPlan ?? this.providerSubscription.plan ?? 'monthly';
    this.charges.push({
      id: `chg-${this.charges.length}`,
      reference: isFirst ? 'ref' : null,
      customerId: 'cus',
      providerSubscriptionId: 'agr',
      plan,
      status,
      amount: PRICE[plan],
      refunded: 0,
      currency: 'ZAR',
      isDisputed: false,
      at: this.now,
      card: null,
      failure: status === 'failed' ? 'Declined.' : null,
    });
    if (status === 'paid') this.change({ plan, nextPlan: null, status: 'active' });
    else this.change({ status: 'late' });
  }

  change(change: Partial<ProviderSubscription>) {
    this.providerSubscription = { ...this.providerSubscription, ...change };
  }

  changeCharge(pick: number, change: (charge: Charge) => Partial<Charge>) {
    const paid = this.charges.filter(({ status }) => status === 'paid');
    const chosen = paid[pick % Math.max(1, paid.length)];
    this.charges = this.charges.map((charge) =>
      charge === chosen ? { ...charge, ...change(charge) } : charge,
    );
  }

  tell(): ProviderState {
    const [first] = this.charges;
    return {
      checkouts: new Map([
        [
          'ref',
          {
            state: first?.status === 'paid' ? 'paid' : 'open',
            providerSubscriptionId: first?.status === 'paid' ? 'agr' : null,
            customerId: 'cus',
            charge: first ?? null,
          },
        ],
      ]),
      subscriptions:
        first?.status === 'paid'
          ? [{ providerSubscription: this.providerSubscription, charges: this.charges }]
          : [],
    };
  }
}

type Step = { do: string; pick: number; days: number; isSeen: boolean };
const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom(
    'renew',
    'renew',
    'renew',
    'fail',
    'cancel',
    'resume',
    'change',
    'refund',
    'part',
    'dispute',
    'win',
  ),
  pick: fc.nat(20),
  days: fc.integer({ min: 0, max: 45 }),
  isSeen: fc.boolean(),
});

const other = (plan: Plan | null): Plan => (plan === 'annual' ? 'monthly' : 'annual');

function play(company: Company, { do: what, pick, days }: Step) {
  company.now += days * DAY;
  const { providerSubscription } = company;
  if (what === 'renew') company.charge('paid');
  if (what === 'fail') company.charge('failed');
  if (what === 'cancel') company.change({ status: 'ending' });
  if (what === 'resume') company.change({ status: 'active' });
  if (what === 'change') company.change({ nextPlan: other(providerSubscription.plan) });
  if (what === 'refund') company.changeCharge(pick, ({ amount }) => ({ refunded: amount }));
  if (what === 'part')
    company.changeCharge(pick, ({ refunded }) => ({ refunded: Math.max(refunded, 5_00) }));
  if (what === 'dispute') company.changeCharge(pick, () => ({ isDisputed: true }));
  if (what === 'win') company.changeCharge(pick, () => ({ isDisputed: false }));
}

/** What the writer does with an outcome, without a database. */
function look(local: LocalState, company: Company): LocalState {
  const outcome = reconcile(local, company.tell(), { now: company.now, provider: 'sandbox' });
  const rows = outcome.entries.map((entry, index) => ({
    ...entry,
    user_id: 'thandi',
    seq: local.ledger.length + 1 + index,
    recorded_at: company.now,
  }));
  const providerSubscriptions = new Map(local.providerSubscriptions.map((row) => [row.id, row]));
  for (const row of outcome.providerSubscriptions) providerSubscriptions.set(row.id, row);
  const changed = new Map(outcome.checkouts.map((row) => [row.reference, row]));
  return {
    checkouts: local.checkouts.map((row) => changed.get(row.reference) ?? row),
    providerSubscriptions: [...providerSubscriptions.values()],
    ledger: [...local.ledger, ...rows],
  };
}

const nothingRecorded: LocalState = {
  checkouts: [checkout],
  providerSubscriptions: [],
  ledger: [],
};
/** A change of plan is written down before the provider is asked: both prices are agreed to. */
const agreeToBoth = (local: LocalState): LocalState => ({
  ...local,
  providerSubscriptions: local.providerSubscriptions.map((row) => ({
    ...row,
    agreed_prices: JSON.stringify([
      { plan: 'monthly', amount: PRICE.monthly },
      { plan: 'annual', amount: PRICE.annual },
    ]),
  })),
});

const modelOf = ({ charges }: Company) =>
  payModel(
    charges
      .filter(({ status }) => status === 'paid')
      .map(({ id, at, plan, refunded, amount, isDisputed }) => ({
        id,
        at,
        plan: plan ?? 'monthly',
        providerSubscription: 'agr',
        isGone: refunded >= amount || isDisputed,
      })),
  );

describe('any sequence of provider changes, however often it is reconciled', () => {
  it('ends with exactly the paid time', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 24 }), (steps) => {
        const company = new Company();
        company.charge('paid');
        let local = agreeToBoth(look(nothingRecorded, company));
        for (const one of steps) {
          play(company, one);
          if (one.isSeen) local = look(look(local, company), company);
        }
        local = look(local, company);
        expect(findPaidThrough(local.ledger, calendar)).toBe(modelOf(company));
        // Seen once more it is the same, and nothing is written.
        expect(look(local, company)).toEqual(local);
        const taken = local.ledger.filter(({ kind }) => kind === 'charge');
        expect(new Set(taken.map(({ charge_id }) => charge_id)).size).toBe(taken.length);
      }),
      { numRuns: 3000, seed: 20261118 },
    );
  });

  it('gives no access for a charge with another price, currency or plan', () => {
    const wrong = fc.record({
      amount: fc.integer({ min: 0, max: 100_000 }),
      currency: fc.constantFrom('ZAR', 'USD', 'zar', ''),
      plan: fc.constantFrom<Plan | null>('monthly', 'annual', null),
      reference: fc.constantFrom('ref', null, 'another'),
    });
    fc.assert(
      fc.property(wrong, (change) => {
        fc.pre(
          change.amount !== PRICE.monthly ||
            change.currency !== 'ZAR' ||
            change.plan !== 'monthly' ||
            change.reference === 'another',
        );
        const company = new Company();
        company.charge('paid');
        company.changeCharge(0, () => change);
        const local = look(nothingRecorded, company);
        expect(findPaidThrough(local.ledger, calendar)).toBeNull();
        expect(local.ledger.map(({ kind }) => kind)).toContain('charge-refused');
        expect(local.checkouts[0]?.state).not.toBe('paid');
      }),
      { numRuns: 1000, seed: 20261119 },
    );
  });
});

describe('a plan change that creates a new subscription at the provider', () => {
  const subscribe = () => {
    const company = new Company();
    company.charge('paid');
    return { company, local: agreeToBoth(look(nothingRecorded, company)) };
  };
  const tellBoth = (company: Company, charges: Charge[] = []): ProviderState => {
    const state = company.tell();
    const next = {
      ...company.providerSubscription,
      id: 'new',
      plan: 'annual' as const,
      status: 'active' as const,
    };
    const old = {
      providerSubscription: { ...company.providerSubscription, status: 'ending' as const },
      charges: company.charges,
    };
    return { ...state, subscriptions: [old, { providerSubscription: next, charges }] };
  };

  it('is neither a cancellation nor a duplicate', () => {
    const { company, local } = subscribe();
    const outcome = reconcile(local, tellBoth(company), { now: START + DAY, provider: 'sandbox' });
    expect(outcome.entries.map(({ kind }) => kind)).toEqual(['plan-changed']);
    expect(outcome.duplicates).toEqual([]);
    expect(
      outcome.providerSubscriptions.map((row) => [row.provider_subscription_id, row.user_id]),
    ).toEqual([
      ['agr', 'thandi'],
      ['new', 'thandi'],
    ]);
  });

  it('accepts the agreed price and no other', () => {
    const { company, local } = subscribe();
    const [first] = company.charges;
    const charge = (amount: number): Charge => ({
      ...first!,
      id: `new-${amount}`,
      reference: null,
      providerSubscriptionId: 'new',
      plan: 'annual',
      amount,
      at: START + 30 * DAY,
    });
    const moment = { now: START + 30 * DAY, provider: 'sandbox' as const };
    const right = reconcile(local, tellBoth(company, [charge(PRICE.annual)]), moment);
    expect(right.entries.map(({ kind }) => kind)).toContain('charge');
    const wrong = reconcile(local, tellBoth(company, [charge(1_00)]), moment);
    expect(wrong.entries.map(({ kind }) => kind)).toContain('charge-refused');
  });
});

it('counts two simultaneous trials as one', () => {
  const row = { ...checkout, free_days: 7, free_kind: 'trial' as const };
  const local: LocalState = {
    ...nothingRecorded,
    checkouts: [row, { ...row, reference: 'second' }],
  };
  const said = {
    state: 'paid' as const,
    providerSubscriptionId: null,
    customerId: 'cus',
    charge: null,
  };
  const checkouts = new Map([
    ['ref', said],
    ['second', said],
  ]);
  const moment = { now: START, provider: 'sandbox' as const };
  const { entries } = reconcile(local, { checkouts, subscriptions: [] }, moment);
  expect(entries.map(({ kind }) => kind)).toEqual(['trial']);
});

it('restores access when a reported refund fails', () => {
  const company = new Company();
  company.charge('paid');
  const paid = look(nothingRecorded, company);
  company.changeCharge(0, ({ amount }) => ({ refunded: amount }));
  const refunded = look(paid, company);
  expect(findPaidThrough(refunded.ledger, calendar)).toBeNull();
  company.changeCharge(0, () => ({ refunded: 0 }));
  const healed = look(refunded, company);
  expect(findPaidThrough(healed.ledger, calendar)).toBe(findPaidThrough(paid.ledger, calendar));
  expect(look(healed, company)).toEqual(healed);
});
