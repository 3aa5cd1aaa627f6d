import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#web/lib/api/api.ts';
import { createStore } from '#web/lib/store/store.ts';
import { stoppedElsewhere } from '#web/player/session/stopped-elsewhere.ts';
import type { PlayerState } from '#web/player/store.ts';
import { stopForOtherDevice } from './site-player.ts';

const SENTENCE = 'You’re listening on another device.';
const error = new ApiError(403, JSON.stringify({ code: 'stream_elsewhere', message: SENTENCE }));

function createPlayer(state: Partial<PlayerState>) {
  return { store: createStore(state as PlayerState), pause: vi.fn<() => void>() };
}
afterEach(() => stoppedElsewhere.set(null));

describe('a report that the server answers with another device', () => {
  it('pauses and shows the server’s sentence', () => {
    const player = createPlayer({ isPlaying: true });
    stopForOtherDevice(player, error);
    expect(player.pause).toHaveBeenCalledOnce();
    expect(stoppedElsewhere.get()).toBe(SENTENCE);
  });

  it('says nothing to someone who has paused meanwhile', () => {
    const player = createPlayer({ isPlaying: false, isStarting: false });
    stopForOtherDevice(player, error);
    expect([player.pause.mock.calls.length, stoppedElsewhere.get()]).toEqual([0, null]);
  });

  it('leaves other errors to the log', () => {
    const other = new ApiError(503, '');
    expect(() => stopForOtherDevice(createPlayer({ isPlaying: true }), other)).toThrow(other);
  });
});
