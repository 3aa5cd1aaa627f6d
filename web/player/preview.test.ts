import { describe, expect, it } from 'vitest';
import {
  positionInTrack,
  selectIsPreviewEnded,
  selectPlayableSeconds,
  timeInFile,
} from './preview-limit.ts';
import { createEngineBench } from './testing/engine-bench.ts';
import { buildPreview, buildTrack } from '../testing/build-track.ts';

const preview = buildPreview('a');
const full = buildTrack('a');
const next = buildPreview('b');

/** A free user plays the first of the tracks. */
function playFree(...tracks: (typeof preview)[]) {
  const bench = createEngineBench();
  bench.engine.playTracks(tracks);
  bench.loadMetadata(tracks[0]?.access === 'preview' ? 19.98 : 300);
  bench.output.emit({ type: 'playing' });
  return bench;
}

describe('a free user', () => {
  it('sees the duration of the whole track, and a bar scaled to min(duration, 20)', () => {
    const { state } = playFree(preview);
    expect(state().duration).toBe(300);
    expect(selectPlayableSeconds(state())).toBe(20);
    expect(selectPlayableSeconds({ duration: 12, isFullTrackAvailable: false })).toBe(12);
    expect(selectPlayableSeconds({ duration: 300, isFullTrackAvailable: true })).toBe(300);
  });

  it.each([
    { what: 'a full file', track: full },
    { what: 'a preview file', track: preview },
  ])('is stopped at 20 seconds of $what, with one event', ({ track }) => {
    const { state, reach, previewEnds, output } = playFree(track, next);
    expect(state()).toMatchObject({ currentTime: 0, isPlaying: true });
    reach(19.9);
    expect(state()).toMatchObject({ currentTime: 19.9, isPlaying: true });
    reach(20.2);
    reach(20.2);
    expect(state()).toMatchObject({ isPlaying: false, currentTime: 20, currentTrackIndex: 0 });
    expect(output.isAskedToPlay).toBe(false);
    expect(selectIsPreviewEnded(state())).toBe(true);
    expect(previewEnds).toEqual(['a']);
  });

  it('reaches the end of the preview when its file ends, and the queue stops', () => {
    const { state, reach, output, previewEnds } = playFree(preview, next);
    reach(19.9);
    output.emit({ type: 'ended' });
    reach(19.98);
    expect(state()).toMatchObject({ currentTrack: preview, isPlaying: false, currentTime: 20 });
    expect(previewEnds).toEqual(['a']);
  });

  it('sees the final state before the event', () => {
    const seen: unknown[] = [];
    const bench = playFree(preview);
    bench.engine.store.subscribe(() => seen.push(bench.previewEnds.length));
    bench.reach(20);
    expect(seen).toEqual([0]);
    expect(bench.previewEnds).toEqual(['a']);
  });

  it('hears a track that is shorter than the preview to its end, then the next', () => {
    const short = buildPreview('s', { duration: 12 });
    const { engine, state, output, previewEnds } = playFree(short, next);
    engine.seek(15);
    expect(state().currentTime).toBe(12);
    output.emit({ type: 'ended' });
    expect(state().currentTrack).toBe(next);
    expect(previewEnds).toEqual([]);
  });

  it('starts the preview over with play', () => {
    const { engine, state, reach, output, previewEnds } = playFree(preview);
    reach(20);
    engine.play();
    output.emit({ type: 'playing' });
    expect(output.seeks).toEqual([0]);
    reach(1);
    expect(state()).toMatchObject({ isPlaying: true, currentTime: 1 });
    reach(20);
    expect(previewEnds).toEqual(['a', 'a']);
  });

  it('cannot seek past 20 seconds, and a seek there while playing ends the preview', () => {
    const { engine, state, previewEnds } = playFree(full);
    engine.seek(12);
    expect(state()).toMatchObject({ currentTime: 12, isPlaying: true });
    engine.seek(250);
    expect(state()).toMatchObject({ currentTime: 20, isPlaying: false });
    expect(previewEnds).toEqual(['a']);
  });

  it('can seek to the end while paused without being asked to pay', () => {
    const { engine, state, previewEnds, output } = playFree(preview);
    engine.pause();
    engine.seek(99);
    output.emit({ type: 'ended' });
    expect(state()).toMatchObject({ currentTime: 20, isPlaying: false });
    expect(previewEnds).toEqual([]);
  });
});

describe('a subscriber', () => {
  it('has the full track and seeks up to its duration', () => {
    const { engine, state, reach, previewEnds, sound } = createEngineBench();
    engine.setSubscriber(true);
    expect(state()).toMatchObject({ isSubscriber: true, isFullTrackAvailable: true });
    engine.playTracks([full]);
    sound();
    reach(250);
    expect(state()).toMatchObject({ isPlaying: true, currentTime: 250 });
    engine.seek(400);
    expect(state().currentTime).toBe(300);
    engine.seek(-5);
    expect(state().currentTime).toBe(0);
    engine.seek(NaN);
    expect(state().currentTime).toBe(0);
    expect(previewEnds).toEqual([]);
  });

  it('can seek before the file is loaded', () => {
    const { engine, output, loadMetadata, state } = createEngineBench();
    engine.setSubscriber(true);
    engine.setTrack(full);
    engine.seek(100);
    expect(output.seeks).toEqual([]);
    loadMetadata();
    expect(output.seeks).toEqual([100]);
    expect(state().currentTime).toBe(100);
  });

  it('is stopped past 20 seconds when the subscription ends', () => {
    const { engine, state, reach, sound, previewEnds } = createEngineBench();
    engine.setSubscriber(true);
    engine.playTracks([full]);
    sound();
    reach(100);
    engine.setSubscriber(false);
    expect(state()).toMatchObject({
      isSubscriber: false,
      isFullTrackAvailable: false,
      isPlaying: false,
      currentTime: 20,
    });
    expect(previewEnds).toEqual(['a']);
  });
});

describe('a subscription that lapses while its track plays', () => {
  function lapseAt(seconds: number) {
    const bench = createEngineBench();
    bench.engine.setSubscriber(true);
    bench.engine.playTracks([full]);
    bench.sound();
    bench.reach(seconds);
    bench.engine.setSubscriber(false);
    bench.engine.refreshTrack(preview);
    return bench;
  }

  it('stays at the end of the preview when it was past it', () => {
    const { engine, state, output, previewEnds, loadMetadata } = lapseAt(100);
    loadMetadata(19.98);
    output.emit({ type: 'timeupdate', time: 0 });
    expect(state()).toMatchObject({ currentTrack: preview, currentTime: 20, isPlaying: false });
    expect(selectIsPreviewEnded(state())).toBe(true);
    expect(previewEnds).toEqual(['a']);
    engine.play();
    expect(output).toMatchObject({ url: preview.fileUrl, isAskedToPlay: true });
    expect(state().currentTime).toBe(0);
  });

  it('continues in the preview file when it was within the preview', () => {
    const { state, output, sound } = lapseAt(10);
    expect(output).toMatchObject({ url: preview.fileUrl, isAskedToPlay: true });
    sound();
    expect(state()).toMatchObject({ currentTrack: preview, isPlaying: true });
  });
});

describe('paying during a preview', () => {
  it('continues at the same position of the track', () => {
    const { engine, state, reach, output, freshTrackRequests, sound } = playFree(preview, next);
    reach(8);
    engine.setSubscriber(true);
    expect(freshTrackRequests).toEqual(['a', 'b']);
    engine.refreshTrack(full);
    expect(output.loads.at(-1)).toBe(full.fileUrl);
    sound();
    expect(output.seeks.at(-1)).toBe(68);
    expect(state()).toMatchObject({ currentTrack: full, currentTime: 68, isPlaying: true });
    expect(state().queue).toEqual([full, next]);
  });

  it('does the same if the fresh track arrives before the status', () => {
    const { engine, state, reach, output } = playFree(preview);
    reach(8);
    engine.refreshTrack(full);
    expect(state()).toMatchObject({ currentTrack: preview, isPlaying: true });
    engine.setSubscriber(true);
    expect(output.loads.at(-1)).toBe(full.fileUrl);
    expect(state()).toMatchObject({ currentTrack: full, currentTime: 68, isStarting: true });
  });

  it('stays paused at that second if the preview has ended', () => {
    const { engine, state, reach, output } = playFree(preview);
    reach(20);
    engine.setSubscriber(true);
    engine.refreshTrack(full);
    expect(state()).toMatchObject({ currentTime: 80, isPlaying: false, isStarting: false });
    engine.play();
    expect(output.isAskedToPlay).toBe(true);
    expect(state().currentTime).toBe(80);
  });

  it('continues automatically if the preview ends before the full file is known', () => {
    const { engine, state, output, freshTrackRequests } = playFree(preview, next);
    engine.setSubscriber(true);
    output.emit({ type: 'timeupdate', time: 19.9 });
    output.emit({ type: 'ended' });
    expect(state()).toMatchObject({ currentTrack: preview, isPlaying: false });
    expect(freshTrackRequests).toEqual(['a', 'b', 'a']);
    engine.refreshTrack(full);
    expect(state()).toMatchObject({ currentTime: 79.9, isStarting: true });
  });

  it('stays silent if the user has paused', () => {
    const { engine, state, reach } = playFree(preview);
    reach(5);
    engine.pause();
    engine.setSubscriber(true);
    engine.refreshTrack(full);
    expect(state()).toMatchObject({ currentTime: 65, isPlaying: false, isStarting: false });
  });

  it('a new file URL with the same access does not interrupt playback', () => {
    const { engine, state, output } = playFree(preview);
    const readdressed = { ...preview, fileUrl: '/media/new-address.mp3' };
    engine.refreshTrack(readdressed);
    expect(state()).toMatchObject({ currentTrack: readdressed, isPlaying: true });
    expect(output.loads).toEqual([preview.fileUrl]);
  });
});

describe('positions', () => {
  it('of a preview convert to positions in the track, and back', () => {
    expect(positionInTrack(preview, 5)).toBe(65);
    expect(positionInTrack(full, 5)).toBe(5);
    expect(timeInFile(full, 65)).toBe(65);
    expect(timeInFile(preview, 65)).toBe(5);
    expect(timeInFile(preview, 200)).toBe(0);
  });
});
