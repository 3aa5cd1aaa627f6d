import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeText } from '#contract/tracklists/decode-text.ts';
import {
  buildAnalysisArgs,
  buildCoverArgs,
  buildEncodeArgs,
  buildId3Args,
  buildProbeArgs,
  buildRemeasureArgs,
  describeRendition,
  limitOutputBytes,
  type DataSaverCodec,
} from './args.ts';
import { buildChapterTexts } from './chapters.ts';
import { convertDrawing } from './cover.ts';
import { createClipMaker } from './make-clip.ts';
import type { Ffmpeg, FfmpegResult } from './ffmpeg.ts';
import { durationToleranceSeconds, LIMITS, timeLimitMs } from './limits.ts';
import { correctGain, isOnTarget, isSilent, parseLoudness, planNormalisation } from './loudness.ts';
import type {
  Container,
  Encoded,
  EncodeJob,
  Loudness,
  Master,
  Media,
  MediaProbe,
  MediaTags,
  Normalisation,
  RunOptions,
} from './media.ts';
import { cleanTags, parseFfmetadata, parseProbe } from './parse-probe.ts';
import { createPeakMeter } from './peaks.ts';
import { MediaRefused } from './refusals.ts';
import { sniffPartialFile, sniffAudioFile } from './sniff-audio.ts';
import { findId3Chunk } from './wav-chunks.ts';

const PROBE_TEXT_LENGTH = 512 * 1024;
const LIMITER_ROUNDS = 4;
const LIMITER_TOLERANCE_LU = 0.3;
const DECODE_ERROR = /Error while decoding stream|Error submitting packet to decoder|corrupt/i;

/** Text of at most so many characters. */
function createBoundedText(maxLength: number) {
  let text = '';
  return {
    add: (part: string) => {
      if (text.length < maxLength) text += part.slice(0, maxLength - text.length);
    },
    get: () => text,
  };
}

/** Turns ffmpeg's progress lines into a share that never decreases. */
function createProgress(totalSeconds: number, onProgress?: (done: number) => void) {
  let done = 0;
  return (line: string) => {
    const micros = /^out_time_us=(\d+)/.exec(line)?.[1];
    if (!micros || !onProgress || totalSeconds <= 0) return;
    const share = Math.min(1, Number(micros) / 1e6 / totalSeconds);
    if (share > done) onProgress((done = share));
  };
}

/** Blames the file for a failed read, unless the machine reports a problem of its own. */
function assertRead({ outcome, tail }: FfmpegResult): void {
  if (outcome === 'done') return;
  if (outcome === 'timed_out') throw new MediaRefused('took_too_long');
  if (/No space left|Permission denied|No such file/.test(tail)) throw new Error(tail);
  const isCutOff = /moov atom not found|End of file|truncated/i.test(tail);
  throw new MediaRefused(isCutOff ? 'truncated' : 'damaged', { cause: new Error(tail) });
}

async function readMetadata(ffmpeg: Ffmpeg, file: string, args: string[], { signal }: RunOptions) {
  const log = createBoundedText(PROBE_TEXT_LENGTH);
  const metadata: Uint8Array[] = [];
  let metadataBytes = 0;
  const result = await ffmpeg.run({
    args,
    reads: [file],
    writes: [],
    onLine: (line) => log.add(`${line}\n`),
    onOutput: (chunk) => {
      if (metadataBytes < PROBE_TEXT_LENGTH) metadata.push(chunk);
      metadataBytes += chunk.length;
    },
    timeLimitMs: timeLimitMs(0),
    signal,
  });
  // A WAV has its texts in the encoding of the program that wrote it.
  return { result, log: log.get(), metadata: decodeText(Buffer.concat(metadata)) };
}

/**
 * DJ programs write ID3 into a WAV. ffmpeg ignores it if the WAV has texts of its own too, be it only
 * the name of the program.
 */
async function readHeaders(
  ffmpeg: Ffmpeg,
  file: string,
  container: Container,
  options: RunOptions,
) {
  const args = buildProbeArgs(file, container);
  const headers = await readMetadata(ffmpeg, file, args, options);
  const id3At = container === 'wav' ? await findId3Chunk(file) : null;
  if (id3At === null) return headers;
  const id3 = await readMetadata(ffmpeg, file, buildId3Args(file, id3At), options);
  // They fill in what is missing: of two tags with one name, the first counts.
  const [tags = '', ...chapters] = id3.metadata.split('\n[CHAPTER]\n');
  const added = headers.metadata.includes('\n[CHAPTER]\n') ? [tags] : [tags, ...chapters];
  const metadata = `${headers.metadata}\n[ID3]\n${added.join('\n[CHAPTER]\n')}`;
  return { ...headers, metadata };
}

async function probe(ffmpeg: Ffmpeg, file: string, options: RunOptions): Promise<MediaProbe> {
  const container = await sniffAudioFile(file);
  const { result, log, metadata } = await readHeaders(ffmpeg, file, container, options);
  assertRead(result);
  return parseProbe(container, log, metadata);
}

async function readTags(ffmpeg: Ffmpeg, file: string, options: RunOptions): Promise<MediaTags> {
  const container = await sniffPartialFile(file);
  if (!container) return {};
  // The rest of the file is still to come, so the outcome does not matter.
  const { metadata } = await readHeaders(ffmpeg, file, container, options);
  return cleanTags(parseFfmetadata(metadata));
}

async function measure(ffmpeg: Ffmpeg, { file, probe: about }: Master, options: RunOptions) {
  const meter = createPeakMeter(about.sampleRate);
  const summary: string[] = [];
  const expected = about.durationSeconds ?? LIMITS.maxSeconds;
  const report = createProgress(expected, options.onProgress);
  let errors = 0;
  const result = await ffmpeg.run({
    args: buildAnalysisArgs(file, about),
    reads: [file],
    writes: [],
    onOutput: meter.push,
    onLine: (line) => {
      report(line);
      if (DECODE_ERROR.test(line)) errors += 1;
      if (/Summary:|^ /.test(line)) summary.push(line);
      if (summary.length > 40) summary.shift();
    },
    timeLimitMs: timeLimitMs(about.isDurationEstimated ? LIMITS.maxSeconds : expected),
    signal: options.signal,
  });
  const measured = meter.finish();
  const promised = about.isDurationEstimated ? null : about.durationSeconds;
  if (measured.durationSeconds > LIMITS.maxSeconds) throw new MediaRefused('too_long');
  const isShort =
    promised !== null && measured.durationSeconds < promised - durationToleranceSeconds(promised);
  if (isShort && result.outcome !== 'timed_out') throw new MediaRefused('truncated');
  assertRead(result);
  if (errors > LIMITS.decodeErrors) throw new MediaRefused('damaged');
  if (measured.durationSeconds < LIMITS.minSeconds) throw new MediaRefused('too_short');
  const loudness = parseLoudness(summary.join('\n'));
  if (isSilent(loudness)) throw new MediaRefused('silent');
  return { ...measured, loudness };
}

/** Finds the gain in front of the limiter by measuring behind it. */
async function findNormalisation(
  ffmpeg: Ffmpeg,
  { file, probe: about }: Master,
  loudness: Loudness,
  seconds: number,
  signal: AbortSignal | undefined,
): Promise<Normalisation> {
  let plan = planNormalisation(loudness);
  for (let round = 0; plan.isLimited && round < LIMITER_ROUNDS; round += 1) {
    const lines: string[] = [];
    const result = await ffmpeg.run({
      args: buildRemeasureArgs(file, about, plan),
      reads: [file],
      writes: [],
      onLine: (line) => {
        if (/Summary:|^ /.test(line)) lines.push(line);
        if (lines.length > 40) lines.shift();
      },
      timeLimitMs: timeLimitMs(seconds),
      signal,
    });
    assertRead(result);
    const measured = parseLoudness(lines.join('\n'));
    if (isOnTarget(measured, LIMITER_TOLERANCE_LU)) break;
    plan = correctGain(plan, measured);
  }
  return plan;
}

async function extractCover(ffmpeg: Ffmpeg, { file, probe: about }: Master, options: RunOptions) {
  if (!about.hasCover) return null;
  const folder = await mkdtemp(join(tmpdir(), 'cover-'));
  const to = join(folder, 'picture');
  try {
    const result = await ffmpeg.run({
      args: buildCoverArgs(file, about.container, to),
      reads: [file],
      writes: [to],
      timeLimitMs: timeLimitMs(0),
      signal: options.signal,
    });
    if (result.outcome !== 'done')
      throw new MediaRefused('cover_unreadable', { cause: new Error(result.tail) });
    if ((await stat(to)).size > LIMITS.coverBytes) throw new MediaRefused('cover_too_large');
    return await readFile(to);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function encode(
  ffmpeg: Ffmpeg,
  dataSaverCodec: DataSaverCodec,
  job: EncodeJob,
  options: RunOptions,
): Promise<Encoded[]> {
  const { file, probe: about } = job.master;
  const seconds = job.analysis.durationSeconds;
  const suffix = randomBytes(6).toString('hex');
  const parts = job.targets.map((target) => ({ ...target, part: `${target.to}.${suffix}.part` }));
  const chapters = buildChapterTexts(job).map(({ format, text }) => ({
    format,
    text,
    path: `${parts[0]?.to}.${suffix}.${format}-chapters`,
  }));
  try {
    for (const { path, text } of chapters) await writeFile(path, text);
    const result = await ffmpeg.run({
      args: buildEncodeArgs(
        { ...job, targets: parts.map(({ rendition, part }) => ({ rendition, to: part })) },
        dataSaverCodec,
        chapters,
      ),
      reads: [file, ...(job.coverFile ? [job.coverFile] : []), ...chapters.map(({ path }) => path)],
      writes: parts.map(({ part }) => part),
      onLine: createProgress(seconds, options.onProgress),
      timeLimitMs: timeLimitMs(seconds, parts.length),
      signal: options.signal,
    });
    if (result.outcome === 'timed_out') throw new MediaRefused('took_too_long');
    if (result.outcome !== 'done') throw new Error(`ffmpeg could not encode.\n${result.tail}`);
    const encoded: Encoded[] = [];
    for (const { rendition, to, part } of parts) {
      const { size } = await stat(part);
      if (size === 0 || size >= limitOutputBytes(rendition, about, seconds))
        throw new Error(
          `The ${rendition} rendition came out at ${size} bytes, which is impossible.`,
        );
      encoded.push({
        rendition,
        file: to,
        bytes: size,
        ...describeRendition(rendition, dataSaverCodec),
      });
    }
    for (const { part, to } of parts) await rename(part, to);
    return encoded;
  } finally {
    const leftovers = [...parts.map(({ part }) => part), ...chapters.map(({ path }) => path)];
    await Promise.all(leftovers.map((path) => rm(path, { force: true })));
  }
}

export function createMedia(ffmpeg: Ffmpeg): Media {
  const dataSaverCodec: DataSaverCodec = ffmpeg.encoders.has('libopus') ? 'opus' : 'aac';
  return {
    engine: { kind: ffmpeg.kind, version: ffmpeg.version, dataSaverCodec },
    probe: (file, options = {}) => probe(ffmpeg, file, options),
    readTags: (file, options = {}) => readTags(ffmpeg, file, options),
    analyse: async (master, options = {}) => {
      const measured = await measure(ffmpeg, master, options);
      const { loudness, durationSeconds } = measured;
      return {
        ...measured,
        normalisation: await findNormalisation(
          ffmpeg,
          master,
          loudness,
          durationSeconds,
          options.signal,
        ),
      };
    },
    extractCover: (master, options = {}) => extractCover(ffmpeg, master, options),
    convertDrawing,
    encode: (job, options = {}) => encode(ffmpeg, dataSaverCodec, job, options),
    ...createClipMaker(ffmpeg),
  };
}
