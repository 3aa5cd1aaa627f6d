/**
 * The cost of an ingest compared with plain ffmpeg commands for the same work, in CPU seconds of
 * one run, and whether the memory of this process stays flat.
 *
 *   node bench/ingest.ts [--minutes 60]
 */
import { execFile } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs, promisify } from 'node:util';
import { createMedia } from '#server/ports/media/create-media.ts';
import { findFfmpeg } from '#server/ports/media/find-ffmpeg.ts';
import type { Analysis, MediaProbe } from '#server/ports/media/media.ts';
import { planIngest } from '#server/features/ingest/plan-ingest.ts';
import { PREVIEW_FILE_SECONDS, pickPreviewStart } from '#server/ports/media/preview-window.ts';
import { buildWavHeader } from '#server/ports/media/wav-header.ts';

const LIMIT = 1.2;
const RATE = 44_100;
const run = promisify(execFile);

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0 && minutes <= 360)) throw new Error('--minutes is a number from 1 to 360.');

/** Kick, hats, bass and two drifting notes: realistic work for an encoder. */
function renderSecond(second: number): Buffer {
  const data = Buffer.alloc(RATE * 4);
  const level = second % 120 < 30 ? 0.4 : 0.9;
  for (let at = 0; at < RATE; at += 1) {
    const time = second + at / RATE;
    const beat = time % 0.5;
    const kick =
      Math.sin(2 * Math.PI * 50 * beat * (1 + 2 * Math.exp(-30 * beat))) * Math.exp(-7 * beat);
    const hat = (Math.random() - 0.5) * Math.exp(-45 * ((time + 0.25) % 0.5));
    const pad =
      Math.sin(2 * Math.PI * 220 * time) + Math.sin(2 * Math.PI * 277.2 * time + Math.sin(time));
    const bass = Math.sin(2 * Math.PI * 55 * time) * 0.25;
    const centre = 0.6 * kick + bass;
    data.writeInt16LE(
      Math.round(32_767 * level * Math.tanh(centre + 0.3 * hat + 0.12 * pad)),
      at * 4,
    );
    data.writeInt16LE(
      Math.round(32_767 * level * Math.tanh(centre - 0.2 * hat + 0.14 * pad)),
      at * 4 + 2,
    );
  }
  return data;
}

async function writeMaster(file: string, seconds: number) {
  const parts = function* () {
    yield buildWavHeader(seconds * RATE * 4, { sampleRate: RATE });
    for (let second = 0; second < seconds; second += 1) yield renderSecond(second);
  };
  await pipeline(Readable.from(parts()), createWriteStream(file));
}

/** CPU seconds of this process and of every child it has waited for. */
function readCpuSeconds(): number {
  const own = process.cpuUsage();
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  const children = (Number(fields[13]) + Number(fields[14])) / 100;
  return (own.user + own.system) / 1e6 + children;
}

async function measure(work: () => Promise<void>) {
  const [cpu, wall] = [readCpuSeconds(), performance.now()];
  await work();
  return { cpu: readCpuSeconds() - cpu, wall: (performance.now() - wall) / 1000 };
}

const folder = await mkdtemp(join(tmpdir(), 'bench-ingest-'));
const master = join(folder, 'master.wav');
let peakRss = 0;
const watch = setInterval(() => (peakRss = Math.max(peakRss, process.memoryUsage.rss())), 100);
try {
  console.log(`Writing ${minutes} minutes of music …`);
  await writeMaster(master, minutes * 60);
  const ffmpeg = await findFfmpeg();
  const media = createMedia(ffmpeg);
  if (ffmpeg.kind !== 'native') throw new Error('The plain commands need an ffmpeg on the PATH.');

  let probe: MediaProbe | undefined;
  let analysis: Analysis | undefined;
  peakRss = 0;
  const startRss = process.memoryUsage.rss();
  const ours = await measure(async () => {
    probe = await media.probe(master);
    const file = master;
    for (const { stage, renditions } of planIngest(probe)) {
      if (stage === 'analysis') analysis = await media.analyse({ file, probe });
      if (!analysis || renditions.length === 0) continue;
      await media.encode({
        master: { file, probe },
        analysis,
        targets: renditions.map((rendition) => ({ rendition, to: join(folder, rendition) })),
        previewStart: pickPreviewStart(analysis.energy, analysis.durationSeconds),
        tags: { title: 'Benchmark' },
      });
    }
  });
  const endRss = peakRss;
  if (!analysis) throw new Error('There was no analysis.');

  const start = String(pickPreviewStart(analysis.energy, analysis.durationSeconds));
  const volume = `volume=${analysis.normalisation.gainDb}dB`;
  const mp3 = (bitRate: string) => [
    '-c:a',
    'libmp3lame',
    '-b:a',
    bitRate,
    '-compression_level',
    '7',
  ];
  const input = ['-i', master];
  const plain: [string, string[]][] = [
    ['loudness', [...input, '-af', 'ebur128=peak=true', '-f', 'null', '-']],
    ['peaks', [...input, '-af', 'pan=mono|c0=0.5*c0+0.5*c1', '-f', 's16le', join(folder, 'pcm')]],
    [
      'preview',
      [
        '-ss',
        start,
        '-t',
        String(PREVIEW_FILE_SECONDS),
        ...input,
        '-af',
        volume,
        ...mp3('192k'),
        join(folder, 'p.mp3'),
      ],
    ],
    ['stream', [...input, '-af', volume, ...mp3('192k'), join(folder, 's.mp3')]],
    [
      'dataSaver',
      [...input, '-af', volume, '-c:a', 'libopus', '-b:a', '64k', join(folder, 's.webm')],
    ],
    ['mp3', [...input, ...mp3('320k'), join(folder, 'd.mp3')]],
    ['flac', [...input, join(folder, 'd.flac')]],
  ];
  let sum = { cpu: 0, wall: 0 };
  for (const [name, args] of plain) {
    const took = await measure(async () => {
      await run('nice', ['-n', '10', 'ffmpeg', '-v', 'error', '-nostdin', '-y', ...args]);
    });
    console.log(`  plain ${name.padEnd(9)} ${took.cpu.toFixed(1)} s CPU`);
    sum = { cpu: sum.cpu + took.cpu, wall: sum.wall + took.wall };
  }
  const ratio = ours.cpu / sum.cpu;
  console.log(`  plain in all    ${sum.cpu.toFixed(1)} s CPU, ${sum.wall.toFixed(1)} s`);
  console.log(`  our ingest      ${ours.cpu.toFixed(1)} s CPU, ${ours.wall.toFixed(1)} s`);
  console.log(
    `  loudness        ${JSON.stringify({ ...analysis.loudness, ...analysis.normalisation })}`,
  );
  console.log(`ratio ${ratio.toFixed(2)} (limit ${LIMIT})`);
  const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`;
  console.log(
    `memory of this process: ${megabytes(startRss)} before, ${megabytes(endRss)} at most`,
  );
  if (ratio > LIMIT) process.exitCode = 1;
} finally {
  clearInterval(watch);
  await rm(folder, { recursive: true, force: true });
}
