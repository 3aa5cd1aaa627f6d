import { describe, expect, it, vi } from 'vitest';
import { createPageTransition } from './page-transition.ts';

type Options = {
  isReduced?: boolean;
  hasTransitions?: boolean;
  captureMs?: number;
  activeElement?: object;
};

/** A window in which the old page is remembered after `captureMs`. */
function openWindow(options: Options = {}) {
  const { isReduced = false, hasTransitions = true, captureMs = 10, activeElement } = options;
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
        now += captureMs;
        update();
        return { ready: Promise.reject(new Error('skipped')), finished: Promise.resolve() };
      },
    }),
  };
  const page = {
    document,
    location: { href: 'https://site.example/top-20', pathname: '/top-20' },
    matchMedia: () => ({ matches: isReduced }),
    performance: { now: () => now },
  };
  return { transitions, show: createPageTransition(page as never) };
}

describe('another page', () => {
  it('appears with a transition', () => {
    const { transitions, show } = openWindow();
    const navigate = vi.fn<() => void>();
    show('/track/1', navigate);
    expect(navigate).toHaveBeenCalledOnce();
    expect(transitions).toHaveLength(1);
  });

  it.each([
    ['someone asked for less motion', { isReduced: true }, '/library'],
    ['the browser has no transitions', { hasTransitions: false }, '/library'],
    ['only the query string changes', {}, '/top-20?week=2026-W40'],
  ])('appears at once if %s', (_when, options, to) => {
    const { transitions, show } = openWindow(options);
    const navigate = vi.fn<() => void>();
    show(to, navigate);
    expect(navigate).toHaveBeenCalledOnce();
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

  it('appears at once on a device that was slow the first time', () => {
    const { transitions, show } = openWindow({ captureMs: 200 });
    const navigate = vi.fn<() => void>();
    show('/library', navigate);
    show('/search', navigate);
    expect(navigate).toHaveBeenCalledTimes(2);
    expect(transitions).toHaveLength(1);
  });
});
