import { describe, expect, it } from 'vitest';
import { isLaterStart, pauseOtherTabs, parseTabStart, type TabsChannel } from './tabs.ts';
import { createEngineBench } from '#web/player/testing/engine-bench.ts';
import { buildTrack } from '#web/testing/build-track.ts';

/** A channel that delivers on request, so that messages can cross. */
function createChannels() {
  const listeners: { from: number; listen: (event: { data: unknown }) => void }[] = [];
  let inFlight: { from: number; data: unknown }[] = [];
  const openChannel = (from: number): TabsChannel => ({
    postMessage: (data) => void inFlight.push({ from, data }),
    addEventListener: (_, listen) => void listeners.push({ from, listen }),
    close: () => {},
  });
  function deliver(): number {
    const messages = inFlight;
    inFlight = [];
    for (const message of messages)
      for (const { from, listen } of listeners) if (from !== message.from) listen(message);
    return messages.length;
  }
  return { openChannel, deliver };
}

function openTabs() {
  const channels = createChannels();
  const tabs = [0, 1].map((number) => {
    const bench = createEngineBench();
    const { store, pause } = bench.engine;
    const channel = channels.openChannel(number);
    pauseOtherTabs({ store, pause, channel, tab: `tab ${number}`, clock: bench.clock });
    bench.engine.setSubscriber(true);
    const start = () => {
      bench.engine.playTracks([buildTrack('a')]);
      bench.sound();
    };
    return { ...bench, start };
  });
  const playing = () => tabs.map(({ state }) => state().isPlaying);
  const [first, second] = tabs as [(typeof tabs)[0], (typeof tabs)[0]];
  return { first, second, playing, deliver: channels.deliver };
}

describe('several tabs', () => {
  it('starting one pauses the other, which does not reply', () => {
    const { first, second, playing, deliver } = openTabs();
    first.start();
    deliver();
    second.clock.advance(5000);
    second.start();
    deliver();
    expect(playing()).toEqual([false, true]);
    expect(deliver()).toBe(0);
  });

  it('the user can resume in the first tab', () => {
    const { first, second, playing, deliver } = openTabs();
    first.start();
    deliver();
    second.clock.advance(1);
    second.start();
    deliver();
    first.clock.advance(2);
    first.engine.play();
    first.output.emit({ type: 'playing' });
    deliver();
    expect(playing()).toEqual([true, false]);
  });

  it('exactly one keeps playing when both start at the same time', () => {
    const { first, second, playing, deliver } = openTabs();
    first.start();
    second.start();
    deliver();
    expect(playing()).toEqual([false, true]);
  });

  it('a tab that is still loading is paused', () => {
    const { first, second, deliver } = openTabs();
    first.engine.playTracks([buildTrack('a')]);
    second.start();
    deliver();
    expect(first.state().isStarting).toBe(false);
  });

  it('all tabs agree on the order of starts', () => {
    const [early, late] = [
      { tab: 'b', at: 1 },
      { tab: 'a', at: 2 },
    ];
    expect([isLaterStart(late, early), isLaterStart(early, late)]).toEqual([true, false]);
  });

  it.each([null, 'started', {}, { type: 'started' }, { type: 'started', tab: 1, at: 'x' }])(
    'ignores the unknown message %j',
    (message) => expect(parseTabStart(message)).toBeNull(),
  );
});
