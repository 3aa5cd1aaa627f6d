import type { Db } from '../../../db/connect.ts';
import { createCalendar } from '../calendar.ts';
import {
  isOurReference,
  notFoundPayment,
  type Dispute,
  type Payments,
  type PaymentState,
  type Payout,
} from '../payments.ts';
import {
  decideNow,
  endDispute,
  failRefund,
  findSettled,
  openDispute,
  refundPayment,
  settleDue,
  settlePayment,
} from './settle-payments.ts';
import {
  deleteCard,
  findCard,
  listChangedSince,
  listPaid,
  listRefunds,
  noWork,
  updateCard,
  type CardRow,
  type PaymentRow,
  type SandboxParts,
  type SandboxWork,
} from './store.ts';
import {
  chargeSavedCard,
  closePage,
  MINIMUM_CENTS,
  openPage,
  payOnPage,
  presentCard,
  readToken,
  type Choice,
} from './take-payments.ts';
import { ALWAYS, BANK_PAYMENTS, isBankName, showCard, type CardName } from './ways-to-pay.ts';
import {
  findEvent,
  listUndelivered,
  markDelivered,
  parseSandboxWebhook,
  signWebhook,
  type SignedWebhook,
} from './webhooks.ts';

const CARD_SHARE = 0.029;
const CARD_CENTS = 100;
/** Below this only the share is taken. */
const SMALL_CENTS = 1000;
const BANK_SHARE = 0.02;
const WEEK_DAYS = 7;
/** From the first day that computers count, a Thursday, to a Monday. */
const MONDAY_DAYS = 4;

function calculateFee({ amount, method }: Pick<PaymentRow, 'amount' | 'method'>): number {
  if (isBankName(method)) return Math.round(amount * BANK_SHARE);
  return Math.round(amount * CARD_SHARE) + (amount < SMALL_CENTS ? 0 : CARD_CENTS);
}

/** What each week brought, paid out after it: less fees, refunds and lost disputes, never negative. */
async function listPayouts(
  { database, clock, calendar }: SandboxParts,
  { from, to }: { from: number; to: number },
): Promise<Payout[]> {
  const [week, offset] = [calendar.addDays(0, WEEK_DAYS), calendar.addDays(0, MONDAY_DAYS)];
  const payDay = (at: number) => (Math.floor((at - offset) / week) + 1) * week + offset;
  const until = Math.min(to, clock.now() + 1);
  const paid = await listPaid(database.db, until);
  const weeks = new Map<number, { amount: number; fees: number }>();
  const add = (at: number, amount: number, fees = 0) => {
    const sum = weeks.get(payDay(at)) ?? { amount: 0, fees: 0 };
    weeks.set(payDay(at), { amount: sum.amount + amount, fees: sum.fees + fees });
  };
  for (const row of paid) {
    const fee = calculateFee(row);
    add(row.at, row.amount - fee, fee);
    if (row.lost_at !== null) add(row.lost_at, row.refunded - row.amount);
    for (const { at, amount, isFailed } of listRefunds(row))
      if (!isFailed && at < until) add(at, -amount);
  }
  const currency = paid[0]?.currency ?? 'ZAR';
  let due = { amount: 0, fees: 0 };
  const payouts: Payout[] = [];
  for (const [at, sum] of [...weeks].toSorted(([a], [b]) => a - b)) {
    if (at >= until) break;
    due = { amount: due.amount + sum.amount, fees: due.fees + sum.fees };
    if (due.amount <= 0) continue;
    payouts.push({ id: `pay_${at}`, at, ...due, currency });
    due = { amount: 0, fees: 0 };
  }
  return payouts.filter((payout) => payout.at >= from);
}

export type { SignedWebhook } from './webhooks.ts';

/** A card is checked with a payment of R1, which is refunded. */
const CARD_CHECK_CENTS = 100;
/** Silence for this long loses a dispute. */
const DISPUTE_DAYS = 2;

type SandboxOptions = Omit<SandboxParts, 'calendar' | 'work'> & {
  timeZone?: () => string;
  monthMs?: number | null;
  /** Without it nothing is delivered automatically: see `drainWebhooks`. */
  work?: SandboxWork;
};

/** A payment with a page to show. */
export type PageRow = PaymentRow & { success_url: string; cancel_url: string };

async function presentSavedCard(db: Db, { state, card_id }: PaymentRow) {
  const card = state === 'paid' && card_id !== null ? await findCard(db, card_id) : undefined;
  return card ? presentCard(db, card) : null;
}

function presentDispute({ respond_by: respondBy, lost_at }: PaymentRow): Dispute | null {
  if (lost_at !== null) return { state: 'lost', respondBy: null };
  return respondBy === null ? null : { state: 'open', respondBy };
}

function showChannel(method: string | null) {
  if (method === null) return null;
  return isBankName(method) ? BANK_PAYMENTS[method].channel : 'card';
}

const presentPayment = async (db: Db, row: PaymentRow): Promise<PaymentState> => ({
  reference: row.reference,
  status: row.state,
  chargeId: row.charge_id,
  amount: row.amount,
  refunded: row.refunded,
  currency: row.currency,
  fee: row.state === 'paid' ? calculateFee(row) : null,
  dispute: presentDispute(row),
  at: row.at,
  channel: showChannel(row.method),
  card: row.method === null ? null : showCard(row.method),
  savedCard: await presentSavedCard(db, row),
  failure: row.failure === null ? null : { message: row.failure, isHard: row.is_hard === 1 },
});

const isPage = (row: PaymentRow | undefined): row is PageRow =>
  row !== undefined && row.success_url !== null && row.cancel_url !== null;

function createPaymentsOf(parts: SandboxParts): Payments {
  const { site, calendar } = parts;
  const { db } = parts.database;
  return {
    name: 'sandbox',
    calendar,
    minimumAmount: MINIMUM_CENTS,
    cardCheckAmount: CARD_CHECK_CENTS,
    startPayment: async (request) => {
      const id = await openPage(parts, request);
      return { url: `${site.origin}/sandbox/checkout/${id}`, providerId: id };
    },
    readPayment: async (reference) => {
      const row = await findSettled(parts, reference);
      return row ? presentPayment(db, row) : notFoundPayment(reference);
    },
    charge: async (request) => presentPayment(db, await chargeSavedCard(parts, request)),
    refund: (refund) => refundPayment(parts, refund),
    listChanges: async (since) => {
      await settleDue(parts);
      const rows = await listChangedSince(db, since);
      return rows.map(({ reference }) => reference).filter(isOurReference);
    },
    listPayouts: (range) => listPayouts(parts, range),
    forgetCard: async ({ token }) => {
      const cardId = await readToken(db, token);
      if (cardId !== null) await deleteCard(db, cardId);
    },
    parseWebhook: (headers, rawBody) => parseSandboxWebhook(db, headers, rawBody),
  };
}

/**
 * A simulated payment provider with all its state in its own tables. What users do on its pages and
 * what banks do are functions here, so that a test can simulate any history. They take the id of a
 * payment, our reference or the id of its charge.
 */
export function createSandbox(options: SandboxOptions) {
  const { database, clock, site, timeZone, monthMs, work = noWork } = options;
  const parts = { database, clock, site, calendar: createCalendar(timeZone, monthMs), work };
  const { db } = database;
  const setCard = async (token: string, change: Partial<CardRow>) => {
    const cardId = await readToken(db, token);
    if (cardId === null) throw new Error('The sandbox never gave out this token.');
    await updateCard(db, cardId, change);
  };
  return {
    payments: createPaymentsOf(parts),
    /** By the id in the page's address. */
    findPage: async (id: string): Promise<PageRow | undefined> => {
      const row = await findSettled(parts, id);
      return isPage(row) && row.id === id ? row : undefined;
    },
    pay: (payment: string, choice: Choice) => payOnPage(parts, payment, choice),
    close: (payment: string) => closePage(parts, payment),
    /** The bank decides about a payment that is on its way, before its time. */
    decide: (payment: string, outcome: 'paid' | 'failed') => decideNow(parts, payment, outcome),
    /** Decides a payment whose time has come. Reading one does that too. */
    settle: (payment: string) => settlePayment(parts, payment),
    /** The bank declines every charge of this card from now on. */
    emptyAccount: (token: string) => setCard(token, { uses: ALWAYS }),
    /** There is money again. */
    fillAccount: (token: string) => setCard(token, { uses: 0 }),
    /** It behaves like another test card from now on: stolen, say. */
    changeCard: (token: string, method: CardName) => setCard(token, { method, uses: 0 }),
    /** The bank sends the last refund back. */
    failRefund: (payment: string) => failRefund(parts, payment),
    /** The bank decides after these days if nobody else does: 2, like Paystack. */
    dispute: (payment: string, days = DISPUTE_DAYS) => openDispute(parts, payment, days),
    endDispute: (payment: string, outcome: 'won' | 'lost' = 'won') =>
      endDispute(parts, payment, outcome),
    /** The signed undelivered events, in order. They count as delivered from then on. */
    drainWebhooks: async (): Promise<SignedWebhook[]> => {
      const webhooks: SignedWebhook[] = [];
      for (const { id, body } of await listUndelivered(db)) {
        webhooks.push(await signWebhook(db, body));
        await markDelivered(db, id, clock.now());
      }
      return webhooks;
    },
    /** Undefined when the event is already delivered. */
    signEvent: async (eventId: string): Promise<SignedWebhook | undefined> => {
      const event = await findEvent(db, eventId);
      return event?.delivered_at === null ? signWebhook(db, event.body) : undefined;
    },
    markDelivered: (eventId: string) => markDelivered(db, eventId, clock.now()),
  };
}
export type Sandbox = ReturnType<typeof createSandbox>;
