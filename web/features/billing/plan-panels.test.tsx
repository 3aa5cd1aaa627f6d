import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { Subscription } from '#contract/billing.ts';
import { PlanPanels } from './plan-panels.tsx';

const active: Subscription = {
  status: 'active',
  hasAccess: true,
  plan: 'monthly',
  currency: 'ZAR',
  paidThrough: Date.parse('2026-12-15T10:00:00Z'),
  accessUntil: Date.parse('2026-12-18T10:00:00Z'),
  nextPayment: { at: Date.parse('2026-12-15T10:00:00Z'), amount: 79_00, plan: 'monthly' },
  nextPlan: null,
  priceChange: null,
  card: null,
  problem: null,
  renews: true,
  withdrawal: null,
  canResume: false,
  pendingReference: null,
  otherSubscriptions: [],
};

const render = (change: Partial<Subscription>): string =>
  renderToStaticMarkup(<PlanPanels subscription={{ ...active, ...change }} />);

describe('what a member pays', () => {
  it('is the unpaid amount after a failed payment', () => {
    const since = Date.parse('2026-11-14T10:00:00Z');
    const html = render({
      status: 'late',
      nextPayment: null,
      problem: { since, message: 'Your bank declined the payment.', amount: 79_00 },
    });
    expect(html).toContain('Payment due');
    expect(html).toMatch(/Unpaid since [^<]*November/);
    expect(html).not.toContain('No payments due');
  });

  it('is still to come while something renews, even without a date', () => {
    const html = render({ nextPayment: null });
    expect(html).toContain('Next payment');
    expect(html).not.toContain('won’t be charged again');
  });

  it('is nothing once nothing renews', () => {
    const html = render({ status: 'cancelled', nextPayment: null, renews: false });
    expect(html).toContain('No payments due');
    expect(html).toContain('You won’t be charged again.');
  });
});
