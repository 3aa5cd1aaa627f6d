import { describe, expect, it, vi } from 'vitest';
import { createPageTransition } from './page-transition.ts';

type Options = {
  isReduced?: boolean;
  hasTransitions?: boolean;
  pageMs?: number;
  readyMs?: number;
  isSkipped?: boolean;
  activeElement?: object;
};

/** A window in which a page takes `pageMs`, and a transition begins after `readyMs`. */
function openWindow(options: Options = {}) {
  const { isReduced = false, hasTransitions = true, activeElement } = options;
  const { pageMs = 20, readyMs = 10, isSkipped = false } = options;
  let now = 0;
  const transitions: string[] = [];
  const document = {
    hidden: false,
    activeElement,
    addEventListener: () => undefined,
    querySelector: () => null,
    ...(hasTransitions && {
      startViewTransition(update: () => void) {
        transitions.push('started');
        update();
        now += readyMs;
        const ready = isSkipped ? Promise.reject(new Error('skipped')) : Promise.resolve();
        return { ready, finished: Promise.resolve() };
      },
    }),
  };
  const page = {
    document,
    location: { href: 'https://site.example/top-20', pathname: '/top-20' },
    matchMedia: () => ({ matches: isReduced }),
    performance: { now: () => now },
    requestAnimationFrame(callback: () => void) {
      now += pageMs;
      callback();
    },
  };
  return { transitions, show: createPageTransition(page as never) };
}

describe('another page', () => {
  it('appears with a transition once a page has shown that the device is quick', () => {
    const { transitions, show } = openWindow();
    const navigate = vi.fn<() => void>();
    show('/library', navigate);
    expect(transitions).toEqual([]);
    show('/track/1', navigate);
    expect(navigate).toHaveBeenCalledTimes(2);
    expect(transitions).toHaveLength(1);
  });

  it.each([
    ['someone asked for less motion', { isReduced: true }, '/library'],
    ['the browser has no transitions', { hasTransitions: false }, '/library'],
    ['only the query string changes', {}, '/top-20?week=2026-W40'],
    ['pages take long on the device', { pageMs: 40 }, '/library'],
  ])('appears at once if %s', (_when, options, to) => {
    const { transitions, show } = openWindow(options);
    const navigate = vi.fn<() => void>();
    show('/settings', navigate);
    show(to, navigate);
    expect(navigate).toHaveBeenCalledTimes(2);
    expect(transitions).toEqual([]);
  });

  it.each([
    ['/library', ['focus moved', 'shown']],
    ['/top-20?week=2026-W40', ['shown']],
  ])('finds the focus outside of what it replaces: %s', (to, expected) => {
    const events: string[] = [];
    const main = { focus: () => events.push('focus moved') };
    const { show } = openWindow({ isReduced: true, activeElement: { closest: () => main } });
    show(to, () => events.push('shown'));
    expect(events).toEqual(expected);
  });

  it.each([
    ['at once if the first transition was slow', { readyMs: 100 }, 1],
    ['with a transition again if the first was quick', { readyMs: 60 }, 2],
    ['with a transition again if the browser skipped the first', { isSkipped: true }, 2],
  ])('appears %s', async (_how, options, count) => {
    const { transitions, show } = openWindow(options);
    const navigate = vi.fn<() => void>();
    show('/settings', navigate);
    show('/library', navigate);
    await Promise.resolve();
    show('/search', navigate);
    expect(navigate).toHaveBeenCalledTimes(3);
    expect(transitions).toHaveLength(count);
  });
});
