import type { Db } from '../../../db/connect.ts';
import { createCalendar } from '../calendar.ts';
import {
  isOurReference,
  notFoundPayment,
  type Dispute,
  type Payments,
  type PaymentState,
} from '../payments.ts';
import { BANK_PAYMENTS, isBankName } from './bank-payments.ts';
import { ALWAYS, showCard, type CardName } from './cards.ts';
import { endDispute, failRefund, openDispute, refundPayment } from './money-back.ts';
import { noWork, type SandboxParts, type SandboxWork } from './parts.ts';
import { calculateFee, listPayouts } from './payouts.ts';
import { presentCard, readToken } from './saved-cards.ts';
import { decideNow, findSettled, settleDue, settlePayment } from './settle-payments.ts';
import {
  deleteCard,
  findCard,
  listChangedSince,
  updateCard,
  type CardRow,
  type PaymentRow,
} from './store.ts';
import {
  chargeSavedCard,
  closePage,
  MINIMUM_CENTS,
  openPage,
  payOnPage,
  type Choice,
  type PayOutcome,
} from './take-payments.ts';
import {
  findEvent,
  listUndelivered,
  markDelivered,
  parseSandboxWebhook,
  signWebhook,
  type SignedWebhook,
} from './webhooks.ts';

export type { SignedWebhook } from './webhooks.ts';

/** A card is checked with a payment of R1, which is refunded. */
const CARD_CHECK_CENTS = 100;
/** Silence for this long loses a dispute. */
const DISPUTE_DAYS = 2;

type SandboxOptions = Omit<SandboxParts, 'calendar' | 'work'> & {
  monthMs?: number | null;
  /** Without it nothing is delivered automatically: see `drainWebhooks`. */
  work?: SandboxWork;
};

/** A payment with a page to show. */
export type PageRow = PaymentRow & { success_url: string; cancel_url: string };

/**
 * A simulated payment provider with all its state in its own tables. What users do on its pages and
 * what banks do are functions here, so that a test can simulate any history. They take the id of a
 * payment, our reference or the id of its charge.
 */
export type Sandbox = {
  payments: Payments;
  /** By the id in the page's address. */
  findPage: (id: string) => Promise<PageRow | undefined>;
  pay: (payment: string, choice: Choice) => Promise<PayOutcome>;
  close: (payment: string) => Promise<void>;
  /** The bank decides about a payment that is on its way, before its time. */
  decide: (payment: string, outcome: 'paid' | 'failed') => Promise<void>;
  /** Decides a payment whose time has come. Reading one does that too. */
  settle: (payment: string) => Promise<void>;
  /** The bank declines every charge of this card from now on. */
  emptyAccount: (token: string) => Promise<void>;
  /** There is money again. */
  fillAccount: (token: string) => Promise<void>;
  /** It behaves like another test card from now on: stolen, say. */
  changeCard: (token: string, card: CardName) => Promise<void>;
  /** The bank sends the last refund back. */
  failRefund: (payment: string) => Promise<void>;
  /** The bank decides after these days if nobody else does: 2, like Paystack. */
  dispute: (payment: string, days?: number) => Promise<void>;
  endDispute: (payment: string, outcome?: 'won' | 'lost') => Promise<void>;
  /** The signed undelivered events, in order. They count as delivered from then on. */
  drainWebhooks: () => Promise<SignedWebhook[]>;
  /** Undefined when the event is already delivered. */
  signEvent: (eventId: string) => Promise<SignedWebhook | undefined>;
  markDelivered: (eventId: string) => Promise<unknown>;
};

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

export function createSandbox(options: SandboxOptions): Sandbox {
  const { database, clock, site, monthMs = null, work = noWork } = options;
  const parts = { database, clock, site, calendar: createCalendar(monthMs), work };
  const { db } = database;
  const setCard = async (token: string, change: Partial<CardRow>) => {
    const cardId = await readToken(db, token);
    if (cardId === null) throw new Error('The sandbox never gave out this token.');
    await updateCard(db, cardId, change);
  };
  return {
    payments: createPaymentsOf(parts),
    findPage: async (id) => {
      const row = await findSettled(parts, id);
      return isPage(row) && row.id === id ? row : undefined;
    },
    pay: (payment, choice) => payOnPage(parts, payment, choice),
    close: (payment) => closePage(parts, payment),
    decide: (payment, outcome) => decideNow(parts, payment, outcome),
    settle: (payment) => settlePayment(parts, payment),
    emptyAccount: (token) => setCard(token, { uses: ALWAYS }),
    fillAccount: (token) => setCard(token, { uses: 0 }),
    changeCard: (token, method) => setCard(token, { method, uses: 0 }),
    failRefund: (payment) => failRefund(parts, payment),
    dispute: (payment, days = DISPUTE_DAYS) => openDispute(parts, payment, days),
    endDispute: (payment, outcome = 'won') => endDispute(parts, payment, outcome),
    drainWebhooks: async () => {
      const webhooks: SignedWebhook[] = [];
      for (const { id, body } of await listUndelivered(db)) {
        webhooks.push(await signWebhook(db, body));
        await markDelivered(db, id, clock.now());
      }
      return webhooks;
    },
    signEvent: async (id) => {
      const event = await findEvent(db, id);
      return event?.delivered_at === null ? signWebhook(db, event.body) : undefined;
    },
    markDelivered: (id) => markDelivered(db, id, clock.now()),
  };
}
