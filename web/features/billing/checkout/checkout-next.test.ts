import { describe, expect, it } from 'vitest';
import { HOUR } from '#contract/rules/time.ts';
import { createMemoryStorage } from '#web/player/testing/memory-storage.ts';
import { nameCheckoutNext, readCheckoutNext, saveCheckoutNext } from './checkout-next.ts';

const NOW = Date.parse('2026-11-19T10:00:00Z');

describe('the page that Premium was wanted for', () => {
  it('is known after the payment, for an hour and to whoever paid', () => {
    const storage = createMemoryStorage();
    expect(readCheckoutNext(storage, 'thandi', NOW)).toBeNull();
    saveCheckoutNext(storage, { owner: 'thandi', path: '/track/a?t=754' }, NOW);
    // Loading the page again asks again.
    for (let times = 0; times < 2; times++)
      expect(readCheckoutNext(storage, 'thandi', NOW + HOUR - 1)).toBe('/track/a?t=754');
    expect(readCheckoutNext(storage, 'thandi', NOW + HOUR)).toBeNull();
    expect(readCheckoutNext(storage, 'sipho', NOW)).toBeNull();
  });

  it('is a page of this site', () => {
    const storage = createMemoryStorage();
    for (const path of ['https://evil.example/', '//evil.example', 'javascript:alert(1)', '/']) {
      saveCheckoutNext(storage, { owner: 'thandi', path }, NOW);
      expect(readCheckoutNext(storage, 'thandi', NOW)).toBeNull();
    }
    storage.setItem('checkout-next', '{"owner":"thandi","at":');
    expect(readCheckoutNext(storage, 'thandi', NOW)).toBeNull();
  });

  it('has a name', () => {
    expect(nameCheckoutNext('/track/a?t=754')).toBe('Hear the mix');
    expect(nameCheckoutNext('/shared/abc')).toBe('Hear the mixes');
    expect(nameCheckoutNext('/top-20')).toBe('Back to where you were');
  });
});
