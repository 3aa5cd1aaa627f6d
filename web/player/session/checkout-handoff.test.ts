import { describe, expect, it } from 'vitest';
import {
  CHECKOUT_HANDOFF_KEY,
  saveCheckoutHandoff,
  popCheckoutHandoff,
} from './checkout-handoff.ts';
import { initialPlayerState, type PlayerState } from '#web/player/store.ts';
import { createMemoryStorage } from '#web/player/testing/memory-storage.ts';
import { buildPreview } from '#web/testing/build-track.ts';
import { HOUR } from '#contract/rules/time.ts';

const NOW = 1_800_000_000_000;
const preview = buildPreview('a');
const listening = (change: Partial<PlayerState> = {}): PlayerState => ({
  ...initialPlayerState,
  currentTrack: preview,
  queue: [preview, buildPreview('b')],
  currentTrackIndex: 0,
  currentTime: 20,
  duration: 300,
  ...change,
});

describe('the checkout handoff', () => {
  it('returns the track, the queue and the position, once', () => {
    const storage = createMemoryStorage();
    saveCheckoutHandoff(storage, listening(), 'thandi', NOW);
    const handoff = popCheckoutHandoff(storage, 'thandi', NOW + 5000);
    expect(handoff?.player).toMatchObject({
      currentTrack: preview,
      currentTime: 20,
      duration: 300,
    });
    expect(handoff?.player.queue.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(popCheckoutHandoff(storage, 'thandi', NOW + 5000)).toBeNull();
  });

  it.each([
    ['a preview that came to its end', listening(), true],
    ['one that was playing', listening({ currentTime: 8, isPlaying: true }), true],
    ['one that was paused', listening({ currentTime: 8 }), false],
  ])('continues automatically after %s: %s', (_, state, isInterrupted) => {
    const storage = createMemoryStorage();
    saveCheckoutHandoff(storage, state, 'thandi', NOW);
    expect(popCheckoutHandoff(storage, 'thandi', NOW)).toMatchObject({ isInterrupted });
  });

  it.each([
    ['another user', 'lerato', NOW],
    ['the same user an hour later', 'thandi', NOW + HOUR],
  ])('returns nothing for %s', (_, owner, now) => {
    const storage = createMemoryStorage();
    saveCheckoutHandoff(storage, listening(), 'thandi', NOW);
    expect(popCheckoutHandoff(storage, owner, now)).toBeNull();
  });

  it('is deleted when there is no current track', () => {
    const storage = createMemoryStorage();
    saveCheckoutHandoff(storage, listening(), 'thandi', NOW);
    saveCheckoutHandoff(storage, initialPlayerState, 'thandi', NOW);
    expect(storage.getItem(CHECKOUT_HANDOFF_KEY)).toBeNull();
  });

  it.each(['null', '{', '{"version":1,"owner":"thandi"}', '{"version":1,"owner":"thandi","at":0}'])(
    'returns nothing when the storage contains %s',
    (text) => {
      const storage = createMemoryStorage();
      storage.setItem(CHECKOUT_HANDOFF_KEY, text);
      expect(popCheckoutHandoff(storage, 'thandi', 1)).toBeNull();
    },
  );
});
