import { createHash } from 'node:crypto';
import type { Card, PaymentFailure } from '../payments.ts';

type TestCard = {
  label: string;
  description: string;
  shown: Card;
  /** How often it pays before it is declined. */
  pays: number;
  /** What the bank says when it declines. */
  refusal: PaymentFailure;
  /** The bank asks the card holder to confirm: on the payment page only, or at every later charge too. */
  confirms?: 'first' | 'always';
  /** It can't be charged again, so it isn't saved. */
  isForOnePayment?: true;
  /** What is special about it happens after the first payment. */
  isAboutRenewals?: true;
  /** The same card in the hands of every customer. */
  isShared?: true;
};

const soft = (message: string): PaymentFailure => ({ message, isHard: false });
const hard = (message: string): PaymentFailure => ({ message, isHard: true });

const NO_FUNDS = soft('Your bank declined the payment: insufficient funds.');
/** As often as the table can count: the account of a card with so many uses is empty. */
export const ALWAYS = 2 ** 31 - 1;
const NEVER_DECLINED = { pays: ALWAYS, refusal: NO_FUNDS };

/** Chosen by name: there are no card numbers to type, send or store. */
export const TEST_CARDS = {
  success: {
    label: 'Successful card',
    description: 'Always succeeds.',
    shown: { brand: 'Visa', last4: '4242', expiryMonth: 12, expiryYear: 2049 },
    ...NEVER_DECLINED,
  },
  confirmation: {
    label: '3‑D Secure card',
    description: 'Needs one extra confirmation step.',
    shown: { brand: 'Mastercard', last4: '3220', expiryMonth: 6, expiryYear: 2048 },
    ...NEVER_DECLINED,
    confirms: 'first',
  },
  'always-confirms': {
    label: '3‑D Secure every time',
    description: 'Needs the extra step now and at each renewal.',
    shown: { brand: 'Mastercard', last4: '3184', expiryMonth: 7, expiryYear: 2048 },
    ...NEVER_DECLINED,
    confirms: 'always',
    isAboutRenewals: true,
  },
  'insufficient-funds': {
    label: 'Insufficient funds',
    description: 'Declined: insufficient funds.',
    shown: { brand: 'Visa', last4: '9995', expiryMonth: 3, expiryYear: 2047 },
    pays: 0,
    refusal: NO_FUNDS,
  },
  stolen: {
    label: 'Stolen card',
    description: 'Declined for good: reported as stolen.',
    shown: { brand: 'Mastercard', last4: '9979', expiryMonth: 1, expiryYear: 2047 },
    pays: 0,
    refusal: hard('Your bank declined the payment: the card was reported lost or stolen.'),
  },
  'pays-once': {
    label: 'Fails on first renewal',
    description: 'Succeeds now; the first renewal fails.',
    shown: { brand: 'Visa', last4: '0341', expiryMonth: 9, expiryYear: 2046 },
    pays: 1,
    refusal: NO_FUNDS,
    isAboutRenewals: true,
  },
  'renews-then-fails': {
    label: 'Fails on second renewal',
    description: 'Succeeds now and renews once; the second renewal fails.',
    shown: { brand: 'Visa', last4: '0342', expiryMonth: 10, expiryYear: 2046 },
    pays: 2,
    refusal: NO_FUNDS,
    isAboutRenewals: true,
  },
  'one-payment': {
    label: 'One payment only',
    description: 'Succeeds now, but can’t be charged again.',
    shown: { brand: 'Visa', last4: '0259', expiryMonth: 4, expiryYear: 2045 },
    ...NEVER_DECLINED,
    isForOnePayment: true,
    isAboutRenewals: true,
  },
  used: {
    label: 'Used card',
    description: 'Succeeds. Everyone who uses it has the same card, so it starts one trial only.',
    shown: { brand: 'Visa', last4: '1881', expiryMonth: 8, expiryYear: 2043 },
    ...NEVER_DECLINED,
    isShared: true,
    isAboutRenewals: true,
  },
} as const satisfies Record<string, TestCard>;

export type CardName = keyof typeof TEST_CARDS;

const cards: Record<string, TestCard> = TEST_CARDS;

export const isCardName = (name: unknown): name is CardName =>
  typeof name === 'string' && Object.hasOwn(cards, name);

/** Those that make a difference to a payment that saves the card, or doesn't. */
export const listCards = (savesCard: boolean): readonly (TestCard & { name: string })[] =>
  Object.entries(cards)
    .map(([name, card]) => ({ name, ...card }))
    .filter(({ isAboutRenewals }) => savesCard || !isAboutRenewals);

export const showCard = (name: string): Card | null => cards[name]?.shown ?? null;

export const findTestCard = (name: string): TestCard | undefined => cards[name];

/** Each customer has cards of their own, apart from the shared one. */
export const fingerprintCard = (name: string, email: string): string =>
  createHash('sha256')
    .update(cards[name]?.isShared ? name : `${name}:${email.toLowerCase()}`)
    .digest('hex')
    .slice(0, 16);

/** Why the bank declines the next payment with this card; null when it pays. */
export function findRefusal(name: string, uses: number): PaymentFailure | null {
  const card = cards[name];
  if (!card) return hard('Unknown card.');
  return uses < card.pays ? null : card.refusal;
}

export const notConfirmed = soft('The payment wasn’t confirmed with your bank.');

type BankPayment = {
  label: string;
  description: string;
  /** The provider's word for this way to pay. */
  channel: 'eft' | 'capitec_pay';
  /** When the bank decides: at once, in an hour, or when someone presses a button on the page. */
  decides: 'now' | 'in-an-hour' | 'by-hand';
  /** What the bank decides. */
  failure: string | null;
};

/** Ways to pay without a card. Nothing can be charged again. */
export const BANK_PAYMENTS = {
  'eft-paid': {
    label: 'Instant EFT',
    description: 'Paid at once.',
    channel: 'eft',
    decides: 'now',
    failure: null,
  },
  'capitec-paid': {
    label: 'Capitec Pay',
    description: 'Paid at once, in the bank’s app.',
    channel: 'capitec_pay',
    decides: 'now',
    failure: null,
  },
  'eft-later': {
    label: 'EFT that takes an hour',
    description: 'On its way for an hour, then paid.',
    channel: 'eft',
    decides: 'in-an-hour',
    failure: null,
  },
  'eft-fails': {
    label: 'EFT that doesn’t arrive',
    description: 'On its way for an hour, then failed.',
    channel: 'eft',
    decides: 'in-an-hour',
    failure: 'Your bank didn’t make the payment.',
  },
  'eft-waits': {
    label: 'EFT that waits for you',
    description: 'On its way until you come back to this page and decide.',
    channel: 'eft',
    decides: 'by-hand',
    failure: null,
  },
} as const satisfies Record<string, BankPayment>;

export type BankName = keyof typeof BANK_PAYMENTS;

const banks: Record<string, BankPayment> = BANK_PAYMENTS;

export const isBankName = (name: unknown): name is BankName =>
  typeof name === 'string' && Object.hasOwn(banks, name);

export const listBanks = (): readonly (BankPayment & { name: string })[] =>
  Object.entries(banks).map(([name, bank]) => ({ name, ...bank }));
