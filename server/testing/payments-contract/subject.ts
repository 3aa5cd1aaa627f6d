import { inspect } from 'node:util';
import { afterEach, beforeEach } from 'vitest';
import type {
  ChargeRequest,
  PaymentRequest,
  Payments,
  PaymentState,
  SavedCard,
} from '../../ports/payments/payments.ts';
import type { Fault } from '../fake-http.ts';

export type Delivery = { headers: Record<string, string>; rawBody: Buffer };

/** What the bank says to a charge: yes, not now, never again, or only with the member. */
export type BankAnswer = 'pays' | 'declines' | 'is-lost' | 'asks-the-member';

/** A provider, and everything that its customers, their banks and time do to it. */
export type PaymentsUnderTest = {
  payments: Payments;
  now: () => number;
  /** Lets time pass: pages expire. */
  passTo: (time: number) => Promise<void>;
  /** The member pays on the page, with the same card each time. */
  pay: (reference: string) => Promise<void>;
  /** The member's bank declines a card on the page. */
  decline: (reference: string) => Promise<void>;
  /** The member pays from a bank account; the bank decides later. */
  payByBank: (reference: string) => Promise<void>;
  decideBankPayment: (reference: string, isPaid: boolean) => Promise<void>;
  /** What the bank says to every later charge of this card. */
  setBankAnswer: (token: string, answer: BankAnswer) => Promise<void>;
  /** Refunds on the provider's dashboard. */
  refundByHand: (chargeId: string, amount: number) => Promise<void>;
  /** The bank sends the last refund of this charge back. */
  failRefund: (chargeId: string) => Promise<void>;
  dispute: (chargeId: string) => Promise<void>;
  decideDispute: (chargeId: string, outcome: 'won' | 'lost') => Promise<void>;
  /** A payment, a refund and a dispute of another product. Absent if the account has only one. */
  sellOther?: () => Promise<void>;
  drainWebhooks: () => Promise<Delivery[]>;
  /** Signs a body that the provider never sent with the provider's key. */
  sign: (body: string) => Promise<Delivery>;
  /** Absent if the provider is not a separate server that can fail. */
  setFault?: (fault: Fault | null) => void;
  /** From now on only the request that moves money fails in this way. */
  setChargeFault?: (fault: Fault | null) => void;
  close: () => Promise<void>;
};

/** The provider of the current test. */
export const subject = {} as PaymentsUnderTest;

export function useSubject(create: () => Promise<PaymentsUnderTest>) {
  beforeEach(async () => {
    Object.assign(subject, await create());
  });
  afterEach(() => subject.close());
}

export const REFERENCE = 'wk-0123456789';

export const ask = (change: Partial<PaymentRequest> = {}): PaymentRequest => ({
  reference: REFERENCE,
  providerId: null,
  email: 'thandi@example.com',
  amount: 7900,
  currency: 'ZAR',
  description: 'Premium for a month',
  savesCard: false,
  successUrl: 'https://site.example/subscription-success',
  cancelUrl: 'https://site.example/pricing',
  ...change,
});

/** Starts and pays a page. */
export async function buy(change: Partial<PaymentRequest> = {}): Promise<PaymentState> {
  const request = ask(change);
  const { providerId } = await subject.payments.startPayment(request);
  await subject.pay(request.reference);
  return subject.payments.readPayment(request.reference, providerId);
}

/** A card that can be charged again. */
export async function saveCard(change: Partial<PaymentRequest> = {}): Promise<SavedCard> {
  const { savedCard } = await buy({ savesCard: true, ...change });
  if (!savedCard) throw new Error('The card was not saved.');
  return savedCard;
}

export const RENEWAL = 'wk-r-sub1-2-1';

export const askCharge = (
  savedCard: ChargeRequest['savedCard'],
  change: Partial<ChargeRequest> = {},
): ChargeRequest => ({
  reference: RENEWAL,
  providerId: null,
  amount: 9900,
  currency: 'ZAR',
  description: 'Premium for a month',
  savedCard,
  storeProviderId: async () => undefined,
  ...change,
});

/** Providers count in seconds. */
export const about = (time: number | null) => Math.floor((time ?? 0) / 1000);

export async function catchError(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail.');
}

/** Everything that a log could show of a value, with all causes and hidden fields. */
export const showAll = (value: unknown): string =>
  inspect(value, { depth: Infinity, showHidden: true, maxStringLength: Infinity });
