import { describe, expect, it } from 'vitest';
import { findPhase, nextCheckDelay } from './success-phase.ts';

const known = { hasReference: true, settlement: undefined, refusal: null, hasAccess: false };

describe('the page after a checkout', () => {
  it.each([
    ['is looking before the first answer', {}, 'checking'],
    ['waits for a bank that has not decided', { settlement: { state: 'open' } }, 'waiting'],
    ['opens what was paid', { settlement: { state: 'paid' } }, 'opening'],
    ['is ready with the access', { settlement: { state: 'paid' }, hasAccess: true }, 'ready'],
    ['is ready before the provider answers', { hasAccess: true, refusal: 503 }, 'ready'],
    [
      'says that what was taken goes back',
      { settlement: { state: 'refused' }, hasAccess: true },
      'refused',
    ],
    ['says that it failed', { settlement: { state: 'failed' } }, 'failed'],
    [
      'says so also to those with access',
      { settlement: { state: 'failed' }, hasAccess: true },
      'failed',
    ],
    ['says when nobody can be asked', { refusal: 503 }, 'unreachable'],
    ['says when there is no network', { refusal: 0 }, 'unreachable'],
    ['knows no such checkout', { refusal: 404 }, 'unknown'],
    ['has nothing to say without one', { hasReference: false }, 'nothing'],
    ['shows what one has without one', { hasReference: false, hasAccess: true }, 'ready'],
  ] as const)('%s', (_, change, phase) => expect(findPhase({ ...known, ...change })).toBe(phase));
});

it('is asked for quickly at first, ever more slowly, and not for ever', () => {
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
