import type { Plan } from '#contract/rules/plans.ts';
import { createCalendar } from '../../ports/payments/calendar.ts';
import {
  emptySubject,
  PaymentsError,
  unknownCheckout,
  type CheckoutRequest,
  type OwedPayment,
  type PlanChange,
  type WebhookSubject,
  type Payments,
} from '../../ports/payments/payments.ts';
import { findRefusal, type CardName } from '../../ports/payments/sandbox/cards.ts';
import { isExpired } from '../../ports/payments/sandbox/checkouts.ts';
import {
  toProviderSubscription,
  presentCharge,
  presentCheckout,
  type SignedWebhook,
} from '../../ports/payments/sandbox/sandbox.ts';
import { planSuccess } from '../../ports/payments/sandbox/subscriptions.ts';
import {
  newCharge,
  type SubscriptionRow,
  type ChargeRow,
  type CheckoutRow,
} from '../../ports/payments/sandbox/store.ts';
import { parseFakeWebhook, signFakeWebhook } from './fake-webhooks.ts';

const refuse = (what: string) => new PaymentsError(what, 'refused');
const refuseUnknown = (what: string) => new PaymentsError(what, 'not-found');

/** How often a renewal is tried before the subscription ends. */
const ATTEMPTS = 4;
const RETRY_DAYS = 3;
/** Silence for this long loses a dispute. */
const ANSWER_DAYS = 2;

/** Shared by all instances: the site keeps the data of earlier ones, so ids must be unique. */
let idCount = 0;

/** A charge that the user did not agree to. */
export type Mistake = 'amount' | 'currency';

/**
 * A provider in memory, so that thousands of histories run quickly. It passes the contract tests of
 * all providers. Like Stripe it tries a failed payment again, and changes subscriptions in place.
 */
export class FakeProvider {
  readonly checkouts = new Map<string, CheckoutRow & { userId: string }>();
  readonly subscriptions = new Map<string, SubscriptionRow>();
  readonly charges = new Map<string, ChargeRow>();
  /** Charges that the user did not agree to. */
  readonly mistaken = new Map<string, Mistake>();
  /** Charges that had no subscription at first. */
  readonly late = new Set<string>();
  readonly calendar = createCalendar();
  readonly payments: Payments = this.createPayments();
  readonly clock: { now: () => number };
  private readonly refunds = new Set<string>();
  private readonly mistakes = new Map<string, Mistake>();
  private undelivered: string[] = [];

  constructor(clock: { now: () => number }) {
    this.clock = clock;
  }

  protected newId(kind: string): string {
    idCount += 1;
    return `${kind}_${String(idCount).padStart(8, '0')}`;
  }

  protected queueEvent(kind: string, subject: Partial<WebhookSubject>) {
    const data = { ...emptySubject, ...subject };
    this.undelivered.push(JSON.stringify({ id: this.newId('evt'), kind, data }));
  }

  protected queueEventOf(kind: string, { id, customer_id, plan }: SubscriptionRow) {
    this.queueEvent(kind, { providerSubscriptionId: id, customerId: customer_id, plan });
  }

  protected addCharge(row: Omit<ChargeRow, 'id' | 'at' | keyof typeof newCharge>): string {
    const id = this.newId('chg');
    const mistake = this.mistakes.get(row.provider_subscription_id ?? row.reference ?? '');
    const wrong =
      mistake === 'amount' ? { amount: row.amount + 1 } : mistake ? { currency: 'USD' } : {};
    if (mistake) this.mistaken.set(id, mistake);
    this.mistakes.delete(row.provider_subscription_id ?? row.reference ?? '');
    const at = this.clock.now();
    this.charges.set(id, { ...newCharge, ...row, ...wrong, id, at });
    return id;
  }

  /** Makes the next charge of a subscription, or the first of a checkout, a wrong one. */
  mistake(id: string, mistake: Mistake) {
    this.mistakes.set(id, mistake);
  }

  protected open(request: CheckoutRequest): CheckoutRow {
    const known = this.checkouts.get(request.reference);
    if (known) return known;
    const row = {
      id: this.newId('chk'),
      reference: request.reference,
      userId: request.userId,
      customer_id: request.customerId ?? this.newId('cus'),
      plan: request.plan,
      amount: request.amount,
      renewal_amount: request.renewalAmount,
      currency: request.currency,
      first_charge_at: request.firstChargeAt,
      success_url: request.successUrl,
      cancel_url: request.cancelUrl,
      state: 'open' as const,
      provider_subscription_id: null,
      charge_id: null,
      card: null,
      created_at: this.clock.now(),
    };
    this.checkouts.set(row.reference, row);
    return row;
  }

  /** Pays an open checkout. */
  pay(reference: string, card: CardName): boolean {
    const row = this.checkouts.get(reference);
    const now = this.clock.now();
    if (row?.state !== 'open' || isExpired(row, now)) return false;
    const isDueNow = row.amount > 0 && row.first_charge_at <= now;
    const failure = isDueNow ? findRefusal(card, 0) : null;
    const { customer_id, plan, amount, currency } = row;
    const said = { reference, customerId: customer_id, plan };
    const charge = { reference, customer_id, plan, amount, currency, card, failure };
    if (failure !== null) {
      row.charge_id = this.addCharge({
        ...charge,
        provider_subscription_id: null,
        status: 'failed',
      });
      this.queueEvent('checkout.declined', { ...said, chargeId: row.charge_id });
      return false;
    }
    row.charge_id = isDueNow
      ? this.addCharge({ ...charge, provider_subscription_id: null, status: 'paid' })
      : null;
    row.state = 'paid';
    row.provider_subscription_id = this.subscribe(row, card);
    this.queueEvent('checkout.paid', {
      ...said,
      providerSubscriptionId: row.provider_subscription_id,
      chargeId: row.charge_id,
    });
    return true;
  }

  /** The subscription of a paid checkout, from the end of the period or trial. */
  protected subscribe(row: CheckoutRow, card: CardName): string | null {
    const id = this.newId('agr');
    const { customer_id, plan, currency, amount, reference } = row;
    const now = this.clock.now();
    const charge = this.charges.get(row.charge_id ?? '');
    const mistake = this.mistakes.get(reference);
    if (mistake) this.mistakes.set(id, mistake);
    this.mistakes.delete(reference);
    const isLater = row.first_charge_at > now;
    const due = isLater ? row.first_charge_at : this.calendar.addPeriod(charge?.at ?? now, plan);
    this.subscriptions.set(id, {
      id,
      customer_id,
      plan,
      currency,
      status: 'active',
      due_at: due,
      next_charge_at: due,
      next_amount: isLater && amount > 0 ? amount : row.renewal_amount,
      renewal_amount: row.renewal_amount,
      next_plan: null,
      card,
      card_uses: charge ? 1 : 0,
      failures: 0,
      created_at: now,
    });
    if (charge) charge.provider_subscription_id = id;
    return id;
  }

  /** Null if the card can’t be charged again. */
  finish(reference: string): string | null {
    return this.checkouts.get(reference)?.provider_subscription_id ?? null;
  }

  /** The bank is asked again some days later, until the subscription ends. */
  protected planFailure(row: SubscriptionRow): Partial<SubscriptionRow> {
    const failures = row.failures + 1;
    return failures >= ATTEMPTS
      ? { failures, status: 'ended' }
      : {
          failures,
          status: 'late',
          next_charge_at: this.calendar.addDays(this.clock.now(), RETRY_DAYS),
        };
  }

  /** How a late subscription goes on after what it owed was paid. */
  protected planRepaid(row: SubscriptionRow, plan: Plan): Partial<SubscriptionRow> {
    return planSuccess(row, plan, { now: this.clock.now(), calendar: this.calendar });
  }

  protected chargeNow(row: SubscriptionRow) {
    const context = { now: this.clock.now(), calendar: this.calendar };
    const plan = row.next_plan ?? row.plan;
    const failure = findRefusal(row.card, row.card_uses);
    const { customer_id, currency, card, next_amount: amount, id: provider_subscription_id } = row;
    const status = failure === null ? ('paid' as const) : ('failed' as const);
    const charge = {
      customer_id,
      currency,
      card,
      amount,
      provider_subscription_id,
      plan,
      failure,
      status,
    };
    const chargeId = this.addCharge({ ...charge, reference: null });
    Object.assign(row, failure === null ? planSuccess(row, plan, context) : this.planFailure(row));
    const subject = { providerSubscriptionId: row.id, customerId: customer_id, plan, chargeId };
    this.queueEvent(failure === null ? 'charge.paid' : 'charge.failed', subject);
    if (row.status === 'ended') this.queueEventOf('subscription.ended', row);
  }

  /** Charges or ends every subscription that is due. */
  renewDue() {
    for (const row of this.subscriptions.values()) {
      if (row.status === 'ended' || row.next_charge_at > this.clock.now()) continue;
      if (row.status !== 'ending') this.chargeNow(row);
      else {
        row.status = 'ended';
        this.queueEventOf('subscription.ended', row);
      }
    }
  }

  replaceCard(id: string, card: CardName) {
    const row = this.requireSubscription(id);
    if (row.status === 'ended') return;
    Object.assign(row, { card, card_uses: 0 });
    this.queueEventOf('subscription.card-replaced', row);
  }

  /** What the bank does with the card from now on. */
  setCard(id: string, card: CardName) {
    Object.assign(this.requireSubscription(id), { card, card_uses: 0 });
  }

  /** The next date stays. */
  private payOwed({ providerSubscriptionId: id, reference, plan, amount }: OwedPayment) {
    const row = this.requireRunning(id);
    const isKnown = [...this.charges.values()].some((found) => found.owed_reference === reference);
    if (row.status !== 'late' || isKnown) return;
    const failure = findRefusal(row.card, row.card_uses);
    const { customer_id, currency, card } = row;
    const status = failure === null ? ('paid' as const) : ('failed' as const);
    const charge = { customer_id, currency, card, amount, plan, failure, status, reference: null };
    const chargeId = this.addCharge({ ...charge, provider_subscription_id: id });
    const added = this.charges.get(chargeId);
    if (added) added.owed_reference = reference;
    if (failure === null) Object.assign(row, this.planRepaid(row, plan));
    const subject = { providerSubscriptionId: id, customerId: customer_id, plan, chargeId };
    this.queueEvent(failure === null ? 'charge.paid' : 'charge.failed', subject);
  }

  setDisputed(id: string, isDisputed: boolean) {
    const row = this.requireCharge(id);
    if ((row.is_disputed === 1) === isDisputed) return;
    row.is_disputed = isDisputed ? 1 : 0;
    row.is_lost = 0;
    row.respond_by = isDisputed ? this.calendar.addDays(this.clock.now(), ANSWER_DAYS) : null;
    this.queueEvent(isDisputed ? 'charge.disputed' : 'charge.dispute-ended', { chargeId: id });
  }

  /** Ends the disputes that no one answered. */
  loseUnanswered() {
    for (const row of this.charges.values()) {
      if (row.is_disputed === 0 || row.is_lost === 1) continue;
      if ((row.respond_by ?? Infinity) > this.clock.now()) continue;
      row.is_lost = 1;
      this.queueEvent('charge.dispute-lost', { chargeId: row.id });
    }
  }

  /** Something that another product on the same account sold. */
  payForeign() {
    const chargeId = this.newId('other');
    this.queueEvent('charge.paid', { chargeId, customerId: this.newId('cus'), plan: 'monthly' });
  }

  /** The operator edits the price at the provider, without telling the site. */
  editAmount(id: string, amount: number) {
    Object.assign(this.requireSubscription(id), { next_amount: amount, renewal_amount: amount });
  }

  drainWebhooks(): SignedWebhook[] {
    const bodies = this.undelivered;
    this.undelivered = [];
    return bodies.map((body) => this.signBody(body));
  }

  readonly signBody = signFakeWebhook;

  protected requireSubscription(id: string): SubscriptionRow {
    const row = this.subscriptions.get(id);
    if (!row) throw refuseUnknown('No such subscription.');
    return row;
  }

  protected requireCharge(id: string): ChargeRow {
    const row = this.charges.get(id);
    if (row?.status !== 'paid') throw refuseUnknown('No such payment.');
    return row;
  }

  private readState(row: SubscriptionRow) {
    const own = [...this.charges.values()].filter(
      ({ provider_subscription_id }) => provider_subscription_id === row.id,
    );
    return { providerSubscription: toProviderSubscription(row), charges: own.map(presentCharge) };
  }

  protected cancel(id: string) {
    const row = this.requireSubscription(id);
    if (row.status === 'ending' || row.status === 'ended') return;
    row.status = row.status === 'late' ? 'ended' : 'ending';
    row.next_charge_at = row.due_at;
    this.queueEventOf(`subscription.${row.status}`, row);
  }

  private end(id: string) {
    const row = this.requireSubscription(id);
    if (row.status === 'ended') return;
    row.status = 'ended';
    this.queueEventOf('subscription.ended', row);
  }

  protected requireRunning(id: string): SubscriptionRow {
    const row = this.requireSubscription(id);
    if (row.status === 'ended') throw refuse('The subscription has ended.');
    return row;
  }

  protected resume({ providerSubscriptionId: id }: PlanChange): string {
    const row = this.requireRunning(id);
    if (row.status !== 'ending') return id;
    row.status = 'active';
    this.queueEventOf('subscription.resumed', row);
    return id;
  }

  protected change({ providerSubscriptionId: id, plan, amount, startsAt }: PlanChange): string {
    const row = this.requireRunning(id);
    const next_plan = plan === row.plan ? null : plan;
    Object.assign(row, { next_plan, next_amount: amount, renewal_amount: amount });
    if (row.status !== 'late') {
      const at = Math.max(startsAt, this.clock.now());
      Object.assign(row, { due_at: at, next_charge_at: at, status: 'active' });
    }
    this.queueEventOf('subscription.changed', row);
    return id;
  }

  private refund({ chargeId, amount, key }: { chargeId: string; amount: number; key: string }) {
    const row = this.requireCharge(chargeId);
    if (this.refunds.has(key)) return;
    if (amount <= 0 || row.refunded + amount > row.amount) throw refuse('The refund is too high.');
    this.refunds.add(key);
    row.refunded += amount;
    this.queueEvent('charge.refunded', { chargeId, customerId: row.customer_id });
  }

  private createPayments(): Payments {
    const { calendar } = this;
    return {
      name: 'sandbox',
      calendar,
      minimumAmount: 100,
      planIdExample: null,
      checkPlanId: async () => undefined,
      usePlanIds: () => undefined,
      startCheckout: async (request) => {
        const { id } = this.open(request);
        return { url: `https://fakeProvider.example/${id}`, checkoutId: id };
      },
      getCheckout: async (reference) => {
        const row = this.checkouts.get(reference);
        if (!row) return unknownCheckout;
        return presentCheckout(row, this.charges.get(row.charge_id ?? ''), this.clock.now());
      },
      finishCheckout: async (reference) => ({ providerSubscriptionId: this.finish(reference) }),
      getProviderSubscription: async (id) => this.readState(this.requireSubscription(id)),
      listProviderSubscriptions: async (customerId) =>
        [...this.subscriptions.values()]
          .filter((row) => row.customer_id === customerId)
          .map((row) => this.readState(row)),
      cancelAtPeriodEnd: async (id) => this.cancel(id),
      endNow: async (id) => this.end(id),
      resume: async (change) => ({ providerSubscriptionId: this.resume(change) }),
      payOwed: async (payment) => this.payOwed(payment),
      changePlan: async (change) => ({ providerSubscriptionId: this.change(change) }),
      cardUpdateUrl: async (id) =>
        `https://fakeProvider.example/card/${this.requireSubscription(id).id}`,
      refund: async (refund) => this.refund(refund),
      isOurs: async (id) => this.charges.has(id),
      listPayouts: async () => [],
      parseWebhook: async (headers, rawBody) => parseFakeWebhook(headers, rawBody),
    };
  }
}
