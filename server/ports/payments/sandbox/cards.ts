import type { Card } from '../payments.ts';

type TestCard = {
  /** What its owner picks it by. */
  label: string;
  /** What happens to who pays with it. */
  description: string;
  shown: Card;
  /** How often it pays before it is refused. */
  pays: number;
  /** What the bank description when it refuses. */
  refusal: string;
  /** The bank asks its owner first, once. */
  needsConfirmation?: true;
};

const NO_FUNDS = 'The bank declined the payment: there is not enough money in the account.';

/** Picked by name: there is no number that could be typed, sent or kept. */
export const TEST_CARDS = {
  success: {
    label: 'A card that works',
    description: 'Pays now and at every renewal.',
    shown: { brand: 'Visa', last4: '4242', expiryMonth: 12, expiryYear: 2049 },
    pays: Number.MAX_SAFE_INTEGER,
    refusal: '',
  },
  confirmation: {
    label: 'A card whose bank asks first',
    description: 'Pays after one more step, as with 3‑D Secure.',
    shown: { brand: 'Mastercard', last4: '3220', expiryMonth: 6, expiryYear: 2048 },
    pays: Number.MAX_SAFE_INTEGER,
    refusal: 'The payment was not confirmed with the bank.',
    needsConfirmation: true,
  },
  'insufficient-funds': {
    label: 'A card without enough money',
    description: 'Is declined: insufficient funds.',
    shown: { brand: 'Visa', last4: '9995', expiryMonth: 3, expiryYear: 2047 },
    pays: 0,
    refusal: NO_FUNDS,
  },
  expired: {
    label: 'A card that has expired',
    description: 'Is declined: expired card.',
    shown: { brand: 'Mastercard', last4: '0069', expiryMonth: 1, expiryYear: 2020 },
    pays: 0,
    refusal: 'The bank declined the payment: the card has expired.',
  },
  'pays-once': {
    label: 'A card that pays once',
    description: 'Pays now; the first renewal fails.',
    shown: { brand: 'Visa', last4: '0341', expiryMonth: 9, expiryYear: 2046 },
    pays: 1,
    refusal: NO_FUNDS,
  },
  'renews-then-fails': {
    label: 'A card that renews, then fails',
    description: 'Pays now and renews once; the second renewal fails.',
    shown: { brand: 'Visa', last4: '0342', expiryMonth: 10, expiryYear: 2046 },
    pays: 2,
    refusal: NO_FUNDS,
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

/** Why the bank refuses the next payment with this card; null when it pays. */
export function findRefusal(name: string, uses: number): string | null {
  const card = cards[name];
  if (!card) return 'The bank does not know this card.';
  return uses < card.pays ? null : card.refusal;
}
