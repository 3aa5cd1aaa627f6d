import { expect, it } from 'vitest';
import { buildInvoice } from '../../../db/build-rows.ts';
import type { BillingMessage } from './billing-message.ts';
import { buildBillingMail } from './build-billing-mail.ts';

const AT = Date.UTC(2026, 10, 15);
const paid = { amount: 7900, currency: 'ZAR' };
const charge = { provider: 'sandbox', chargeId: 'charge-1' };

type Facts = {
  [Kind in BillingMessage['kind']]: Omit<Extract<BillingMessage, { kind: Kind }>, 'kind'>;
};
const everyKind: Facts = {
  welcome: { plan: 'monthly', until: AT },
  receipt: charge,
  reminder: { at: AT, amount: 79_000 },
  failed: { until: AT, reason: null, amount: 7900, day: 0, needsMember: false },
  'unpaid-end': { plan: 'monthly' },
  'card-not-kept': { until: AT },
  'came-over': { at: AT, amount: 7900, plan: 'monthly' },
  'late-charge': { due: AT, from: AT, until: AT },
  cancelled: { until: AT },
  refund: { ...charge, ...paid },
  'refund-failed': { ...charge, ...paid },
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

const context = {
  to: 'a@example.com',
  username: 'a',
  siteName: 'Deep House',
  origin: 'https://music.example',
  timeZone: 'Africa/Johannesburg',
  invoice: buildInvoice({
    id: 'invoice-1',
    number: 1,
    user_id: 'a',
    provider: charge.provider,
    charge_id: charge.chargeId,
    plan: 'monthly',
    at: AT,
    from_at: AT,
    to_at: AT,
    ...paid,
  }),
  refund: null,
};

it.each(Object.entries(everyKind))('the e-mail about %s names the site', (kind, facts) => {
  const mail = buildBillingMail({ kind, ...facts } as BillingMessage, context);
  expect(mail?.subject).toContain('Deep House');
});
