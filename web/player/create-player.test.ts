import { describe, expect, it } from 'vitest';
import { shouldSaveData, type Connection } from '#contract/rules/connection.ts';
import { createPlayer, type PlayerPorts } from './create-player.ts';
import { DATA_SAVER_KEY } from './session/data-saver.ts';
import { PLAYER_KEY } from './session/persistence.ts';
import { createStoredResumePositions, POSITIONS_KEY } from './session/resume-positions.ts';
import { createMemoryStorage } from './testing/memory-storage.ts';
import { buildTrack } from '../testing/build-track.ts';
import { createSimulatedClock } from './testing/simulated-clock.ts';
import { createSimulatedOutput, settle } from './testing/simulated-output.ts';

const a = buildTrack('a');

function openPage(storage = createMemoryStorage(), connection?: Connection) {
  const output = createSimulatedOutput();
  const clock = createSimulatedClock();
  const leaveCallbacks = new Set<() => void>();
  const returnCallbacks = new Set<() => void>();
  const visitDeletedCallbacks = new Set<() => void>();
  const lineCallbacks = new Set<() => void>();
  const line = { connection };
  const recorded: string[] = [];
  const listened: number[] = [];
  const outdated: string[] = [];
  const ports: PlayerPorts = {
    output,
    spare: createSimulatedOutput(),
    clock,
    storage,
    positions: createStoredResumePositions(storage),
    tabs: null,
    mediaSession: null,
    shouldSaveData: () => shouldSaveData(line.connection),
    onLineChange(callback) {
      lineCallbacks.add(callback);
      return () => lineCallbacks.delete(callback);
    },
    isOnline: () => true,
    announcePreviewEnd: () => {},
    onLeave(callback) {
      leaveCallbacks.add(callback);
      return () => leaveCallbacks.delete(callback);
    },
    onVisitDeleted(callback) {
      visitDeletedCallbacks.add(callback);
      return () => visitDeletedCallbacks.delete(callback);
    },
    onReturn(callback) {
      returnCallbacks.add(callback);
      return () => returnCallbacks.delete(callback);
    },
    log: () => {},
  };
  const player = createPlayer(ports, {
    recordPlay: async ({ id }) => ({ playId: `play ${recorded.push(id)}` }),
    sendHeartbeat: async (_, { secondsListened }) => void listened.push(secondsListened),
    requestFreshTracks: (tracks) => void outdated.push(...tracks.map(({ id }) => id)),
    announceFailure: () => {},
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
    leaveCallbacks,
    returnCallbacks,
    visitDeletedCallbacks,
    recorded,
    listened,
    outdated,
    sound,
    listenFor,
    moveTo(next: Connection) {
      line.connection = next;
      for (const callback of lineCallbacks) callback();
    },
    isDataSaver: () => player.store.get().isDataSaver,
  };
}

describe('the player as a whole', () => {
  it('resumes the same track at the same second after a reload', () => {
    const first = openPage();
    first.player.playTracks([a]);
    first.sound();
    first.listenFor(60);
    for (const leave of first.leaveCallbacks) leave();
    const second = openPage(first.storage);
    expect(second.player.store.get()).toMatchObject({ currentTrack: a, currentTime: 60 });
    second.player.play();
    second.sound();
    expect(second.output.seeks).toEqual([60]);
  });

  it('requests fresh copies of the restored tracks', async () => {
    const first = openPage();
    first.player.playTracks([a, buildTrack('b'), a]);
    first.player.dispose();
    const second = openPage(first.storage);
    await settle();
    expect(second.outdated).toEqual(['a', 'b']);
  });

  it('resumes a track where it was left for another one', () => {
    const { player, output, sound, listenFor } = openPage();
    player.playTracks([a]);
    sound();
    listenFor(60);
    player.playTracks([buildTrack('b')]);
    sound();
    player.playTracks([a]);
    sound();
    expect(output.seeks).toEqual([60]);
  });

  it('starts a finished track from the beginning', () => {
    const { player, output, sound, listenFor } = openPage();
    const started = buildTrack('a', {
      progress: { position: 100, listened: 100, listenedAt: 0, isFinished: false },
    });
    player.playTracks([started]);
    sound();
    expect(output.seeks).toEqual([100]);
    listenFor(5);
    output.emit({ type: 'ended' });
    player.playTracks([started]);
    sound();
    expect(output.seeks).toEqual([100]);
  });

  it('reports the listening time when the page closes', async () => {
    const { player, sound, listenFor, leaveCallbacks, recorded, listened } = openPage();
    player.playTracks([a]);
    sound();
    listenFor(4);
    for (const leave of leaveCallbacks) leave();
    await settle();
    expect([recorded, listened]).toEqual([['a'], [4]]);
  });

  describe('with another device', () => {
    /** The server's copy after another device played to `seconds`. */
    const playedElsewhere = (seconds: number, listenedAt: number) =>
      buildTrack('a', {
        progress: { position: seconds, listened: seconds, listenedAt, isFinished: false },
      });

    function pauseAt60() {
      const page = openPage();
      page.player.playTracks([a]);
      page.sound();
      page.listenFor(60);
      page.player.pause();
      return page;
    }

    it('resumes where the other device stopped when the page is visible again', () => {
      const { player, output, clock, outdated, returnCallbacks } = pauseAt60();
      for (const comeBack of returnCallbacks) comeBack();
      expect(outdated).toEqual(['a']);
      player.refreshTrack(playedElsewhere(200, clock.now() + 60_000));
      expect(player.store.get().currentTime).toBe(200);
      expect(output.seeks).toEqual([200]);
    });

    it('resumes there after a reload, once the user is known', () => {
      const { player: first, storage, clock } = pauseAt60();
      first.dispose();
      const { player, output, sound } = openPage(storage);
      player.setSubscriber(false);
      player.refreshTrack(playedElsewhere(200, clock.now() + 60_000));
      expect(player.store.get().currentTime).toBe(60);
      player.setSubscriber(true);
      player.play();
      sound();
      expect(output.seeks).toEqual([200]);
    });

    it('keeps its position if the other device only started the track', () => {
      const { player, clock } = pauseAt60();
      player.refreshTrack(playedElsewhere(0, clock.now() + 60_000));
      player.refreshTrack(playedElsewhere(14, clock.now() + 60_000));
      expect(player.store.get().currentTime).toBe(60);
    });

    it('keeps the restored position after a payment, whatever was reported before it', () => {
      const { player, clock } = openPage();
      player.setSubscriber(true);
      player.restore({ queue: [a], currentTrackIndex: 0, currentTrack: a, currentTime: 30 });
      player.refreshTrack(playedElsewhere(200, clock.now() - 1));
      expect(player.store.get().currentTime).toBe(30);
    });

    it('keeps its position if it was moved later or is playing', () => {
      const { player, clock, sound } = pauseAt60();
      player.seek(90);
      player.refreshTrack(playedElsewhere(200, clock.now() - 1));
      expect(player.store.get().currentTime).toBe(90);
      player.play();
      sound();
      player.refreshTrack(playedElsewhere(200, clock.now() + 60_000));
      expect(player.store.get().currentTime).toBe(90);
    });
  });

  it('leaves nothing running after dispose', () => {
    const { player, output, clock, leaveCallbacks, returnCallbacks, sound, storage } = openPage();
    player.playTracks([a]);
    sound();
    player.setSleepTimer({ minutes: 10 });
    player.setVolume(0.2);
    player.dispose();
    expect(clock.pending()).toBe(0);
    expect([leaveCallbacks.size, returnCallbacks.size]).toEqual([0, 0]);
    expect(output.calls.at(-1)).toBe('dispose');
    expect(storage.getItem(PLAYER_KEY)).toContain('"volume":0.2');
  });

  it('closes and deletes everything when the user logs out in another tab', () => {
    const { player, sound, listenFor, storage, clock, visitDeletedCallbacks, leaveCallbacks } =
      openPage();
    player.playTracks([a, buildTrack('b')]);
    sound();
    listenFor(60);
    storage.removeItem(PLAYER_KEY);
    for (const forget of visitDeletedCallbacks) forget();
    expect(player.store.get()).toMatchObject({ currentTrack: null, queue: [], isPlaying: false });
    clock.advance(1000);
    for (const leave of leaveCallbacks) leave();
    expect(storage.getItem(PLAYER_KEY)).toBeNull();
    expect(storage.getItem(POSITIONS_KEY)).toBeNull();
    player.dispose();
    expect(visitDeletedCallbacks.size).toBe(0);
  });

  it('deletes the saved visit on request', () => {
    const { player, sound, storage } = openPage();
    player.playTracks([a]);
    sound();
    player.setSleepTimer({ minutes: 10 });
    player.close();
    player.forgetVisit();
    expect(player.store.get().sleepTimer).toBeNull();
    player.dispose();
    expect(storage.getItem(PLAYER_KEY)).toBeNull();
    expect(storage.getItem(POSITIONS_KEY)).toBeNull();
  });
});

describe('data saver', () => {
  const mobile: Connection = { type: 'cellular' };
  const wifi: Connection = { type: 'wifi' };

  it('turns itself on and off with the line, from the first file on', () => {
    const page = openPage(undefined, mobile);
    page.player.setTrack(a);
    expect(page.output.loads).toEqual([a.dataSaverUrl]);
    page.moveTo(wifi);
    page.player.setTrack(buildTrack('b'));
    expect(page.output.loads.at(-1)).toBe(buildTrack('b').fileUrl);
    page.player.dispose();
    page.moveTo(mobile);
    expect(page.isDataSaver()).toBe(false);
  });

  it.each(['always', 'never'])('is %s where somebody chose that, whatever the line', (choice) => {
    const storage = createMemoryStorage();
    storage.setItem(DATA_SAVER_KEY, choice);
    const page = openPage(storage, mobile);
    for (const next of [wifi, mobile]) {
      page.moveTo(next);
      expect(page.isDataSaver()).toBe(choice === 'always');
    }
    page.player.forgetVisit();
    expect(openPage(storage, mobile).isDataSaver()).toBe(choice === 'always');
  });

  it('stays on for who turned it on in an earlier version', () => {
    const storage = createMemoryStorage();
    storage.setItem(PLAYER_KEY, JSON.stringify({ version: 1, isDataSaver: true }));
    expect(openPage(storage, wifi).isDataSaver()).toBe(true);
    storage.setItem(DATA_SAVER_KEY, 'auto');
    expect(openPage(storage, wifi).isDataSaver()).toBe(false);
  });

  it('follows the line where what is stored is no choice', () => {
    const storage = createMemoryStorage();
    storage.setItem(DATA_SAVER_KEY, 'sometimes');
    expect(openPage(storage, mobile).isDataSaver()).toBe(true);
    expect(openPage(storage, wifi).isDataSaver()).toBe(false);
  });
});
