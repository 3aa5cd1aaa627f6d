import { describe, expect, it } from 'vitest';
import { createPlayReports, type Heartbeat } from './play-reports.ts';
import { createEngineBench } from '#web/player/testing/engine-bench.ts';
import { buildPreview, buildTrack } from '#web/testing/build-track.ts';
import { settle } from '#web/player/testing/simulated-output.ts';

const a = buildTrack('a');

function createReportBench(recordPlay?: (id: string) => Promise<{ playId: string }>) {
  const bench = createEngineBench();
  const recorded: string[] = [];
  const heartbeats: ({ playId: string } & Heartbeat)[] = [];
  const errors: string[] = [];
  const reported: string[] = [];
  const reports = createPlayReports({
    listeningEvents: bench.engine.listeningEvents,
    clock: bench.clock,
    log: (message) => void errors.push(message),
    recordPlay: ({ id }) => {
      recorded.push(id);
      return recordPlay?.(id) ?? Promise.resolve({ playId: `play ${recorded.length}` });
    },
    sendHeartbeat: async (playId, heartbeat) => void heartbeats.push({ playId, ...heartbeat }),
    onReported: ({ id }) => reported.push(`${id} at ${heartbeats.at(-1)?.position}`),
  });
  /** Plays on for a while, with the four ticks a second of a real element. */
  const listen = (seconds: number) => {
    for (let quarter = 0; quarter < seconds * 4; quarter += 1) {
      bench.clock.advance(250);
      bench.reach(bench.state().currentTime + 0.25);
    }
  };
  return { ...bench, reports, recorded, heartbeats, errors, reported, listen };
}

describe('play reports', () => {
  it('record a play after each start', async () => {
    const { engine, sound, recorded, output } = createReportBench();
    engine.setSubscriber(true);
    engine.playTracks([a]);
    expect(recorded).toEqual([]);
    sound();
    engine.pause();
    engine.play();
    output.emit({ type: 'playing' });
    expect(recorded).toEqual(['a', 'a']);
  });

  it('send a heartbeat with the position every 10 seconds of listening', async () => {
    const { engine, sound, heartbeats, listen, reach } = createReportBench();
    engine.setSubscriber(true);
    engine.playTracks([a]);
    sound();
    reach(0);
    listen(9);
    engine.seek(100);
    reach(100);
    await settle();
    expect(heartbeats).toEqual([]);
    listen(12);
    await settle();
    expect(heartbeats).toEqual([
      { playId: 'play 1', secondsListened: 10, position: 101 },
      { playId: 'play 1', secondsListened: 20, position: 111 },
    ]);
  });

  it('tell the page once the server knows where playback stopped', async () => {
    const { engine, sound, reported, listen, reach } = createReportBench();
    engine.setSubscriber(true);
    engine.playTracks([a]);
    sound();
    reach(0);
    listen(12);
    await settle();
    expect(reported).toEqual([]);
    engine.pause();
    await settle();
    expect(reported).toEqual(['a at 12']);
  });

  it('send the rest at a pause, and keep counting towards the first record', async () => {
    const { engine, sound, heartbeats, listen, reach, output, clock } = createReportBench();
    engine.setSubscriber(true);
    engine.playTracks([a]);
    sound();
    reach(0);
    listen(8);
    engine.pause();
    clock.advance(60_000);
    engine.play();
    output.emit({ type: 'playing' });
    reach(8);
    listen(8);
    engine.close();
    await settle();
    expect(heartbeats.map(({ playId, secondsListened }) => [playId, secondsListened])).toEqual([
      ['play 1', 8],
      ['play 1', 16],
    ]);
  });

  it('count a whole preview, with positions in the full track', async () => {
    const { engine, sound, heartbeats, listen, reach } = createReportBench();
    engine.playTracks([buildPreview('p')]);
    sound();
    reach(0);
    listen(21);
    await settle();
    expect(heartbeats).toEqual([
      { playId: 'play 1', secondsListened: 10, position: 70 },
      { playId: 'play 1', secondsListened: 20, position: 80 },
    ]);
  });

  it('start over with each track', async () => {
    const { engine, sound, heartbeats, listen, reach } = createReportBench();
    engine.setSubscriber(true);
    engine.playTracks([a, buildTrack('b')]);
    sound();
    reach(0);
    listen(6);
    engine.skipToNext();
    sound();
    reach(0);
    listen(10);
    await settle();
    expect(heartbeats.map(({ playId, secondsListened }) => [playId, secondsListened])).toEqual([
      ['play 1', 6],
      ['play 2', 10],
    ]);
  });

  it('only log a failure, and playback continues', async () => {
    const { engine, sound, state, errors, heartbeats, listen, reach } = createReportBench(() =>
      Promise.reject(new Error('offline')),
    );
    engine.setSubscriber(true);
    engine.playTracks([a]);
    sound();
    reach(0);
    listen(11);
    await settle();
    expect(errors).toEqual(['Could not record the play of Mix a']);
    expect(heartbeats).toEqual([]);
    expect(state().isPlaying).toBe(true);
  });
});
