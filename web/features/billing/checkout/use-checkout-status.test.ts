import { describe, expect, it } from 'vitest';
import { findCheckoutPhase, nextCheckDelay } from './use-checkout-status.ts';

const initial = { hasReference: true, result: undefined, errorStatus: null, hasAccess: false };

describe('the page after a checkout', () => {
  it.each([
    ['checks before the first response', {}, 'checking'],
    ['waits for the provider', { result: { state: 'open' } }, 'waiting'],
    [
      'waits for it even if there is access from a gift',
      { result: { state: 'open' }, hasAccess: true },
      'waiting',
    ],
    ['says that the bank has it', { result: { state: 'pending' } }, 'pending'],
    ['says so to subscribers too', { result: { state: 'pending' }, hasAccess: true }, 'pending'],
    ['unlocks what was paid', { result: { state: 'paid' } }, 'unlocking'],
    ['is ready once there is access', { result: { state: 'paid' }, hasAccess: true }, 'ready'],
    ['is ready before the provider responds', { hasAccess: true, errorStatus: 503 }, 'ready'],
    ['announces a refund', { result: { state: 'refused' }, hasAccess: true }, 'refused'],
    ['shows a failed payment', { result: { state: 'failed' } }, 'failed'],
    [
      'shows a failed payment to subscribers too',
      { result: { state: 'failed' }, hasAccess: true },
      'failed',
    ],
    ['shows when the provider is down', { errorStatus: 503 }, 'unreachable'],
    ['shows when there is no connection', { errorStatus: 0 }, 'unreachable'],
    ['shows an unknown checkout', { errorStatus: 404 }, 'unknown'],
    ['shows nothing without a reference', { hasReference: false }, 'nothing'],
    ['is ready for subscribers without one', { hasReference: false, hasAccess: true }, 'ready'],
  ] as const)('%s', (_, change, phase) =>
    expect(findCheckoutPhase({ ...initial, ...change })).toBe(phase),
  );
});

it('checks quickly at first, then more slowly, and stops eventually', () => {
  expect([1, 2, 3, 4, 5, 6, 59, 60].map(nextCheckDelay)).toEqual([
    500,
    1000,
    2000,
    3000,
    5000,
    10_000,
    10_000,
    null,
  ]);
});
