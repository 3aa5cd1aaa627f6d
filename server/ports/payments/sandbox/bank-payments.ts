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
