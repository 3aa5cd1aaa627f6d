import { expect, it, vi } from 'vitest';
import type { AnalyticsInput } from './analytics-events.ts';

it('queues events in order until there is a receiver, then passes them on directly', async () => {
  // Other tests have left their calls in the module that they share.
  vi.resetModules();
  const { recordApiCall, sendAnalyticsEvent, receiveAnalyticsInputs } =
    await import('./analytics-events.ts');
  const received: AnalyticsInput[] = [];
  sendAnalyticsEvent('Page Viewed', { name: '/' });
  recordApiCall({
    route: 'POST /api/auth/login',
    params: {},
    changedFields: ['password'],
    response: null,
  });
  receiveAnalyticsInputs((input) => received.push(input));
  sendAnalyticsEvent('Page Viewed', { name: '/top-20' });
  expect(received).toEqual([
    { name: 'Session Start', fields: {}, at: performance.timeOrigin },
    { name: 'Page Viewed', fields: { name: '/' }, at: expect.any(Number) as number },
    expect.objectContaining({ route: 'POST /api/auth/login', changedFields: ['password'] }),
    expect.objectContaining({ fields: { name: '/top-20' } }),
  ]);
});
