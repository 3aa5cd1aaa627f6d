import { DAY } from '#contract/rules/time.ts';
import { buildInvoice } from '../../../db/build-rows.ts';
import type { BillingMessage } from './write-message.ts';

type Facts = {
  [Kind in BillingMessage['kind']]: Omit<Extract<BillingMessage, { kind: Kind }>, 'kind'>;
};

/** The facts of every kind of message, as they may be on this day. */
export function listSampleMessages(now: number): BillingMessage[] {
  const soon = now + 7 * DAY;
  const paid = { amount: 7900, currency: 'ZAR' };
  const invoice = buildInvoice({
    id: 'example',
    number: 1,
    user_id: 'example',
    provider: 'sandbox',
    charge_id: 'example',
    plan: 'monthly',
    at: now,
    from_at: now,
    to_at: now + 30 * DAY,
    ...paid,
  });
  const facts: Facts = {
    welcome: { plan: 'monthly' },
    receipt: { invoice },
    failed: {
      until: soon,
      reason: 'The bank said: insufficient funds.',
      amount: 7900,
      day: 0,
      needsMember: false,
      isRetried: true,
    },
    'unpaid-end': { plan: 'monthly' },
    cancelled: { until: soon },
    refund: { ...paid, creditNote: 'CN-000001', isWithdrawal: false },
    'refund-failed': paid,
    refused: { ...paid, why: 'second' },
    unarrived: paid,
    'late-charge': { due: now - DAY, from: now, until: now + 30 * DAY },
    reminder: { at: soon, amount: 79_000 },
    'year-ending': { at: soon, amount: 79_000, plan: 'annual' },
    'trial-ending': { at: soon, amount: 7900, plan: 'monthly' },
    'trial-card-used': {},
    'once-ending': { until: soon, months: 3 },
    'gift-ending': { until: soon },
    'gift-ended': { until: soon },
    'card-expiring': { card: 'Visa ending in 4081', expiry: '2026-12', isExpired: false, at: soon },
    'card-not-kept': { until: soon },
    'price-change': { plan: 'monthly', oldAmount: 6900, amount: 7900, at: soon },
    'price-change-cancelled': { plan: 'monthly', amount: 7900 },
    'files-change': { now, changes: [{ kind: 'mp3', at: soon, wasOff: false }] },
    'came-over': { at: soon, amount: 7900, plan: 'monthly' },
  };
  return Object.entries(facts).map(([kind, about]) => ({ kind, ...about }) as BillingMessage);
}
