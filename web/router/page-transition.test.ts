import { describe, expect, it, vi } from 'vitest';
import { createPageTransition } from './page-transition.ts';

type Options = {
  isReduced?: boolean;
  hasTransitions?: boolean;
  pageMs?: number;
  readyMs?: number;
  isSkipped?: boolean;
  hasSkeleton?: boolean;
  activeElement?: object;
};

/** A window in which a page takes `pageMs`, and a transition begins after `readyMs`. */
function openWindow(options: Options = {}) {
  const { isReduced = false, hasTransitions = true, activeElement } = options;
  const { pageMs = 10, readyMs = 10, isSkipped = false, hasSkeleton = false } = options;
  let now = 0;
  const transitions: string[] = [];
  const document = {
    hidden: false,
    activeElement,
    addEventListener: () => undefined,
    querySelector: () => (hasSkeleton ? {} : null),
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
  };
  const show = createPageTransition(page as never);
  const navigate = vi.fn<() => void>();
  const open = async (to: string, ms = pageMs) => {
    show(to, () => {
      navigate();
      now += ms;
    });
    await Promise.resolve();
  };
  return { transitions, navigate, show, open };
}

describe('another page', () => {
  it('appears with a transition once a page has shown that the device is quick', async () => {
    const { transitions, navigate, open } = openWindow();
    await open('/library');
    expect(transitions).toEqual([]);
    await open('/track/1');
    expect(navigate).toHaveBeenCalledTimes(2);
    expect(transitions).toHaveLength(1);
  });

  it.each([
    ['someone asked for less motion', { isReduced: true }, '/library'],
    ['the browser has no transitions', { hasTransitions: false }, '/library'],
    ['only the query string changes', {}, '/top-20?week=2026-W40'],
    ['pages take long on the device', { pageMs: 40 }, '/library'],
    ['the page before was still loading', { hasSkeleton: true }, '/library'],
  ])('appears at once if %s', async (_when, options, to) => {
    const { transitions, navigate, open } = openWindow(options);
    await open('/settings');
    await open(to);
    expect(navigate).toHaveBeenCalledTimes(2);
    expect(transitions).toEqual([]);
  });

  it('appears with a transition even if the first page of the visit took long', async () => {
    const { transitions, open } = openWindow();
    await open('/settings', 100);
    await open('/library');
    expect(transitions).toEqual([]);
    await open('/search');
    expect(transitions).toHaveLength(1);
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
    const { transitions, navigate, open } = openWindow(options);
    await open('/settings');
    await open('/library');
    await open('/search');
    expect(navigate).toHaveBeenCalledTimes(3);
    expect(transitions).toHaveLength(count);
  });
});
