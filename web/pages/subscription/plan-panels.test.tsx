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
  nextPayment: {
    at: Date.parse('2026-12-15T10:00:00Z'),
    amount: 79_00,
    plan: 'monthly',
    isFirst: false,
  },
  nextPlan: null,
  priceChange: null,
  card: null,
  problem: null,
  renews: true,
  withdrawal: null,
  canResume: false,
  isHeld: false,
  pending: null,
};

const render = (change: Partial<Subscription>): string =>
  renderToStaticMarkup(<PlanPanels subscription={{ ...active, ...change }} />);

describe('what a member pays', () => {
  it('is the first payment of a plan that starts after the time they have', () => {
    const first = {
      at: Date.parse('2026-12-15T10:00:00Z'),
      amount: 79_00,
      plan: 'monthly' as const,
    };
    const html = render({ nextPayment: { ...first, isFirst: true } });
    expect(html).toContain('First payment');
    expect(html).toContain('Until then you use the time you have.');
  });

  it('is on hold while a bank decides about a dispute', () => {
    const html = render({ isHeld: true });
    expect(html).toContain('On hold until your bank has decided');
    expect(html).not.toContain('R79');
  });

  it('is nothing once nothing renews', () => {
    const html = render({ status: 'cancelled', nextPayment: null, renews: false });
    expect(html).toContain('No payments due');
    expect(html).toContain('You won’t be charged again.');
  });
});
