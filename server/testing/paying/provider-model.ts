import { DAY } from '#contract/rules/time.ts';
import type { Viewer } from '../../http/guards.ts';
import type { ChargeRow } from '../../ports/payments/sandbox/store.ts';
import type { FakeProvider } from './fake-provider.ts';
import { modelPaidThrough, type FreePeriod, type ModelPayment } from './paid-model.ts';

export type Gift = { token: string; attempts: number[]; at: number | null };
export type SiteUser = {
  viewer: Viewer;
  gift: Gift | null;
  /** When the site confirmed a cancellation, unless the user has wanted something since. */
  cancelledAt: number | null;
  /** When the user last asked for something that charges. */
  wantedAt: number;
};

/** Every combination of one item from each group. */
const combine = <T>(groups: readonly (readonly T[])[]): T[][] =>
  groups.reduce<T[][]>(
    (all, group) => all.flatMap((some) => group.map((one) => [...some, one])),
    [[]],
  );

/** What the provider's own data say about a user: what was paid, and which access that gives. */
export class ProviderModel {
  readonly fakeProvider: FakeProvider;

  constructor(fakeProvider: FakeProvider) {
    this.fakeProvider = fakeProvider;
  }

  checkoutsOf = ({ viewer }: SiteUser) =>
    [...this.fakeProvider.checkouts.values()].filter(({ userId }) => userId === viewer.user.id);

  private customersOf = (user: SiteUser) =>
    new Set(this.checkoutsOf(user).map(({ customer_id }) => customer_id));

  subscriptionsOf(user: SiteUser) {
    const customers = this.customersOf(user);
    return [...this.fakeProvider.subscriptions.values()].filter((row) =>
      customers.has(row.customer_id),
    );
  }

  paidChargesOf(user: SiteUser) {
    const customers = this.customersOf(user);
    return [...this.fakeProvider.charges.values()].filter(
      ({ status, customer_id }) => status === 'paid' && customers.has(customer_id),
    );
  }

  /** Paid with something that the user did not agree to. A renewal of another amount counts. */
  private isRefused({ id, reference }: ChargeRow): boolean {
    const mistake = this.fakeProvider.mistaken.get(id);
    return mistake === 'currency' || (mistake === 'amount' && reference !== null);
  }

  /** Payments at a reduced price, in order: each user can use the coupon once. */
  reducedOf(user: SiteUser) {
    const pages = this.checkoutsOf(user).filter((row) => row.amount < row.renewal_amount);
    const references = new Set(pages.map(({ reference }) => reference));
    return this.paidChargesOf(user)
      .filter((charge) => !this.isRefused(charge))
      .filter(({ reference }) => reference !== null && references.has(reference))
      .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  }

  /** All payments that the user agreed to, from the provider's own data. */
  chargesOf(user: SiteUser) {
    const tooMany = new Set(this.reducedOf(user).slice(1));
    return this.paidChargesOf(user).filter(
      (charge) => !tooMany.has(charge) && !this.isRefused(charge),
    );
  }

  /** Free days: one trial, and each coupon once, of whichever checkout was reconciled first. */
  private freeDaysOf(user: SiteUser): FreePeriod[][] {
    const pages = this.checkoutsOf(user).filter(({ state }) => state === 'paid');
    return [7, 30]
      .map((days) =>
        pages
          .filter((row) => Math.round((row.first_charge_at - row.created_at) / DAY) === days)
          .map((row) => ({ at: row.first_charge_at - days * DAY, days })),
      )
      .filter((group) => group.length > 0);
  }

  private giftOf({ gift }: SiteUser): FreePeriod[][] {
    if (!gift) return [];
    const times = gift.at === null ? gift.attempts : [gift.at];
    return [times.map((at) => ({ at, months: 2 }))];
  }

  /** All correct results: several if two checkouts gave the same free days, or a subscription came late. */
  modelsOf(user: SiteUser, { ignoresLosses = false } = {}): (number | null)[] {
    const notes = this.chargesOf(user).map(
      ({
        id,
        at,
        plan,
        provider_subscription_id,
        refunded,
        amount,
        is_disputed,
      }): ModelPayment => ({
        id,
        at,
        plan: plan ?? 'monthly',
        providerSubscription: provider_subscription_id ?? '',
        isReversed: !ignoresLosses && (refunded >= amount || is_disputed === 1),
      }),
    );
    // The ledger may know a payment from before its subscription, as a payment of its own.
    const payments = notes.map((note) =>
      this.fakeProvider.late.has(note.id)
        ? [note, { ...note, providerSubscription: note.id }]
        : [note],
    );
    const given = combine<ModelPayment | FreePeriod>([
      ...payments,
      ...this.freeDaysOf(user),
      ...this.giftOf(user),
    ]);
    return [...new Set(given.map((some) => modelPaidThrough(some)))];
  }
}
