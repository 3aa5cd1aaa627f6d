import { createCalendar } from '../../ports/payments/calendar.ts';
import {
  isOurReference,
  notFoundPayment,
  refusal,
  type ChargeRequest,
  type Dispute,
  type PaymentFailure,
  type PaymentRequest,
  type Payments,
  type PaymentState,
  type PaymentStatus,
} from '../../ports/payments/payments.ts';
import { DAY } from '#contract/rules/time.ts';
import { parseFakeWebhook, signFakeWebhook, type SignedWebhook } from './fake-webhooks.ts';

/** How a card behaves once it has paid on a page. */
const CARDS = ['pays', 'declines', 'is-lost', 'asks', 'single', 'empty'] as const;
export type FakeCard = (typeof CARDS)[number];

export type FakePayment = {
  reference: string;
  /** The member pays it on a page; otherwise we charge a saved card. */
  isPage: boolean;
  savesCard: boolean;
  status: PaymentStatus;
  amount: number;
  currency: string;
  chargeId: string | null;
  refunded: number;
  dispute: Dispute | null;
  at: number;
  channel: string | null;
  token: string | null;
  failure: PaymentFailure | null;
  /** Whose it is: every member has an address of their own. */
  email: string;
  /** From then on the provider shows it. */
  visibleAt: number;
  changedAt: number;
  /** The provider took another amount than it was asked for. */
  isMistaken: boolean;
};

const FEE = 0.029;
const FAILURES: Record<string, PaymentFailure> = {
  declines: { message: 'Your bank declined the payment.', isHard: false },
  'is-lost': { message: 'Your bank says that this card was lost.', isHard: true },
};
/** Silence for this long loses a dispute. */
const ANSWER_DAYS = 2;

/** Shared by all instances: the site keeps the data of earlier ones, so ids must be unique. */
let idCount = 0;

/**
 * A provider in memory, so that thousands of histories run quickly. Like Stripe it knows a reference
 * that it has seen: asking again returns what became of it.
 */
export class FakeProvider {
  readonly list = new Map<string, FakePayment>();
  readonly calendar = createCalendar(() => 'Africa/Johannesburg');
  /** The provider's clock is right, whatever ours says. */
  skewMs = 0;
  readonly clock: { now: () => number };
  readonly payments: Payments;
  /** How often a saved card was really asked for money under each reference. */
  readonly attempts = new Map<string, number>();
  protected readonly cards = new Map<string, { email: string; card: FakeCard }>();
  protected readonly refunds = new Set<string>();
  private undelivered: string[] = [];

  constructor(clock: { now: () => number }) {
    this.clock = { now: () => clock.now() + this.skewMs };
    this.payments = this.createPayments();
  }

  protected newId(kind: string): string {
    idCount += 1;
    return `${kind}_${String(idCount).padStart(8, '0')}`;
  }

  private changed(row: FakePayment) {
    row.changedAt = this.clock.now();
    const event = { id: this.newId('evt'), reference: row.reference };
    this.undelivered.push(JSON.stringify(event));
  }

  drainWebhooks(): SignedWebhook[] {
    return this.undelivered.splice(0).map(signFakeWebhook);
  }

  private add(facts: Partial<FakePayment> & Pick<FakePayment, 'reference' | 'email' | 'amount'>) {
    const now = this.clock.now();
    const row: FakePayment = {
      isPage: false,
      savesCard: false,
      status: 'open',
      currency: 'ZAR',
      chargeId: null,
      refunded: 0,
      dispute: null,
      at: now,
      channel: null,
      token: null,
      failure: null,
      visibleAt: 0,
      changedAt: now,
      isMistaken: false,
      ...facts,
    };
    this.list.set(row.reference, row);
    return row;
  }

  protected require(reference: string): FakePayment {
    const row = this.list.get(reference);
    if (!row) throw new Error(`There is no payment ${reference}.`);
    return row;
  }

  private findCharge(chargeId: string): FakePayment {
    const row = [...this.list.values()].find((one) => one.chargeId === chargeId);
    if (!row) throw refusal('There is no such charge.');
    return row;
  }

  private take(row: FakePayment, facts: Partial<FakePayment>) {
    Object.assign(row, { status: 'paid', chargeId: this.newId('chg'), at: this.clock.now() });
    Object.assign(row, facts, { failure: null });
    this.changed(row);
  }

  /** The member pays on a page, with a card or from a bank account that decides later. */
  pay(reference: string, card: FakeCard | 'bank', isMistaken = false) {
    const row = this.require(reference);
    if (!row.isPage || (row.status !== 'open' && row.status !== 'failed')) return;
    if (card === 'empty') {
      Object.assign(row, { status: 'failed', failure: FAILURES.declines });
      return this.changed(row);
    }
    if (card === 'bank' && !row.savesCard) {
      Object.assign(row, { status: 'pending', channel: 'eft' });
      return this.changed(row);
    }
    const kept = card === 'bank' ? 'pays' : card;
    const token = row.savesCard && kept !== 'single' ? this.newId('tok') : null;
    if (token) this.cards.set(token, { email: row.email, card: kept });
    const amount = isMistaken ? row.amount + 1 : row.amount;
    this.take(row, { channel: 'card', token, amount, isMistaken });
  }

  /** The bank decides about a payment from an account. */
  decideBank(reference: string, isPaid: boolean) {
    const row = this.require(reference);
    if (row.status !== 'pending') return;
    if (isPaid) return this.take(row, {});
    Object.assign(row, { status: 'failed', failure: FAILURES.declines });
    this.changed(row);
  }

  /** The bank changes its mind about a member's cards. */
  changeCards(email: string, card: FakeCard) {
    for (const one of this.cards.values())
      if (one.email === email && card !== 'single' && card !== 'empty') one.card = card;
  }

  setDisputed(chargeId: string, isDisputed: boolean) {
    const row = this.findCharge(chargeId);
    if (row.dispute?.state === 'lost') return;
    const respondBy = this.clock.now() + ANSWER_DAYS * DAY;
    row.dispute = isDisputed ? (row.dispute ?? { state: 'open', respondBy }) : null;
    this.changed(row);
  }

  /** Nobody answered. */
  loseUnanswered() {
    for (const row of this.list.values())
      if (row.dispute?.state === 'open' && (row.dispute.respondBy ?? 0) <= this.clock.now()) {
        row.dispute = { state: 'lost', respondBy: null };
        this.changed(row);
      }
  }

  refundByHand(chargeId: string, amount: number) {
    const row = this.findCharge(chargeId);
    row.refunded = Math.min(row.amount, row.refunded + amount);
    this.changed(row);
  }

  /** A payment that nobody started here, under a reference like ours. */
  payForeign() {
    const row = this.add({ reference: `wk-${this.newId('other')}`, email: 'other', amount: 10_00 });
    this.take(row, { channel: 'card' });
  }

  private present(row: FakePayment): PaymentState {
    const card = { brand: 'Visa', last4: '4242', expiryMonth: 12, expiryYear: 2099 };
    const isSaved = row.status === 'paid' && row.isPage && row.token !== null;
    return {
      reference: row.reference,
      status: row.status,
      chargeId: row.chargeId,
      amount: row.amount,
      refunded: row.refunded,
      currency: row.currency,
      fee: row.status === 'paid' ? Math.round(row.amount * FEE) : null,
      dispute: row.dispute && { ...row.dispute },
      at: row.at,
      channel: row.channel,
      card: row.channel === 'card' ? card : null,
      savedCard: isSaved
        ? {
            card,
            token: row.token ?? '',
            email: row.email,
            customerId: null,
            fingerprint: row.token,
          }
        : null,
      failure: row.failure,
    };
  }

  protected read(reference: string): PaymentState {
    const row = this.list.get(reference);
    const isVisible = row !== undefined && row.visibleAt <= this.clock.now();
    return isVisible ? this.present(row) : notFoundPayment(reference);
  }

  private start(request: PaymentRequest) {
    const { reference, email, amount, savesCard } = request;
    if (!this.list.has(reference)) this.add({ reference, email, amount, savesCard, isPage: true });
    return { url: `https://pay.example/${reference}`, providerId: reference };
  }

  /** The money moves here. */
  protected takeFromCard({ reference, amount, savedCard }: ChargeRequest): FakePayment {
    this.attempts.set(reference, (this.attempts.get(reference) ?? 0) + 1);
    const known = this.cards.get(savedCard.token);
    const row = this.add({ reference, email: savedCard.email, amount, token: savedCard.token });
    const card = known?.card ?? 'is-lost';
    if (card === 'pays') this.take(row, { channel: 'card' });
    else if (card === 'asks') row.status = 'needs-member';
    else Object.assign(row, { status: 'failed', failure: FAILURES[card] ?? FAILURES.declines });
    this.changed(row);
    return row;
  }

  protected async charge(request: ChargeRequest): Promise<PaymentState> {
    const known = this.list.get(request.reference);
    if (known) return this.present(known);
    await request.storeProviderId(`pi_${request.reference}`);
    return this.present(this.takeFromCard(request));
  }

  protected refund({ chargeId, amount, key }: { chargeId: string; amount: number; key: string }) {
    if (this.refunds.has(key)) return;
    const row = this.findCharge(chargeId);
    if (row.refunded + amount > row.amount) throw refusal('That is more than was paid.');
    this.refunds.add(key);
    row.refunded += amount;
    this.changed(row);
  }

  private createPayments(): Payments {
    return {
      name: 'sandbox',
      calendar: this.calendar,
      minimumAmount: 1_00,
      cardCheckAmount: 1_00,
      startPayment: async (request) => Promise.resolve(this.start(request)),
      readPayment: async (reference) => Promise.resolve(this.read(reference)),
      charge: (request) => this.charge(request),
      refund: async (request) => Promise.resolve(this.refund(request)),
      listChanges: async (since) =>
        Promise.resolve(
          [...this.list.values()]
            .filter(({ changedAt, reference }) => changedAt >= since && isOurReference(reference))
            .map(({ reference }) => reference),
        ),
      listPayouts: async () => Promise.resolve([]),
      forgetCard: async ({ token }) => {
        await Promise.resolve(this.cards.delete(token));
      },
      parseWebhook: async (headers, rawBody) => Promise.resolve(parseFakeWebhook(headers, rawBody)),
    };
  }
}
