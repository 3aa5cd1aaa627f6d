import { describe, expect, it } from 'vitest';
import { createLive } from './live.ts';

class FakeSource extends EventTarget {
  isClosed = false;
  close() {
    this.isClosed = true;
  }
  say(data: string) {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
}

function open() {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' as const });
  const sources: FakeSource[] = [];
  const live = createLive({
    page,
    connect: () => {
      const source = new FakeSource();
      sources.push(source);
      return source as unknown as EventSource;
    },
  });
  const show = (visibilityState: 'visible' | 'hidden') => {
    Object.assign(page, { visibilityState });
    page.dispatchEvent(new Event('visibilitychange'));
  };
  return { live, sources, show };
}

describe('the signal stream', () => {
  it('is shared by all subscribers and closes with the last one', () => {
    const { live, sources } = open();
    const received: string[] = [];
    const stop = live.watchSignals((topic) => received.push(`a ${topic}`));
    const stopOther = live.watchSignals((topic) => received.push(`b ${topic}`));
    sources[0]?.say('me');
    stop();
    sources[0]?.say('admin:tracks');
    expect(received).toEqual(['a me', 'b me', 'b admin:tracks']);
    stopOther();
    expect(sources.map(({ isClosed }) => isClosed)).toEqual([true]);
  });

  it('closes while the page is hidden, then signals that anything may have changed', () => {
    const { live, sources, show } = open();
    const received: string[] = [];
    live.watchSignals((topic) => received.push(topic));
    sources[0]?.dispatchEvent(new Event('open'));
    show('hidden');
    expect(sources[0]?.isClosed).toBe(true);
    show('visible');
    sources[1]?.dispatchEvent(new Event('open'));
    expect([sources.length, received]).toEqual([2, ['all']]);
  });

  it('signals that anything may have changed after a reconnect', () => {
    const { live, sources } = open();
    const received: string[] = [];
    live.watchSignals((topic) => received.push(topic));
    sources[0]?.dispatchEvent(new Event('open'));
    sources[0]?.dispatchEvent(new Event('open'));
    expect(received).toEqual(['all']);
  });
});
