import { describe, expect, it } from 'vitest';
import { connectMediaSessionLater } from '#web/player/create-player.ts';
import { connectMediaSession } from './media-session.ts';
import { createEngineBench } from '#web/player/testing/engine-bench.ts';
import { buildTrack } from '#web/testing/build-track.ts';

const a = buildTrack('a');

/** A device's media session that knows every action but one. */
function createSession(unknownAction?: string) {
  const handlers = new Map<string, MediaSessionActionHandler | null>();
  const positions: (MediaPositionState | undefined)[] = [];
  const session: MediaSession = {
    metadata: null,
    playbackState: 'none',
    setActionHandler(action, handler) {
      if (action === unknownAction) throw new TypeError(`unknown action ${action}`);
      handlers.set(action, handler);
    },
    setPositionState(position) {
      if (position && (position.position ?? 0) > (position.duration ?? 0))
        throw new TypeError('position past the duration');
      positions.push(position);
    },
    setCameraActive: async () => {},
    setMicrophoneActive: async () => {},
  };
  const act = (action: MediaSessionAction, details: Partial<MediaSessionActionDetails> = {}) =>
    handlers.get(action)?.({ action, ...details });
  return { session, handlers, positions, act };
}

const describeSite = (session: MediaSession) => ({
  session,
  artist: 'The Site',
  createMetadata: (init: MediaMetadataInit) => init as MediaMetadata,
});

function connect(unknownAction?: string) {
  const bench = createEngineBench();
  const device = createSession(unknownAction);
  const disconnect = connectMediaSession(bench.engine, describeSite(device.session));
  bench.engine.setSubscriber(true);
  bench.engine.playTracks([a, buildTrack('b', { coverUrl: null })]);
  bench.sound();
  return { ...bench, ...device, disconnect };
}

describe('the media session', () => {
  it('starts when playback first starts', async () => {
    const { engine, sound } = createEngineBench();
    const { session } = createSession();
    const disconnect = connectMediaSessionLater(engine, describeSite(session));
    engine.playTracks([a]);
    expect(session.playbackState).toBe('none');
    sound();
    await expect.poll(() => session.playbackState).toBe('playing');
    disconnect();
    expect(session.playbackState).toBe('none');
  });

  it('shows title, site, week and artwork', () => {
    const { session, engine } = connect();
    expect(session.metadata).toEqual({
      title: 'Mix a',
      artist: 'The Site',
      album: 'Week 46',
      artwork: [{ src: '/media/covers/a.webp' }],
    });
    engine.skipToNext();
    expect(session.metadata?.artwork, 'Its drawn sleeve').toEqual([
      { src: '/media/sleeves/b-square.png', sizes: '512x512', type: 'image/png' },
    ]);
    engine.playTracks([buildTrack('c', { coverUrl: null, unreleased: 'draft' })]);
    expect(session.metadata?.artwork, 'Nobody may load its sleeve yet').toEqual([]);
  });

  it('shows whether it plays, and the position', () => {
    const { session, engine, positions, reach } = connect();
    expect(session.playbackState).toBe('playing');
    reach(30);
    expect(positions.at(-1)).toEqual({ duration: 300, position: 30, playbackRate: 1 });
    engine.pause();
    expect(session.playbackState).toBe('paused');
    engine.close();
    expect(session).toMatchObject({ playbackState: 'none', metadata: null });
    expect(positions.at(-1)).toBeUndefined();
  });

  it('updates the position once a second, not at every tick', () => {
    const { positions, reach } = connect();
    reach(30);
    const updates = positions.length;
    for (const time of [30.25, 30.5, 30.75]) reach(time);
    expect(positions.length).toBe(updates);
    reach(31);
    expect(positions.length).toBe(updates + 1);
  });

  it('is as long as the preview for a free user', () => {
    const { engine, positions } = connect();
    engine.setSubscriber(false);
    expect(positions.at(-1)).toMatchObject({ duration: 20 });
  });

  it('handles every action', () => {
    const { act, state, output } = connect();
    act('pause');
    expect(state().isPlaying).toBe(false);
    act('play');
    output.emit({ type: 'playing' });
    expect(state().isPlaying).toBe(true);
    act('seekto', { seekTime: 100 });
    act('seekforward');
    expect(state().currentTime).toBe(110);
    act('seekbackward', { seekOffset: 30 });
    expect(state().currentTime).toBe(80);
    act('nexttrack');
    expect(state().currentTrackIndex).toBe(1);
    act('previoustrack');
    expect(state().currentTrackIndex).toBe(0);
    act('stop');
    expect(state()).toMatchObject({ isStarting: false, isPlaying: false, currentTime: 0 });
  });

  it('offers the other actions if the browser lacks one, and none after disconnecting', () => {
    const { handlers, disconnect, session } = connect('seekto');
    expect(handlers.get('nexttrack')).toBeTypeOf('function');
    disconnect();
    expect([...handlers.values()].every((handler) => handler === null)).toBe(true);
    expect(session.playbackState).toBe('none');
  });
});
