import { expect, it, vi } from 'vitest';
import type { Moment } from './moments.ts';

it('what happens before anybody listens waits in its order, and the rest goes straight on', async () => {
  // Other tests have left their calls in the module that they share.
  vi.resetModules();
  const { noteCall, noteEvent, receiveMoments } = await import('./moments.ts');
  const received: Moment[] = [];
  noteEvent('Page Viewed', { name: '/' });
  noteCall({ route: 'POST /api/auth/login', params: {}, changed: ['password'], answer: null });
  receiveMoments((moment) => received.push(moment));
  noteEvent('Page Viewed', { name: '/top-20' });
  expect(received).toEqual([
    { name: 'Page Viewed', fields: { name: '/' }, at: expect.any(Number) as number },
    expect.objectContaining({ route: 'POST /api/auth/login', changed: ['password'] }),
    expect.objectContaining({ fields: { name: '/top-20' } }),
  ]);
});
