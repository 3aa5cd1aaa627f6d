import type { Viewer } from '../../http/route/guards.ts';
import type { PaymentRow } from '../../features/billing/queries.ts';
import type { FakePayment, FakeProvider } from './fake-provider.ts';
import { modelPaidThrough, type ModelTime } from './paid-model.ts';

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

  paymentsOf = ({ viewer }: SiteUser): FakePayment[] =>
    [...this.fakeProvider.list.values()].filter(({ email }) => email === viewer.user.email);

  paidOf = (user: SiteUser): FakePayment[] =>
    this.paymentsOf(user).filter(({ status }) => status === 'paid');

  /** It went back, or a bank holds it. */
  isReversed = ({ refunded, amount, dispute }: FakePayment): boolean =>
    refunded >= amount || dispute !== null;

  /** A payment that gives time, unless it was refused. */
  private toTime(
    paid: FakePayment,
    row: PaymentRow | undefined,
    { ignoresLosses }: { ignoresLosses: boolean },
  ): ModelTime[] {
    if (!row || row.state === 'refused') return [];
    const { at } = paid;
    if (row.kind === 'card-check') {
      if (row.plan === null) return [];
      const { free_days: days, subscription_id: subscription } = row;
      return [{ at, days, subscription, isPayment: false }];
    }
    if (row.kind === 'gift') return [];
    const isReversed = !ignoresLosses && this.isReversed(paid);
    const months = row.plan === null ? (row.months ?? 0) : row.plan === 'annual' ? 12 : 1;
    return [{ at, months, subscription: row.subscription_id, isPayment: true, isReversed }];
  }

  /** All correct results: several if it isn't known when a gift was redeemed. */
  modelsOf(
    user: SiteUser,
    rows: ReadonlyMap<string, PaymentRow>,
    { ignoresLosses = false } = {},
  ): (number | null)[] {
    const times = this.paidOf(user).flatMap((paid) =>
      this.toTime(paid, rows.get(paid.reference), { ignoresLosses }),
    );
    const { gift } = user;
    const given = gift ? (gift.at === null ? gift.attempts : [gift.at]) : [];
    const gifts = given.length
      ? [given.map((at) => ({ at, months: 2, subscription: null, isPayment: false }))]
      : [];
    // In pairs: the earliest and the latest correct end.
    return combine<ModelTime>([...times.map((time) => [time]), ...gifts]).flatMap((some) =>
      modelPaidThrough(some),
    );
  }
}
