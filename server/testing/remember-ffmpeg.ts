import { createHash, randomUUID } from 'node:crypto';
import { copyFile, mkdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ffmpeg, FfmpegResult, FfmpegRun } from '../ports/media/ffmpeg.ts';
import type { Media } from '../ports/media/media.ts';

type CachedRun = FfmpegResult & { lines: string[]; written: number[] };

/** The cache key: which ffmpeg, its arguments and the contents of the input files, whatever their paths. */
async function nameRun(
  { kind, version }: Ffmpeg,
  { args, reads, writes }: FfmpegRun,
): Promise<string> {
  const places = [
    ...reads.map((path, index) => [path, `<${index} is read>`] as const),
    ...writes.map((path, index) => [path, `<${index} is written>`] as const),
  ];
  const asked = args.map((arg) =>
    places.reduce((text, [path, place]) => text.replaceAll(path, place), arg),
  );
  const hash = createHash('sha256').update(JSON.stringify([kind, version, asked]));
  for (const path of reads) {
    const content = await readFile(path);
    hash.update(`\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** Appears whole or not at all. */
async function keep(kept: string, fill: (folder: string) => Promise<unknown>): Promise<void> {
  const folder = `${kept}-${randomUUID()}`;
  await mkdir(folder);
  await fill(folder);
  // Another process may have cached the same files in the meantime.
  await rename(folder, kept).catch(() => rm(folder, { recursive: true }));
}

/** What is used stays. */
async function touch(kept: string): Promise<void> {
  const now = new Date();
  await utimes(kept, now, now);
}

async function runAndKeep(ffmpeg: Ffmpeg, run: FfmpegRun, kept: string): Promise<FfmpegResult> {
  const lines: string[] = [];
  const output: Uint8Array[] = [];
  const result = await ffmpeg.run({
    ...run,
    onLine: (line) => {
      lines.push(line);
      run.onLine?.(line);
    },
    onOutput: (chunk) => {
      output.push(Uint8Array.from(chunk));
      run.onOutput?.(chunk);
    },
  });
  if (result.outcome !== 'done' && result.outcome !== 'failed') return result;
  const written: number[] = [];
  await keep(kept, async (folder) => {
    for (const [index, path] of run.writes.entries()) {
      const isWritten = await copyFile(path, join(folder, String(index))).then(
        () => true,
        () => false,
      );
      if (isWritten) written.push(index);
    }
    await writeFile(join(folder, 'output'), Buffer.concat(output));
    await writeFile(join(folder, 'run.json'), JSON.stringify({ ...result, lines, written }));
  });
  return result;
}

async function repeat(run: FfmpegRun, kept: string, cached: CachedRun): Promise<FfmpegResult> {
  for (const index of cached.written)
    await copyFile(join(kept, String(index)), run.writes[index] ?? '');
  await touch(kept);
  const output = await readFile(join(kept, 'output'));
  if (output.length > 0) run.onOutput?.(output);
  for (const line of cached.lines) run.onLine?.(line);
  return { outcome: cached.outcome, tail: cached.tail };
}

/** The same for a drawing: the process that converts one takes longer than most runs of ffmpeg. */
export const rememberDrawings =
  (convert: Media['convertDrawing'], folder: string): Media['convertDrawing'] =>
  async (svg) => {
    const kept = join(folder, createHash('sha256').update(svg).digest('hex'));
    const cached = await readFile(join(kept, 'output')).catch(() => null);
    if (cached !== null) {
      await touch(kept);
      return cached;
    }
    const jpeg = await convert(svg);
    await keep(kept, (draft) => writeFile(join(draft, 'output'), jpeg));
    return jpeg;
  };

/**
 * The same files and arguments produce the same bytes, as the tests of the media port prove,
 * so ffmpeg encodes them once, and later calls, also of later test runs, copy the cached files.
 */
export const rememberRuns = (ffmpeg: Ffmpeg, folder: string): Ffmpeg => ({
  ...ffmpeg,
  run: async (run) => {
    run.signal?.throwIfAborted();
    const kept = join(folder, await nameRun(ffmpeg, run));
    const cached = await readFile(join(kept, 'run.json'), 'utf8').catch(() => null);
    return cached === null
      ? runAndKeep(ffmpeg, run, kept)
      : repeat(run, kept, JSON.parse(cached) as CachedRun);
  },
});
