import { afterEach, expect, it, vi } from 'vitest';
import { addToast, dismissToast } from '#web/lib/store/toast-queue.ts';
import { toastStore } from '#web/lib/store/toasts.ts';
import { createEngineBench } from '#web/player/testing/engine-bench.ts';
import { buildTrack } from '#web/testing/build-track.ts';
import { playTracksFrom } from './use-track-playback.ts';

const [a, b, c, d] = [buildTrack('a'), buildTrack('b'), buildTrack('c'), buildTrack('d')];

const closeToast = () => dismissToast(toastStore.get()?.id ?? 0);

afterEach(() => {
  closeToast();
  toastStore.set(null);
});

/** The code of toasts loads with the first one. */
const findToast = () =>
  vi.waitFor(() => {
    const toast = toastStore.get();
    if (!toast) throw new Error('No toast is shown.');
    return toast;
  });

it('plays a list from one of its tracks, and names it', () => {
  const { engine, state } = createEngineBench();
  playTracksFrom(engine, { tracks: [a, b], source: 'Library', startIndex: 1 });
  expect(state()).toMatchObject({ queue: [a, b], currentTrack: b, source: 'Library' });
  playTracksFrom(engine, { tracks: [c], source: 'Top 20' });
  expect(state()).toMatchObject({ queue: [c], source: 'Top 20' });
});

it('offers to put back what was queued for later', async () => {
  const { engine, state } = createEngineBench();
  playTracksFrom(engine, { tracks: [a, b], source: 'Library' });
  for (const track of [c, d]) engine.addToQueue(track);
  playTracksFrom(engine, { tracks: [b, c, a], source: 'Top 20' });
  expect(state().queue).toEqual([b, c, a]);
  const toast = await findToast();
  expect(toast).toMatchObject({ title: 'Your queue was replaced', description: '2 mixes' });
  expect(toast.action?.label).toBe('Put back');
  toast.action?.onSelect();
  expect(state()).toMatchObject({ queue: [b, c, d, a], queuedIds: ['c', 'd'], currentTrack: b });
});

it('keeps the offer when another message comes in between', async () => {
  const { engine } = createEngineBench();
  playTracksFrom(engine, { tracks: [a], source: 'Library' });
  engine.addToQueue(c);
  playTracksFrom(engine, { tracks: [b], source: 'Top 20' });
  await findToast();
  addToast({ title: 'Added to favorites' });
  closeToast();
  expect(toastStore.get()).toMatchObject({ description: c.title, action: { label: 'Put back' } });
});

it('does not count the queued track that is played itself', async () => {
  const { engine } = createEngineBench();
  playTracksFrom(engine, { tracks: [a, b], source: 'Library' });
  for (const track of [c, d]) engine.addToQueue(track);
  playTracksFrom(engine, { tracks: [c], source: 'Favorites' });
  expect((await findToast()).description).toBe(d.title);
});

it('puts nothing back after the player was closed', async () => {
  const { engine, state } = createEngineBench();
  playTracksFrom(engine, { tracks: [a], source: 'Library' });
  engine.addToQueue(c);
  playTracksFrom(engine, { tracks: [b], source: 'Top 20' });
  const toast = await findToast();
  engine.close();
  toast.action?.onSelect();
  expect(state().queue).toEqual([]);
});
