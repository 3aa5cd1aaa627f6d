import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOverlayHistory } from './overlay-history.ts';

type Entry = { url: string; state: unknown };

/** A browser's history: going back or forward happens later, everything else at once. */
class FakeHistory {
  entries: Entry[] = [{ url: '/', state: null }];
  index = 0;
  scrollRestoration: ScrollRestoration = 'auto';
  listeners: (() => void)[] = [];

  get state(): unknown {
    return this.entries[this.index]?.state;
  }
  get url(): string {
    return this.entries[this.index]?.url ?? '';
  }
  pushState(state: unknown, _title: string, url = this.url): void {
    this.entries = [...this.entries.slice(0, this.index + 1), { url, state }];
    this.index += 1;
  }
  go(delta: number): void {
    setImmediate(() => {
      if (!this.entries[this.index + delta]) return;
      this.index += delta;
      for (const listener of this.listeners) listener();
    });
  }
}

function openBrowser(history = new FakeHistory()) {
  const page = {
    history: history as unknown as History,
    addEventListener: (_type: string, listener: () => void) => history.listeners.push(listener),
  };
  const overlays = createOverlayHistory(page as unknown as Window);
  const open: { name: string; close: () => void }[] = [];
  let count = 0;
  /** Every going back may cause another. */
  const settle = async () => {
    for (let i = 0; i < 6; i += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    history,
    settle,
    openNames: () => open.map(({ name }) => name),
    open(name = `overlay ${++count}`): void {
      const remove = overlays.add(() => overlay.close());
      const overlay = {
        name,
        close: () => {
          open.splice(open.indexOf(overlay), 1);
          remove();
        },
      };
      open.push(overlay);
    },
    close: (index: number) => open.at(index)?.close(),
    visit: (url: string) => overlays.leave(() => history.pushState(null, '', url)),
    redirect: (url: string) => overlays.leave(() => history.pushState(null, '', url), true),
    back: () => history.go(-1),
    forward: () => history.go(1),
  };
}

describe('Back', () => {
  it('closes one overlay after the other, and then leaves the page', async () => {
    const browser = openBrowser();
    browser.visit('/track');
    browser.open('player');
    await browser.settle();
    browser.open('menu');
    await browser.settle();
    browser.back();
    await browser.settle();
    expect(browser.openNames()).toEqual(['player']);
    browser.back();
    await browser.settle();
    expect(browser.openNames()).toEqual([]);
    expect(browser.history.url).toBe('/track');
    browser.back();
    await browser.settle();
    expect(browser.history.url).toBe('/');
  });

  it('leaves the page when an overlay was closed in another way', async () => {
    const browser = openBrowser();
    browser.visit('/track');
    browser.open();
    await browser.settle();
    browser.close(0);
    await browser.settle();
    browser.back();
    await browser.settle();
    expect(browser.history.url).toBe('/');
  });

  it('returns to the page on which a link inside an overlay was followed', async () => {
    const browser = openBrowser();
    browser.open('queue');
    browser.open('menu');
    await browser.settle();
    browser.visit('/track');
    await browser.settle();
    expect(browser.openNames()).toEqual([]);
    expect(browser.history.entries.map(({ url }) => url)).toEqual(['/', '/track']);
    browser.back();
    await browser.settle();
    expect(browser.history.url).toBe('/');
  });

  it('works for a dialog that opens as a menu closes, with the entry of the menu', async () => {
    const browser = openBrowser();
    browser.open('menu');
    await browser.settle();
    browser.close(0);
    browser.open('dialog');
    await browser.settle();
    expect(browser.history.entries).toHaveLength(2);
    browser.back();
    await browser.settle();
    expect(browser.openNames()).toEqual([]);
  });

  it('does not scroll the page that the overlay covered, and restores the scroll of others', async () => {
    const browser = openBrowser();
    browser.open();
    await browser.settle();
    expect(browser.history.scrollRestoration).toBe('manual');
    browser.back();
    await browser.settle();
    expect(browser.history.scrollRestoration).toBe('auto');
  });

  it('opens the page that was asked for, not the redirect of the page that is being left', async () => {
    const browser = openBrowser();
    browser.open();
    await browser.settle();
    browser.visit('/');
    browser.redirect('/login');
    await browser.settle();
    expect(browser.history.url).toBe('/');
    browser.redirect('/login');
    await browser.settle();
    expect(browser.history.url).toBe('/login');
  });

  it('waits for an overlay that is closing before a page is visited', async () => {
    const browser = openBrowser();
    browser.open();
    await browser.settle();
    browser.close(0);
    await Promise.resolve();
    browser.visit('/playlists/new');
    await browser.settle();
    expect(browser.history.entries.map(({ url }) => url)).toEqual(['/', '/playlists/new']);
  });
});

it('Forward does not open a closed overlay, nor leave an entry to go back from', async () => {
  const browser = openBrowser();
  browser.open();
  await browser.settle();
  browser.back();
  await browser.settle();
  browser.forward();
  await browser.settle();
  expect(browser.openNames()).toEqual([]);
  expect(browser.history.index).toBe(0);
});

it('a reload removes the entry of an open overlay', async () => {
  const history = new FakeHistory();
  const browser = openBrowser(history);
  browser.open();
  await browser.settle();
  history.listeners = [];
  const reloaded = openBrowser(history);
  await reloaded.settle();
  expect(history.index).toBe(0);
  reloaded.open();
  await reloaded.settle();
  expect(history.entries).toHaveLength(2);
});

type Step = { act: 'open' | 'close' | 'back' | 'forward' | 'visit'; isQuick: boolean };

it('whatever the user does, there is one entry per open overlay and per visited page', async () => {
  const steps = fc.array(
    fc.record<Step>({
      act: fc.constantFrom('open', 'close', 'back', 'forward', 'visit'),
      isQuick: fc.boolean(),
    }),
    { maxLength: 14 },
  );
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(3), async (all, which) => {
      const browser = openBrowser();
      const { history } = browser;
      let pages = 0;
      for (const { act, isQuick } of all) {
        if (act === 'open') browser.open();
        if (act === 'close') browser.close(which % Math.max(1, browser.openNames().length));
        if (act === 'visit') browser.visit(`/page-${++pages}`);
        if (act === 'back') browser.back();
        if (act === 'forward') browser.forward();
        // Programs are quick, people are not.
        if (!isQuick || act === 'back' || act === 'forward') await browser.settle();
      }
      await browser.settle();
      const below = history.entries.slice(0, history.index + 1);
      const overlays = browser.openNames().length;
      expect(history.state).toEqual(overlays > 0 ? { overlays } : null);
      expect(below.slice(below.length - overlays).map(({ url }) => url)).toEqual(
        Array.from({ length: overlays }, () => history.url),
      );
      // Nothing but pages below, each once.
      const urls = below.slice(0, below.length - overlays).map(({ url }) => url);
      expect(new Set(urls).size).toBe(urls.length);
    }),
  );
});
