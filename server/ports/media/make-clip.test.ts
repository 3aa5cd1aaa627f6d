import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { CLIP_MOTION, CLIP_RATE } from './clip-args.ts';
import { createMedia } from './create-media.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import { parseWavHeader } from './testing/read-wav.ts';
import {
  createFolder,
  ENGINES,
  openEngine,
  prepareSamples,
  runFfmpeg,
  writeWav,
} from './testing/samples.ts';

const SECONDS = 12;
/** Every second of the mix has a tone of its own. */
const toneOf = (second: number) => 300 + second * 150;

const sample = prepareSamples(async (place, ffmpeg) => {
  const wav = await writeWav(place('mix.wav'), {
    seconds: SECONDS,
    render: (time) => 0.4 * Math.sin(2 * Math.PI * toneOf(Math.floor(time)) * time),
  });
  const mp3 = place('mix.mp3');
  await runFfmpeg(ffmpeg, ['-i', `file:${wav}`, '-c:a', 'libmp3lame', '-q:a', '4', `file:${mp3}`], {
    reads: [wav],
    writes: [mp3],
  });
});

/** How loud a frequency is in some samples of one channel. */
function measureTone(samples: Int16Array, hertz: number): number {
  let [real, imaginary] = [0, 0];
  for (const [index, value] of samples.entries()) {
    const angle = (2 * Math.PI * hertz * index) / CLIP_RATE;
    real += (value / 32_768) * Math.cos(angle);
    imaginary += (value / 32_768) * Math.sin(angle);
  }
  return (2 * Math.hypot(real, imaginary)) / samples.length;
}

/** Which second of the mix this is; null if it is none. */
function findSecond(samples: Int16Array): number | null {
  const found = Array.from({ length: SECONDS }, (_, second) => second).filter(
    (second) => measureTone(samples, toneOf(second)) > 0.05,
  );
  if (found.length > 1) throw new Error(`Several seconds at once: ${found.join(', ')}`);
  return found[0] ?? null;
}

/** Everything in the file, also what players are told to leave out. */
async function decodeAll(ffmpeg: Ffmpeg, file: string): Promise<Int16Array> {
  const args = [
    ...(file.endsWith('.mp4') ? ['-ignore_editlist', '1'] : ['-flags2', '+skip_manual']),
    '-i',
    `file:${file}`,
    '-map',
    '0:a:0',
    '-ac',
    '1',
  ];
  const { output } = await runFfmpeg(
    ffmpeg,
    [...args, '-ar', String(CLIP_RATE), '-f', 's16le', 'pipe:1'],
    {
      reads: [file],
    },
  );
  return new Int16Array(output.buffer.slice(output.byteOffset, output.byteOffset + output.length));
}

const draw = (file: string, width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toFile(file)
    .then(() => file);

describe.each(ENGINES)('a clip by the %s ffmpeg', (kind) => {
  it('has the marked seconds and nothing else of the mix', async () => {
    const ffmpeg = await openEngine(kind);
    const media = createMedia(ffmpeg);
    const folder = await createFolder();
    const at = (name: string) => join(folder, name);
    const [from, seconds] = [5, 3];
    const cut = { source: sample('mix.mp3'), from, seconds };
    await media.cutSound({ ...cut, to: at('cut.wav') });
    expect(parseWavHeader(await readFile(at('cut.wav')))).toEqual({
      sampleRate: CLIP_RATE,
      channels: 2,
      frames: seconds * CLIP_RATE,
    });
    await media.encodeSound(at('cut.wav'), at('clip.mp3'));
    const strip = 64 + seconds * CLIP_MOTION.framesPerSecond * CLIP_MOTION.pixelsPerFrame;
    await media.makeVideo({
      sound: at('cut.wav'),
      seconds,
      width: 64,
      base: await draw(at('base.png'), 64, 96, '#101010'),
      wave: {
        heard: await draw(at('heard.png'), strip, 16, '#ff0000'),
        rest: await draw(at('rest.png'), strip, 16, '#0000ff'),
        top: 32,
        height: 16,
      },
      labels: [{ file: await draw(at('label.png'), 64, 16, '#00ff00'), top: 64, from: 1, to: 2 }],
      to: at('clip.mp4'),
    });
    for (const [name, delay] of [
      ['clip.mp3', 1105],
      ['clip.mp4', 1024],
    ] as const) {
      const samples = await decodeAll(ffmpeg, at(name));
      // The encoder's delay before, the rest of its last frames after.
      expect(samples.length).toBeLessThanOrEqual(seconds * CLIP_RATE + 3 * delay);
      expect(samples.length).toBeGreaterThanOrEqual(seconds * CLIP_RATE);
      const heard = Array.from({ length: seconds }, (_, second) => {
        const start = delay + second * CLIP_RATE;
        // A second, without the frames on its borders.
        return findSecond(samples.subarray(start + 2048, start + CLIP_RATE - 2048));
      });
      expect(heard).toEqual([5, 6, 7]);
      for (const before of [4, 8]) expect(measureTone(samples, toneOf(before))).toBeLessThan(0.002);
    }
    const video = await readFile(at('clip.mp4'));
    // Fast start: the index comes before the media.
    expect(video.indexOf('moov')).toBeLessThan(video.indexOf('mdat'));
    expect((await stat(at('clip.mp3'))).size).toBeLessThan(80_000);
    // One pixel of each part, in a frame of the second in which the label shows, and in one without.
    const { output } = await runFfmpeg(
      ffmpeg,
      [
        '-i',
        `file:${at('clip.mp4')}`,
        '-vf',
        'fps=2',
        '-f',
        'rawvideo',
        '-pix_fmt',
        'rgb24',
        'pipe:1',
      ],
      { reads: [at('clip.mp4')] },
    );
    const frame = 64 * 96 * 3;
    expect(output.length / frame).toBe(seconds * 2);
    const pixel = (index: number, x: number, y: number) =>
      [0, 1, 2].map((channel) => (output[index * frame + (y * 64 + x) * 3 + channel] ?? 0) > 128);
    expect(pixel(3, 8, 40)).toEqual([true, false, false]);
    expect(pixel(3, 56, 40)).toEqual([false, false, true]);
    expect(pixel(3, 8, 70)).toEqual([false, true, false]);
    expect(pixel(5, 8, 70)).toEqual([false, false, false]);
  });
});
