import { describe, expect, it } from 'vitest';
import { PAYMENT_ISSUE_KINDS } from '#contract/admin/payment-issues.ts';
import { describeDeadline, describeRemedy, issueTitles } from './describe-issue.ts';

const dueAt = Date.parse('2026-11-18T12:00:00Z');

describe('a payment issue', () => {
  it('says by when to answer, and when it is too late', () => {
    const issue = { kind: 'dispute' as const, dueAt };
    expect(describeDeadline(issue, dueAt - 1)).toMatch(/^Answer by Wed 18 Nov, \d\d:00$/);
    expect(describeDeadline(issue, dueAt)).toMatch(/^The time to answer ended Wed 18 Nov/);
    expect(describeDeadline({ ...issue, dueAt: null }, 0)).toBeNull();
  });

  it('says where Paystack wants the answer, and that silence counts', () => {
    const remedy = describeRemedy({ kind: 'dispute', provider: 'paystack' });
    expect(remedy).toContain('under Disputes');
    expect(remedy).toContain('48 hours');
    expect(describeRemedy({ kind: 'dispute', provider: 'stripe' })).toContain('at Stripe');
  });

  it('has a title and something to do, whatever the kind', () => {
    for (const kind of PAYMENT_ISSUE_KINDS) {
      expect(issueTitles[kind]).not.toBe('');
      expect(describeRemedy({ kind, provider: null }).length).toBeGreaterThan(20);
    }
  });
});
