import { describe, expect, it } from 'vitest';
import { createPlayer, type PlayerPorts } from './create-player.ts';
import { PLAYER_KEY } from './persistence.ts';
import { createStoredPositions } from './resume-storage.ts';
import { createMemoryStorage } from './testing/memory-storage.ts';
import { makeTrack } from './testing/sample-tracks.ts';
import { createSimulatedClock } from './testing/simulated-clock.ts';
import { createSimulatedOutput, settle } from './testing/simulated-output.ts';

const a = makeTrack('a');

function openPage(storage = createMemoryStorage()) {
  const output = createSimulatedOutput();
  const clock = createSimulatedClock();
  const leaveListeners = new Set<() => void>();
  const recorded: string[] = [];
  const heard: number[] = [];
  const outdated: string[] = [];
  const ports: PlayerPorts = {
    output,
    spare: createSimulatedOutput(),
    clock,
    storage,
    positions: createStoredPositions(storage),
    tabs: null,
    mediaSession: null,
    fetchAhead: async () => {},
    announcePreviewEnd: () => {},
    onLeave(listener) {
      leaveListeners.add(listener);
      return () => leaveListeners.delete(listener);
    },
    log: () => {},
  };
  const player = createPlayer(ports, {
    recordPlay: async ({ id }) => ({ playId: `play ${recorded.push(id)}` }),
    sendHeartbeat: async (_, { secondsHeard }) => void heard.push(secondsHeard),
    requestFreshTracks: (tracks) => void outdated.push(...tracks.map(({ id }) => id)),
  });
  player.setSubscriber(true);
  const listenFor = (seconds: number) => {
    for (let second = 0; second <= seconds; second += 1) {
      output.emit({ type: 'timeupdate', time: second });
      clock.advance(1000);
    }
  };
  const sound = () => {
    output.emit({ type: 'loadedmetadata', duration: 300 });
    output.emit({ type: 'playing' });
  };
  return {
    player,
    output,
    clock,
    storage,
    leaveListeners,
    recorded,
    heard,
    outdated,
    sound,
    listenFor,
  };
}

describe('the player as a whole', () => {
  it('goes on after a reload with the same track at the same second', () => {
    const first = openPage();
    first.player.playTracks([a]);
    first.sound();
    first.listenFor(60);
    for (const leave of first.leaveListeners) leave();
    const second = openPage(first.storage);
    expect(second.player.store.get()).toMatchObject({ currentTrack: a, currentTime: 60 });
    second.player.play();
    second.sound();
    expect(second.output.seeks).toEqual([60]);
  });

  it('asks for fresh copies of what it kept', async () => {
    const first = openPage();
    first.player.playTracks([a, makeTrack('b'), a]);
    first.player.dispose();
    const second = openPage(first.storage);
    await settle();
    expect(second.outdated).toEqual(['a', 'b']);
  });

  it('takes a track up again where the listener left it for another', () => {
    const { player, output, sound, listenFor } = openPage();
    player.playTracks([a]);
    sound();
    listenFor(60);
    player.playTracks([makeTrack('b')]);
    sound();
    player.playTracks([a]);
    sound();
    expect(output.seeks).toEqual([60]);
  });

  it('tells what was heard when the page goes', async () => {
    const { player, sound, listenFor, leaveListeners, recorded, heard } = openPage();
    player.playTracks([a]);
    sound();
    listenFor(4);
    for (const leave of leaveListeners) leave();
    await settle();
    expect([recorded, heard]).toEqual([['a'], [4]]);
  });

  it('leaves nothing running once it is disposed of', () => {
    const { player, output, clock, leaveListeners, sound, storage } = openPage();
    player.playTracks([a]);
    sound();
    player.setSleepTimer({ minutes: 10 });
    player.setVolume(0.2);
    player.dispose();
    expect(clock.pending()).toBe(0);
    expect(leaveListeners.size).toBe(0);
    expect(output.calls.at(-1)).toBe('dispose');
    expect(storage.getItem(PLAYER_KEY)).toContain('"volume":0.2');
  });

  it('forgets the visit when asked to', () => {
    const { player, sound, storage } = openPage();
    player.playTracks([a]);
    sound();
    player.close();
    player.forgetVisit();
    player.dispose();
    expect(storage.getItem(PLAYER_KEY)).toBeNull();
  });
});
