import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClipFile, ClipSizes } from '#contract/clips.ts';
import { listPlaying, MAX_CLIP_BYTES } from '#contract/rules/clips.ts';
import { hideTimesPastEnd } from '#contract/rules/tracklist.ts';
import { readChapters } from '../../db/read-chapters.ts';
import type { ClipsTable } from '../../db/types/clip-tables.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import type { Deps } from '../../deps.ts';
import type { RunningJob } from '../../jobs/define-job.ts';
import { withWorkFolder } from '../../jobs/work-folder.ts';
import { measureBars } from '../../ports/media/clip-bars.ts';
import { fetchToDisk } from '../../ports/storage/storage.ts';
import { CLIP_LAYOUTS, clipPictures, drawClip, type ClipShape } from '../public-pages/service.ts';
import { clipFiles, keyOfFile } from './jobs.ts';

/** `Now: Stoep Talk (Dub), The Queue Marshals`, with the seconds of the clip in which it shows. */
function listLabels(track: TracksTable, { start_s, seconds }: ClipsTable) {
  const chapters = hideTimesPastEnd(readChapters(track), track.duration_ms / 1000);
  return listPlaying(chapters, { from: start_s, to: start_s + seconds }).map(
    ({ chapter: { title, artist }, from, to }) => ({
      text: `Now: ${title}${artist === null ? '' : `, ${artist}`}`,
      from: from - start_s,
      to: to - start_s,
    }),
  );
}

/** More than these change too quickly to be read. */
const MAX_LABELS = 6;

type Label = ReturnType<typeof listLabels>[number];
type Work = { clip: ClipsTable; folder: string; sound: string; signal: AbortSignal };

/** From the pictures that are drawn. */
async function makeVideo(
  deps: Deps,
  shape: ClipShape,
  labels: readonly Label[],
  { clip, folder, sound, signal }: Work,
): Promise<string> {
  const pictures = clipPictures(folder, shape, { labels: labels.map(({ text }) => text) });
  const { width, wave, label } = CLIP_LAYOUTS[shape];
  const to = join(folder, `${shape}.mp4`);
  const media = await deps.media();
  await media.makeVideo(
    {
      sound,
      seconds: clip.seconds,
      width,
      base: pictures.base,
      wave: { heard: pictures.heard, rest: pictures.rest, ...wave },
      labels: labels.map(({ from, to: until }, index) => ({
        file: pictures.labels[index] ?? '',
        top: label.top,
        from,
        to: until,
      })),
      to,
    },
    { signal },
  );
  return to;
}

/** Stores the files of a clip. Nobody gets them before the clip is published. */
export const makeClip = (deps: Deps, clip: ClipsTable, job: RunningJob): Promise<ClipSizes> =>
  withWorkFolder(deps, job.id, async (folder) => {
    const { database, storage } = deps;
    const { signal } = job;
    const track = await database.db
      .selectFrom('tracks')
      .selectAll()
      .where('id', '=', clip.track_id)
      .executeTakeFirstOrThrow();
    const media = await deps.media();
    const source = await fetchToDisk(storage, clip.audio_key, join(folder, 'mix'));
    const sound = join(folder, 'sound.wav');
    const { start_s: from, seconds } = clip;
    await media.cutSound({ source, from, seconds, to: sound }, { signal });
    const audio = join(folder, 'audio.mp3');
    await media.encodeSound(sound, audio, { signal });
    const labels = listLabels(track, clip).slice(0, MAX_LABELS);
    const { id, title, year, week, cover_key: coverKey } = track;
    const bars = measureBars(await readFile(sound));
    const texts = labels.map(({ text }) => text);
    const named = { id, title, year, week };
    await drawClip(deps, { track: named, coverKey, bars, labels: texts, folder }, signal);
    const work = { clip, folder, sound, signal };
    const made: Record<ClipFile, string> = {
      audio,
      square: await makeVideo(deps, 'square', labels, work),
      upright: await makeVideo(deps, 'upright', labels, work),
    };
    const sizes: ClipSizes = { audio: 0, square: 0, upright: 0 };
    for (const file of clipFiles) {
      const { size } = await stat(made[file]);
      if (size === 0 || size >= MAX_CLIP_BYTES)
        throw new Error(`The ${file} file of a clip came out at ${size} bytes.`);
      signal.throwIfAborted();
      await storage.put(keyOfFile(clip.id, file), createReadStream(made[file]));
      sizes[file] = size;
    }
    return sizes;
  });
