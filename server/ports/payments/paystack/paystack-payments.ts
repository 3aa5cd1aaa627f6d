import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { CURRENCY } from '#contract/rules/plans.ts';
import { DAY } from '#contract/rules/time.ts';
import { createRealCalendar } from '../calendar.ts';
import {
  failedPayment,
  failure,
  ForgedWebhook,
  isNotFound,
  isOurReference,
  isRefusal,
  notFoundPayment,
  refusal,
  type ChargeRequest,
  type PaymentRequest,
  type Payments,
  type PaymentState,
  type Payout,
  type ProviderParts,
  type RefundRequest,
} from '../payments.ts';
import { CARD_GONE, isSignature, readProviderTime, WANTS_MEMBER } from '../provider-answers.ts';
import { createPaystackApi, path, PaystackRefusal, type PaystackApi } from './api.ts';
import {
  ChargedAuthorization,
  ChargeEvent,
  Dispute,
  DisputeEvent,
  Done,
  InitializedTransaction,
  presentPayment,
  Refund,
  RefundEvent,
  Settlement,
  Transaction,
  type Use,
} from './answers.ts';

const TIMEOUT_MS = 15_000;

/** The smallest amount that Paystack recommends in this currency, and what checking a card costs. */
const MINIMUM_CENTS = 100;

/** How many pages are cached for repeated requests. */
const MAX_CACHED = 1000;

/** A range may mean the day something was created, which may be this long before it changed. */
const MARGIN_MS = { page: 7 * DAY, payout: 7 * DAY, refund: 30 * DAY, dispute: 120 * DAY };

type Context = { api: PaystackApi; clock: { now: () => number } };

const toIso = (time: number): string => new Date(Math.max(0, time)).toISOString();

/** Metadata is ours to choose; the operator sees `custom_fields` on the dashboard. */
const describe = (use: Use, description: string) => ({
  use,
  custom_fields: [{ display_name: 'For', variable_name: 'for', value: description }],
});

const refuseSmall = (amount: number) => {
  if (amount < MINIMUM_CENTS) throw refusal(`Paystack takes at least ${MINIMUM_CENTS} cents.`);
};

async function openPage(
  { api }: Context,
  request: PaymentRequest,
): Promise<{ url: string; providerId: string }> {
  const { reference, email, amount, currency, description, savesCard } = request;
  refuseSmall(amount);
  const { authorization_url: url } = await api.post(
    '/transaction/initialize',
    {
      reference,
      email,
      amount,
      currency,
      callback_url: request.successUrl,
      metadata: {
        ...describe(savesCard ? 'save-card' : 'once', description),
        cancel_action: request.cancelUrl,
      },
      // Only a card can be charged again. Otherwise the page offers everything that the account has.
      ...(savesCard && { channels: ['card'] }),
    },
    InitializedTransaction,
  );
  // Paystack accepts a reference once and never returns its page again, so we store the URL.
  return { url, providerId: url };
}

/** Simultaneous requests get the same page. */
function createPageOpener(context: Context): Payments['startPayment'] {
  const cache = new Map<string, ReturnType<typeof openPage>>();
  return async (request) => {
    const { reference, providerId } = request;
    if (providerId) return { url: providerId, providerId };
    const earlier = cache.get(reference);
    if (earlier) return earlier;
    const opened = openPage(context, request);
    const [oldest] = cache.keys();
    if (cache.size >= MAX_CACHED && oldest !== undefined) cache.delete(oldest);
    cache.set(reference, opened);
    opened.catch(() => cache.delete(reference));
    return opened;
  };
}

async function findTransaction({ api }: Context, reference: string): Promise<Transaction | null> {
  try {
    const found = await api.get(path('transaction', 'verify', reference), Transaction);
    if (found.reference !== reference) throw failure('Paystack returns another payment.');
    return found;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** The filter may be ignored, so the ids are compared as well. */
const listRefunds = async ({ api }: Context, { id, created_at }: Transaction) =>
  (await api.list('/refund', { transaction: id, from: toIso(created_at) }, Refund)).filter(
    ({ transaction }) => transaction === id,
  );

async function readPayment(context: Context, reference: string): Promise<PaymentState> {
  const { api, clock } = context;
  const transaction = await findTransaction(context, reference);
  if (!transaction) return notFoundPayment(reference);
  const nothing = { refunds: [], disputes: [] };
  const state = presentPayment(transaction, nothing, clock.now());
  if (state.status !== 'paid') return state;
  const { id, created_at } = transaction;
  const range = { from: toIso(created_at), to: toIso(clock.now() + DAY) };
  const [refunds, disputes] = await Promise.all([
    listRefunds(context, transaction),
    api.list('/dispute', { transaction: id, ...range }, Dispute),
  ]);
  const ours = disputes.filter((dispute) => dispute.transaction.id === id);
  return presentPayment(transaction, { refunds, disputes: ours }, clock.now());
}

/** The card was deactivated, is not reusable, or belongs to another address. */
const isAboutCard = (error: unknown): boolean =>
  error instanceof PaystackRefusal && /authorization|not reusable/i.test(error.message);

const isDuplicate = (error: unknown): boolean =>
  error instanceof PaystackRefusal && /duplicate/i.test(`${error.code} ${error.message}`);

/** What became of a charge that Paystack refused: perhaps the reference was charged before. */
async function readRefused(
  context: Context,
  request: ChargeRequest,
  error: unknown,
): Promise<PaymentState> {
  if (!isRefusal(error)) throw error;
  const state = await readPayment(context, request.reference);
  if (state.status !== 'not-found') return state;
  if (isDuplicate(error)) throw failure('Paystack has this payment, but doesn’t show it yet.');
  if (!isAboutCard(error)) throw error;
  return failedPayment(request, CARD_GONE);
}

async function charge(context: Context, request: ChargeRequest): Promise<PaymentState> {
  const { api } = context;
  const { reference, amount, currency, description, savedCard } = request;
  refuseSmall(amount);
  let isPaused: boolean;
  try {
    const charged = await api.post(
      '/transaction/charge_authorization',
      {
        reference,
        amount,
        currency,
        email: savedCard.email,
        authorization_code: savedCard.token,
        metadata: describe('charge', description),
      },
      ChargedAuthorization,
    );
    isPaused = charged.paused;
  } catch (error) {
    return readRefused(context, request, error);
  }
  const state = await readPayment(context, reference);
  if (state.status === 'not-found')
    throw failure('Paystack has this payment, but doesn’t show it yet.');
  return isPaused && state.status !== 'paid'
    ? { ...state, status: 'needs-member', failure: WANTS_MEMBER }
    : state;
}

/** Paystack has no key for repeated requests, so the key is the refund's note. */
async function refundOnce(context: Context, { chargeId, amount, key }: RefundRequest) {
  const transaction = await findTransaction(context, chargeId);
  if (!transaction) throw refusal('Paystack doesn’t have this payment.');
  const refunds = await listRefunds(context, transaction);
  if (refunds.some(({ merchant_note: note }) => note === key)) return;
  const request = { transaction: transaction.reference, amount, merchant_note: key };
  await context.api.post('/refund', request, Refund);
}

/** Some lists name only the id of a payment. */
async function findReference({ api }: Context, id: number): Promise<string | null> {
  try {
    return (await api.get(path('transaction', String(id)), Transaction)).reference;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

async function listChanges(context: Context, since: number): Promise<string[]> {
  const { api, clock } = context;
  const to = toIso(clock.now() + DAY);
  const range = (margin: number) => ({ from: toIso(since - margin), to });
  const [transactions, refunds, disputes] = await Promise.all([
    api.list('/transaction', range(MARGIN_MS.page), Transaction),
    api.list('/refund', range(MARGIN_MS.refund), Refund),
    api.list('/dispute', range(MARGIN_MS.dispute), Dispute),
  ]);
  const isNew = (at: number | null | undefined) => at === null || at === undefined || at >= since;
  const found = new Set<string | null>();
  for (const { status, reference, paid_at, created_at } of transactions)
    if (status !== 'abandoned' && isNew(paid_at ?? created_at)) found.add(reference);
  for (const { transaction, updatedAt } of disputes)
    if (isNew(updatedAt)) found.add(transaction.reference);
  const references = new Map(transactions.map(({ id, reference }) => [id, reference]));
  for (const { transaction: id, transaction_reference: named, updated_at: at } of refunds)
    if (isNew(at)) found.add(named ?? references.get(id) ?? (await findReference(context, id)));
  return [...found].filter((reference) => reference !== null).filter(isOurReference);
}

async function listPayouts(
  { api }: Context,
  { from, to }: { from: number; to: number },
): Promise<Payout[]> {
  const range = { from: toIso(from - MARGIN_MS.payout), to: toIso(to + MARGIN_MS.payout) };
  const settlements = await api.list('/settlement', { ...range, subaccount: 'none' }, Settlement);
  return settlements
    .filter(({ status }) => status === 'success')
    .map((settlement) => ({
      id: String(settlement.id),
      at: settlement.settlement_date,
      amount: settlement.effective_amount ?? settlement.total_amount,
      fees: settlement.total_fees ?? null,
      currency: settlement.currency ?? CURRENCY,
    }))
    .filter(({ at }) => at >= from && at < to)
    .toSorted((a, b) => a.at - b.at);
}

async function forgetCard({ api }: Context, token: string) {
  try {
    await api.post('/customer/authorization/deactivate', { authorization_code: token }, Done);
  } catch (error) {
    // Only if it is the card that Paystack doesn't have.
    if (!isNotFound(error) || !isAboutCard(error)) throw error;
  }
}

export function createPaystackPayments(
  settings: { api: string; secretKey: string },
  { clock, timeZone, timeoutMs = TIMEOUT_MS }: ProviderParts,
): Payments {
  const context = { api: createPaystackApi({ ...settings, timeoutMs }), clock };
  return {
    name: 'paystack',
    calendar: createRealCalendar(timeZone),
    minimumAmount: MINIMUM_CENTS,
    cardCheckAmount: MINIMUM_CENTS,
    startPayment: createPageOpener(context),
    readPayment: (reference) => readPayment(context, reference),
    charge: (request) => charge(context, request),
    refund: (request) => refundOnce(context, request),
    listChanges: (since) => listChanges(context, since),
    listPayouts: (range) => listPayouts(context, range),
    forgetCard: ({ token }) => forgetCard(context, token),
    readTime: () => readProviderTime(settings.api, timeoutMs),
    parseWebhook: async (headers, rawBody) =>
      parsePaystackWebhook(settings.secretKey, headers, rawBody),
  };
}

export const SIGNATURE_HEADER = 'x-paystack-signature';
const Envelope = z.object({ event: z.string().max(100), data: z.unknown() });

export const signPaystack = (secretKey: string, rawBody: Buffer): string =>
  createHmac('sha512', secretKey).update(rawBody).digest('hex');

/** By the start of an event's name, longer ones first: where it names the payment. */
const readers: readonly [string, (data: unknown) => string | undefined][] = [
  ['charge.dispute.', (data) => DisputeEvent.safeParse(data).data?.transaction.reference],
  ['charge.', (data) => ChargeEvent.safeParse(data).data?.reference],
  ['refund.', (data) => RefundEvent.safeParse(data).data?.transaction_reference],
];

function parseEnvelope(rawBody: Buffer) {
  try {
    return Envelope.safeParse(JSON.parse(rawBody.toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}

function parsePaystackWebhook(
  secretKey: string,
  headers: IncomingHttpHeaders,
  rawBody: Buffer,
): string | null {
  if (!isSignature(headers[SIGNATURE_HEADER], signPaystack(secretKey, rawBody)))
    throw new ForgedWebhook('The signature doesn’t match this body.');
  const envelope = parseEnvelope(rawBody);
  if (!envelope) return null;
  const read = readers.find(([start]) => envelope.event.startsWith(start))?.[1];
  const reference = read?.(envelope.data);
  return reference && isOurReference(reference) ? reference : null;
}
