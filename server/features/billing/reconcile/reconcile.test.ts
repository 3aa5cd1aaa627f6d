import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan } from '#contract/rules/plans.ts';
import { createCalendar } from '../../../ports/payments/calendar.ts';
import type { ProviderSubscription, Charge } from '../../../ports/payments/payments.ts';
import { modelPaidThrough } from '../../../testing/paying/paid-model.ts';
import { reconcile } from './reconcile.ts';
import { parseChargeDetail } from '../ledger/ledger-entries.ts';
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
  check_at: null,
  is_card_used: 0,
  created_at: START,
  updated_at: START,
};

/** A simulated provider with one customer. */
class FakeProvider {
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
      fee: null,
      dispute: null,
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

  readState(): ProviderState {
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
            cardFingerprint: null,
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

function play(fakeProvider: FakeProvider, { do: what, pick, days }: Step) {
  fakeProvider.now += days * DAY;
  const { providerSubscription } = fakeProvider;
  if (what === 'renew') fakeProvider.charge('paid');
  if (what === 'fail') fakeProvider.charge('failed');
  if (what === 'cancel') fakeProvider.change({ status: 'ending' });
  if (what === 'resume') fakeProvider.change({ status: 'active' });
  if (what === 'change') fakeProvider.change({ nextPlan: other(providerSubscription.plan) });
  if (what === 'refund') fakeProvider.changeCharge(pick, ({ amount }) => ({ refunded: amount }));
  if (what === 'part')
    fakeProvider.changeCharge(pick, ({ refunded }) => ({ refunded: Math.max(refunded, 5_00) }));
  if (what === 'dispute')
    fakeProvider.changeCharge(pick, () => ({ dispute: { state: 'open', respondBy: null } }));
  if (what === 'win') fakeProvider.changeCharge(pick, () => ({ dispute: null }));
}

/** Applies an outcome without a database. */
function reconcileOnce(local: LocalState, fakeProvider: FakeProvider): LocalState {
  const outcome = reconcile(local, fakeProvider.readState(), {
    now: fakeProvider.now,
    provider: 'sandbox',
  });
  const rows = outcome.entries.map((entry, index) => ({
    ...entry,
    user_id: 'thandi',
    seq: local.ledger.length + 1 + index,
    recorded_at: fakeProvider.now,
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
/** A plan change is recorded before the provider is asked, so both prices are agreed. */
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

const modelOf = ({ charges }: FakeProvider) =>
  modelPaidThrough(
    charges
      .filter(({ status }) => status === 'paid')
      .map(({ id, at, plan, refunded, amount, dispute }) => ({
        id,
        at,
        plan: plan ?? 'monthly',
        providerSubscription: 'agr',
        isReversed: refunded >= amount || dispute !== null,
      })),
  );

describe('any sequence of provider changes, however often it is reconciled', () => {
  it('ends with exactly the paid time', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 24 }), (steps) => {
        const fakeProvider = new FakeProvider();
        fakeProvider.charge('paid');
        let local = agreeToBoth(reconcileOnce(nothingRecorded, fakeProvider));
        for (const one of steps) {
          play(fakeProvider, one);
          if (one.isSeen) local = reconcileOnce(reconcileOnce(local, fakeProvider), fakeProvider);
        }
        local = reconcileOnce(local, fakeProvider);
        expect(findPaidThrough(local.ledger, calendar)).toBe(modelOf(fakeProvider));
        // Reconciling again changes nothing.
        expect(reconcileOnce(local, fakeProvider)).toEqual(local);
        const taken = local.ledger.filter(({ kind }) => kind === 'charge');
        expect(new Set(taken.map(({ charge_id }) => charge_id)).size).toBe(taken.length);
      }),
    );
  });

  it('gives no access for a checkout paid with another price, currency or plan', () => {
    const wrong = fc.record({
      amount: fc.integer({ min: 0, max: 100_000 }),
      currency: fc.constantFrom('ZAR', 'USD', 'zar', ''),
      plan: fc.constantFrom<Plan | null>('monthly', 'annual', null),
      reference: fc.constantFrom('ref', null, 'another'),
    });
    fc.assert(
      fc.property(wrong, (change) => {
        // Without our reference it is a renewal, which another amount doesn't end.
        fc.pre(change.reference !== null || change.currency !== 'ZAR' || change.plan !== 'monthly');
        fc.pre(
          change.amount !== PRICE.monthly ||
            change.currency !== 'ZAR' ||
            change.plan !== 'monthly' ||
            change.reference === 'another',
        );
        const fakeProvider = new FakeProvider();
        fakeProvider.charge('paid');
        fakeProvider.changeCharge(0, () => change);
        const local = reconcileOnce(nothingRecorded, fakeProvider);
        expect(findPaidThrough(local.ledger, calendar)).toBeNull();
        expect(local.ledger.map(({ kind }) => kind)).toContain('charge-refused');
        expect(local.checkouts[0]?.state).not.toBe('paid');
      }),
    );
  });
});

describe('a plan change that creates a new subscription at the provider', () => {
  const subscribe = () => {
    const fakeProvider = new FakeProvider();
    fakeProvider.charge('paid');
    return { fakeProvider, local: agreeToBoth(reconcileOnce(nothingRecorded, fakeProvider)) };
  };
  const readBothStates = (fakeProvider: FakeProvider, charges: Charge[] = []): ProviderState => {
    const state = fakeProvider.readState();
    const next = {
      ...fakeProvider.providerSubscription,
      id: 'new',
      plan: 'annual' as const,
      status: 'active' as const,
    };
    const old = {
      providerSubscription: { ...fakeProvider.providerSubscription, status: 'ending' as const },
      charges: fakeProvider.charges,
    };
    return { ...state, subscriptions: [old, { providerSubscription: next, charges }] };
  };

  it('is neither a cancellation nor a duplicate', () => {
    const { fakeProvider, local } = subscribe();
    const outcome = reconcile(local, readBothStates(fakeProvider), {
      now: START + DAY,
      provider: 'sandbox',
    });
    expect(outcome.entries.map(({ kind }) => kind)).toEqual(['plan-changed']);
    expect(outcome.duplicates).toEqual([]);
    expect(
      outcome.providerSubscriptions.map((row) => [row.provider_subscription_id, row.user_id]),
    ).toEqual([
      ['agr', 'thandi'],
      ['new', 'thandi'],
    ]);
  });

  it('honours a renewal at another amount, and knows what was agreed', () => {
    const { fakeProvider, local } = subscribe();
    const [first] = fakeProvider.charges;
    const charge = (amount: number): Charge => ({
      ...first!,
      id: `new-${amount}`,
      reference: null,
      providerSubscriptionId: 'new',
      plan: 'annual',
      amount,
      at: START + 30 * DAY,
    });
    const context = { now: START + 30 * DAY, provider: 'sandbox' as const };
    const right = reconcile(local, readBothStates(fakeProvider, [charge(PRICE.annual)]), context);
    expect(right.entries.map(({ kind }) => kind)).toContain('charge');
    expect(right.hasRefunds).toBe(false);
    for (const amount of [0, 1_00, 990_00]) {
      const found = reconcile(local, readBothStates(fakeProvider, [charge(amount)]), context);
      const entry = found.entries.find(({ kind }) => kind === 'charge');
      expect(entry?.amount).toBe(amount);
      expect(parseChargeDetail(entry!)).toEqual({ agreed: PRICE.annual });
      expect(found.hasRefunds).toBe(amount > PRICE.annual);
    }
  });
});

describe('a first payment without our reference', () => {
  const reduced = { ...checkout, amount: 39_50, coupon_id: 'half' };
  const pay = (amount: number, ledger: LocalState['ledger'] = []) => {
    const fakeProvider = new FakeProvider();
    fakeProvider.charge('paid');
    fakeProvider.changeCharge(0, () => ({ amount, reference: null }));
    const local = { ...nothingRecorded, checkouts: [reduced], ledger };
    const context = { now: START, provider: 'sandbox' as const };
    const found = reconcile(local, fakeProvider.readState(), context);
    const entry = found.entries.find(({ kind }) => kind === 'charge');
    return { ...found, entry, agreed: parseChargeDetail(entry!).agreed };
  };

  it('at the full price counts, and what is above the coupon’s price goes back', () => {
    const { entry, agreed, hasRefunds, checkouts } = pay(PRICE.monthly);
    expect([entry?.amount, agreed, hasRefunds]).toEqual([PRICE.monthly, 39_50, true]);
    expect(checkouts).toMatchObject([{ state: 'paid' }]);
  });

  it('at the coupon’s price is right', () => {
    const { entry, agreed, hasRefunds } = pay(39_50);
    expect([entry?.amount, agreed, hasRefunds]).toEqual([39_50, undefined, false]);
  });

  it('isn’t the first one if the checkout was paid before its subscription existed', () => {
    const first = pay(39_50).entry!;
    const detail = JSON.stringify({ reference: reduced.reference });
    const recorded = { ...first, charge_id: 'before', provider_subscription_id: null, detail };
    const { agreed, hasRefunds } = pay(PRICE.monthly, [
      { ...recorded, user_id: 'thandi', seq: 1, recorded_at: START },
    ]);
    expect([agreed, hasRefunds]).toEqual([undefined, false]);
  });
});

describe('a subscription that appears after a confirmed cancellation', () => {
  const appear = (change: (local: LocalState) => LocalState = (local) => local) => {
    const fakeProvider = new FakeProvider();
    fakeProvider.charge('paid');
    const subscribed = reconcileOnce(nothingRecorded, fakeProvider);
    fakeProvider.now += DAY;
    fakeProvider.change({ status: 'ending' });
    const cancelled = change(reconcileOnce(subscribed, fakeProvider));
    expect(cancelled.ledger.at(-1)?.kind).toBe('cancelled');
    const state = fakeProvider.readState();
    const { providerSubscription } = fakeProvider;
    const late = { ...providerSubscription, id: 'late', status: 'active' as const };
    const charge = {
      ...fakeProvider.charges[0]!,
      id: 'again',
      reference: null,
      at: fakeProvider.now,
    };
    const charges = [{ ...charge, providerSubscriptionId: 'late' }];
    const subscriptions = [...state.subscriptions, { providerSubscription: late, charges }];
    const context = { now: fakeProvider.now, provider: 'sandbox' as const };
    return reconcile(cancelled, { ...state, subscriptions }, context);
  };

  it('is cancelled and refunded, and the member stays cancelled', () => {
    const outcome = appear();
    expect(outcome.duplicates.map((row) => row.provider_subscription_id)).toEqual(['late']);
    expect(outcome.hasRefunds).toBe(true);
    expect(outcome.entries.map(({ kind }) => kind)).not.toContain('resumed');
  });

  it('carries on if the member has asked to resume', () => {
    const outcome = appear((local) => ({
      ...local,
      providerSubscriptions: local.providerSubscriptions.map((row) => ({
        ...row,
        changing_to: 'monthly' as const,
      })),
    }));
    expect(outcome.duplicates).toEqual([]);
    expect(outcome.entries.map(({ kind }) => kind)).toContain('resumed');
  });
});

describe('free periods of two checkouts that are completed at once', () => {
  const complete = (...rows: Partial<CheckoutRow>[]) => {
    const checkouts = rows.map((row, index) => ({
      ...checkout,
      free_days: 7,
      reference: `ref-${index}`,
      ...row,
    }));
    const providerCheckout = {
      state: 'paid' as const,
      providerSubscriptionId: null,
      customerId: 'cus',
      charge: null,
      cardFingerprint: null,
    };
    const states = new Map(checkouts.map(({ reference }) => [reference, providerCheckout]));
    const { entries } = reconcile(
      { ...nothingRecorded, checkouts },
      { checkouts: states, subscriptions: [] },
      { now: START, provider: 'sandbox' },
    );
    return entries.map(({ kind, detail }) => [kind, detail]);
  };
  const of = (coupon_id: string) => ({ free_kind: 'coupon' as const, coupon_id });

  it('are one trial', () => {
    expect(complete({ free_kind: 'trial' }, { free_kind: 'trial' })).toEqual([['trial', null]]);
  });

  it('are each coupon once', () => {
    expect(complete(of('a'), of('a'))).toEqual([['coupon', '{"coupon":"a"}']]);
    expect(complete(of('a'), of('b'))).toEqual([
      ['coupon', '{"coupon":"a"}'],
      ['coupon', '{"coupon":"b"}'],
    ]);
  });
});

describe('a subscription that comes after its checkout was paid', () => {
  const reconcileLate = (row: Partial<CheckoutRow>) => {
    const fakeProvider = new FakeProvider();
    fakeProvider.charge('paid');
    const { checkouts, subscriptions } = fakeProvider.readState();
    const unnamed = { ...checkouts.get('ref')!, providerSubscriptionId: null };
    return reconcile(
      { ...nothingRecorded, checkouts: [{ ...checkout, state: 'paid', ...row }] },
      { checkouts: new Map([['ref', unnamed]]), subscriptions },
      { now: START, provider: 'sandbox' },
    ).checkouts.map((found) => found.provider_subscription_id);
  };

  it('is the one that the checkout was waiting for', () => {
    expect(reconcileLate({ check_at: START })).toEqual(['agr']);
  });

  it('is not if the checkout has one, or no longer waits', () => {
    expect(reconcileLate({ check_at: START, provider_subscription_id: 'first' })).not.toContain(
      'agr',
    );
    expect(reconcileLate({ check_at: null })).not.toContain('agr');
  });
});

it('restores access when a reported refund fails', () => {
  const fakeProvider = new FakeProvider();
  fakeProvider.charge('paid');
  const paid = reconcileOnce(nothingRecorded, fakeProvider);
  fakeProvider.changeCharge(0, ({ amount }) => ({ refunded: amount }));
  const refunded = reconcileOnce(paid, fakeProvider);
  expect(findPaidThrough(refunded.ledger, calendar)).toBeNull();
  fakeProvider.changeCharge(0, () => ({ refunded: 0 }));
  const restored = reconcileOnce(refunded, fakeProvider);
  expect(findPaidThrough(restored.ledger, calendar)).toBe(findPaidThrough(paid.ledger, calendar));
  expect(reconcileOnce(restored, fakeProvider)).toEqual(restored);
});
