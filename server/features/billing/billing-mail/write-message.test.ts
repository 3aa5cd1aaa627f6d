import { expect, it } from 'vitest';
import { buildInvoice } from '../../../db/build-rows.ts';
import { writeMessage, type BillingMessage } from './write-message.ts';

const AT = Date.UTC(2026, 10, 15);
const paid = { amount: 7900, currency: 'ZAR' };
const invoice = buildInvoice({
  id: 'invoice-1',
  number: 1,
  user_id: 'a',
  provider: 'sandbox',
  charge_id: 'charge-1',
  plan: 'monthly',
  at: AT,
  from_at: AT,
  to_at: AT,
  ...paid,
});

type Facts = {
  [Kind in BillingMessage['kind']]: Omit<Extract<BillingMessage, { kind: Kind }>, 'kind'>;
};
const everyKind: Facts = {
  welcome: { plan: 'monthly' },
  receipt: { invoice },
  reminder: { at: AT, amount: 79_000 },
  failed: { until: AT, reason: null, amount: 7900, day: 0, needsMember: false },
  'unpaid-end': { plan: 'monthly' },
  'card-not-kept': { until: AT },
  'came-over': { at: AT, amount: 7900, plan: 'monthly' },
  'late-charge': { due: AT, from: AT, until: AT },
  cancelled: { until: AT },
  refund: { ...paid, creditNote: null, isWithdrawal: false },
  'refund-failed': paid,
  'year-ending': { at: AT, amount: 79_000, plan: 'annual' },
  'trial-ending': { at: AT, amount: 7900, plan: 'monthly' },
  'card-expiring': { card: 'Visa ending in 4081', expiry: '2026-12', isExpired: false, at: AT },
  'gift-ending': { until: AT },
  'gift-ended': { until: AT },
  'once-ending': { until: AT, months: 3 },
  unarrived: paid,
  refused: { ...paid, why: 'amount' },
  'price-change': { plan: 'monthly', oldAmount: 6900, amount: 7900, at: AT },
  'price-change-cancelled': { plan: 'monthly', amount: 7900 },
  'trial-card-used': {},
};

const site = { siteName: 'Deep House', timeZone: 'Africa/Johannesburg' };

it.each(Object.entries(everyKind))('the e-mail about %s names the site', (kind, facts) => {
  const { subject } = writeMessage({ kind, ...facts } as BillingMessage, site);
  expect(subject).toContain('Deep House');
});
