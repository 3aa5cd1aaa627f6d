import { expect, it } from 'vitest';
import { createEngineBench } from '#web/player/testing/engine-bench.ts';
import { buildPreview, buildTrack } from '#web/testing/build-track.ts';
import { continuePreview } from './play-once-full.ts';

/** A visitor hears the preview, which starts at 60, up to a second of it. */
function listenTo(seconds: number) {
  const bench = createEngineBench();
  bench.engine.playTracks([buildPreview('a')]);
  bench.sound();
  bench.reach(seconds);
  return bench;
}

it('after a login, a preview that has ended continues in full', () => {
  const { engine, state } = listenTo(20);
  expect(state()).toMatchObject({ isPlaying: false, currentTime: 20 });
  continuePreview(engine, 'a');
  engine.setSubscriber(true);
  expect(state().isStarting).toBe(false);
  engine.refreshTrack(buildTrack('a'));
  expect(state()).toMatchObject({ isStarting: true, currentTime: 80 });
});

it('one that is still playing needs no help', () => {
  const { engine, state, output } = listenTo(8);
  continuePreview(engine, 'a');
  engine.setSubscriber(true);
  engine.refreshTrack(buildTrack('a'));
  expect(state()).toMatchObject({ isStarting: true, currentTime: 68 });
  expect(output.loads).toHaveLength(2);
});

it('one that was paused, or another track, stays silent', () => {
  const paused = listenTo(8);
  paused.engine.pause();
  continuePreview(paused.engine, 'a');
  const other = listenTo(20);
  continuePreview(other.engine, 'b');
  for (const { engine, state } of [paused, other]) {
    engine.setSubscriber(true);
    engine.refreshTrack(buildTrack('a'));
    expect(state()).toMatchObject({ isStarting: false, isPlaying: false });
  }
});
