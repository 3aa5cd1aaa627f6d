import type { Plan } from '#contract/rules/plans.ts';
import type { PlanChange } from '../../ports/payments/payments.ts';
import {
  isForOnePayment,
  subscribesLater,
  type CardName,
} from '../../ports/payments/sandbox/cards.ts';
import { planFailure } from '../../ports/payments/sandbox/subscriptions.ts';
import type { CheckoutRow, SubscriptionRow } from '../../ports/payments/sandbox/store.ts';
import { FakeProvider } from './fake-provider.ts';

const isRenewed = ({ status }: SubscriptionRow) => status === 'active' || status === 'late';

/**
 * A provider that doesn't try a failed renewal again, never revives or changes a subscription but
 * creates another one, and may make the subscription of a payment late or never.
 */
export class PaystackLikeProvider extends FakeProvider {
  /** The cards of paid checkouts without a subscription. */
  private readonly unfinished = new Map<string, CardName>();

  protected override subscribe(row: CheckoutRow, card: CardName): string | null {
    if (!isForOnePayment(card) && !subscribesLater(card)) return super.subscribe(row, card);
    this.unfinished.set(row.reference, card);
    if (row.charge_id !== null) this.late.add(row.charge_id);
    return null;
  }

  /** The subscription that comes late. */
  override finish(reference: string): string | null {
    const row = this.checkouts.get(reference);
    const card = this.unfinished.get(reference);
    if (!row || card === undefined || isForOnePayment(card)) return super.finish(reference);
    this.unfinished.delete(reference);
    row.provider_subscription_id = super.subscribe(row, card);
    const subscription = this.subscriptions.get(row.provider_subscription_id ?? '');
    if (subscription) this.queueEventOf('subscription.created', subscription);
    return row.provider_subscription_id;
  }

  protected override planFailure(row: SubscriptionRow): Partial<SubscriptionRow> {
    return planFailure(row, { now: this.clock.now(), calendar: this.calendar });
  }

  protected override planRepaid(row: SubscriptionRow, plan: Plan): Partial<SubscriptionRow> {
    const { renewal_amount: next_amount, card_uses } = row;
    const paid = { status: 'active' as const, failures: 0, card_uses: card_uses + 1 };
    return { ...paid, plan, next_plan: null, next_amount };
  }

  private findReplacement(row: SubscriptionRow, { plan, amount }: PlanChange) {
    return [...this.subscriptions.values()].find(
      (other) =>
        other.id !== row.id &&
        other.customer_id === row.customer_id &&
        other.status === 'active' &&
        (other.next_plan ?? other.plan) === plan &&
        other.renewal_amount === amount &&
        other.created_at >= row.created_at,
    );
  }

  private replace(change: PlanChange): string {
    const row = this.requireRunning(change.providerSubscriptionId);
    const { plan, amount, startsAt } = change;
    const isSame = (row.next_plan ?? row.plan) === plan && row.renewal_amount === amount;
    if (isSame && isRenewed(row)) return row.id;
    const at = Math.max(startsAt, this.clock.now());
    const next = this.findReplacement(row, change) ?? {
      ...row,
      id: this.newId('agr'),
      next_plan: plan === row.plan ? null : plan,
      status: 'active' as const,
      due_at: at,
      next_charge_at: at,
      next_amount: amount,
      renewal_amount: amount,
      failures: 0,
      created_at: this.clock.now(),
    };
    if (!this.subscriptions.has(next.id)) this.queueEventOf('subscription.created', next);
    this.subscriptions.set(next.id, next);
    this.cancel(row.id);
    return next.id;
  }

  protected override resume(change: PlanChange): string {
    return this.replace(change);
  }

  protected override change(change: PlanChange): string {
    return this.replace(change);
  }
}
