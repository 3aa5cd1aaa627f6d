import { createHash } from 'node:crypto';
import type { Card } from '../payments.ts';

type TestCard = {
  label: string;
  description: string;
  shown: Card;
  /** How often it pays before it is declined. */
  pays: number;
  /** The bank's message when it declines. */
  refusal: string;
  /** The bank asks the card holder to confirm first. */
  needsConfirmation?: true;
  /** It can't be charged again, so no subscription can be made. */
  isForOnePayment?: true;
  /** The subscription is made some time after the payment. */
  subscribesLater?: true;
  /** The same card in the hands of every customer. */
  isShared?: true;
};

const NO_FUNDS = 'Your bank declined the payment: insufficient funds.';

/** Chosen by name: there are no card numbers to type, send or store. */
export const TEST_CARDS = {
  success: {
    label: 'Successful card',
    description: 'Succeeds now and at every renewal.',
    shown: { brand: 'Visa', last4: '4242', expiryMonth: 12, expiryYear: 2049 },
    pays: Number.MAX_SAFE_INTEGER,
    refusal: '',
  },
  confirmation: {
    label: '3‑D Secure card',
    description: 'Needs one extra confirmation step.',
    shown: { brand: 'Mastercard', last4: '3220', expiryMonth: 6, expiryYear: 2048 },
    pays: Number.MAX_SAFE_INTEGER,
    refusal: 'The payment wasn’t confirmed with your bank.',
    needsConfirmation: true,
  },
  'insufficient-funds': {
    label: 'Insufficient funds',
    description: 'Declined: insufficient funds.',
    shown: { brand: 'Visa', last4: '9995', expiryMonth: 3, expiryYear: 2047 },
    pays: 0,
    refusal: NO_FUNDS,
  },
  expired: {
    label: 'Expired card',
    description: 'Declined: expired card.',
    shown: { brand: 'Mastercard', last4: '0069', expiryMonth: 1, expiryYear: 2020 },
    pays: 0,
    refusal: 'Your bank declined the payment: the card has expired.',
  },
  'pays-once': {
    label: 'Fails on first renewal',
    description: 'Succeeds now; the first renewal fails.',
    shown: { brand: 'Visa', last4: '0341', expiryMonth: 9, expiryYear: 2046 },
    pays: 1,
    refusal: NO_FUNDS,
  },
  'renews-then-fails': {
    label: 'Fails on second renewal',
    description: 'Succeeds now and renews once; the second renewal fails.',
    shown: { brand: 'Visa', last4: '0342', expiryMonth: 10, expiryYear: 2046 },
    pays: 2,
    refusal: NO_FUNDS,
  },
  'one-payment': {
    label: 'One payment only',
    description: 'Succeeds now, but can’t be charged again.',
    shown: { brand: 'Visa', last4: '0259', expiryMonth: 4, expiryYear: 2045 },
    pays: 1,
    refusal: 'Your bank declined the payment: the card can’t be charged again.',
    isForOnePayment: true,
  },
  'late-subscription': {
    label: 'Subscription comes later',
    description: 'Succeeds now; the subscription is made some time later.',
    shown: { brand: 'Mastercard', last4: '4444', expiryMonth: 5, expiryYear: 2044 },
    pays: Number.MAX_SAFE_INTEGER,
    refusal: '',
    subscribesLater: true,
  },
  used: {
    label: 'Used card',
    description: 'Succeeds. Everyone who uses it has the same card, so it starts one trial only.',
    shown: { brand: 'Visa', last4: '1881', expiryMonth: 8, expiryYear: 2043 },
    pays: Number.MAX_SAFE_INTEGER,
    refusal: '',
    isShared: true,
  },
} as const satisfies Record<string, TestCard>;

export type CardName = keyof typeof TEST_CARDS;

const cards: Record<string, TestCard> = TEST_CARDS;

export const isCardName = (name: unknown): name is CardName =>
  typeof name === 'string' && Object.hasOwn(cards, name);

export const listCards = (): readonly (TestCard & { name: string })[] =>
  Object.entries(cards).map(([name, card]) => ({ name, ...card }));

export const showCard = (name: string): Card | null => cards[name]?.shown ?? null;

export const needsConfirmation = (name: string): boolean => cards[name]?.needsConfirmation ?? false;

export const isForOnePayment = (name: string): boolean => cards[name]?.isForOnePayment ?? false;

export const subscribesLater = (name: string): boolean => cards[name]?.subscribesLater ?? false;

/** Each customer has cards of their own, apart from the shared one. */
export const fingerprintCard = (name: string, customerId: string): string =>
  createHash('sha256')
    .update(cards[name]?.isShared ? name : `${name}:${customerId}`)
    .digest('hex')
    .slice(0, 16);

/** Why the bank declines the next payment with this card; null when it pays. */
export function findRefusal(name: string, uses: number): string | null {
  const card = cards[name];
  if (!card) return 'Unknown card.';
  return uses < card.pays ? null : card.refusal;
}
