import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Deps } from '../../deps.ts';
import type { Tx } from '../../db/connect.ts';
import type { FileKind, TrackFilesTable } from '../../db/tables.ts';
import { enqueue } from '../../jobs/queue.ts';
import { normaliseCover } from '../../ports/media/cover.ts';
import type { Analysis, Encoded, Master, MediaProbe, Rendition } from '../../ports/media/media.ts';
import { MediaRefused } from '../../ports/media/refusals.ts';
import { planIngest, type IngestStep } from '../../ports/media/plan-ingest.ts';
import { clampPreviewStart, pickPreviewStart } from '../../ports/media/preview-window.ts';
import { publishSignal } from '../live/service.ts';
import { describeTags, hashTags, nameDownload, writeCoverFile } from './download-tags.ts';
import { fetchToDisk } from './fetch-to-disk.ts';
import { createProgressWriter } from './progress.ts';
import { DROP_AFTER_MS, dropReplacedFile } from './replaced-file.ts';
import {
  findTrack,
  giveCover,
  listDoneStages,
  listFiles,
  recordStage,
  saveFile,
  savePeaks,
  updateTrack,
  type IngestTrack,
} from './queries.ts';

const fileKinds: Record<Rendition, FileKind> = {
  stream: 'stream',
  saver: 'saver',
  preview: 'preview',
  download320: 'mp3',
  flac: 'flac',
};

export type IngestRun = {
  track: IngestTrack & { master_key: string };
  /** Names the files of this ingest: a repeated stage writes over its own, never beside them. */
  ingestId: string;
  signal: AbortSignal;
};

type Analysed = Omit<Analysis, 'peaks' | 'energy'> & { previewStart: number };
type Bench = IngestRun & {
  workDir: string;
  master: Master;
  /** People hear the sound of before: what is new takes its place at once, when it can be heard. */
  isHeldBack: boolean;
};

/** What a stage has made that nobody may see yet. */
type Held = { peaks?: number[]; files?: TrackFilesTable[] };

async function showAnalysis(
  tx: Tx,
  trackId: string,
  { durationSeconds, previewStart }: Analysed,
  now: number,
) {
  await updateTrack(tx, trackId, {
    duration_ms: Math.round(durationSeconds * 1000),
    preview_start_ms: Math.round(previewStart * 1000),
    updated_at: now,
  });
}

/** Only what the later stages need is kept of an analysis; the peaks have a table of their own. */
async function analyse(deps: Deps, bench: Bench, onProgress: (done: number) => void) {
  const { track, master, signal } = bench;
  const media = await deps.media();
  const { peaks, energy, ...analysis } = await media.analyse(master, { signal, onProgress });
  const { durationSeconds } = analysis;
  const previewStart =
    track.preview_start_ms === null
      ? pickPreviewStart(energy, durationSeconds)
      : clampPreviewStart(track.preview_start_ms / 1000, durationSeconds);
  const result: Analysed = { ...analysis, previewStart };
  const now = deps.clock.now();
  const held: Held = bench.isHeldBack ? { peaks } : {};
  await deps.database.db.transaction().execute(async (tx) => {
    if (!bench.isHeldBack) {
      await savePeaks(tx, track.id, peaks);
      await showAnalysis(tx, track.id, result, now);
    }
    await recordStage(tx, {
      trackId: track.id,
      stage: 'analysis',
      result: { ...result, ...held },
      now,
    });
    await publishSignal(tx, 'admin:tracks', now);
  });
}

/** An uploaded cover wins over the one in the file, and a bad picture never stops the music. */
async function takeCover(deps: Deps, { track, master, ingestId, signal }: Bench) {
  const media = await deps.media();
  const cover = await media
    .extractCover(master, { signal })
    .then((bytes) => bytes && normaliseCover(bytes))
    .catch((error: unknown) => {
      if (error instanceof MediaRefused) return null;
      throw error;
    });
  const key = cover && `covers/${ingestId}.webp`;
  if (cover && key) await deps.storage.put(key, cover.webp);
  const now = deps.clock.now();
  await deps.database.db.transaction().execute(async (tx) => {
    if (key) await giveCover(tx, track.id, key, now);
    await recordStage(tx, { trackId: track.id, stage: 'cover', result: { key }, now });
  });
}

/** What is heard has one name; what is downloaded is named by its tags as well. */
function nameFile(deps: Deps, { track, ingestId }: Bench, kind: FileKind, extension: string) {
  // A preview of another place is another file, so that no cache gives out the one before.
  const place = kind === 'preview' ? `-${Math.round((track.preview_start_ms ?? 0) / 1000)}` : '';
  const base = `tracks/${ingestId}-${kind}${place}`;
  return kind === 'mp3' || kind === 'flac'
    ? nameDownload(base, kind, hashTags(track, deps.config.siteName))
    : `${base}.${extension}`;
}

async function storeFiles(deps: Deps, bench: Bench, step: IngestStep, files: Encoded[]) {
  const { track } = bench;
  const stored: TrackFilesTable[] = [];
  for (const file of files) {
    const kind = fileKinds[file.rendition];
    const key = nameFile(deps, bench, kind, file.extension);
    await deps.storage.put(key, createReadStream(file.file));
    stored.push({ track_id: track.id, kind, key, size: file.bytes, media_type: file.mime });
    await rm(file.file, { force: true });
  }
  const now = deps.clock.now();
  await deps.database.db.transaction().execute(async (tx) => {
    const isHeld = bench.isHeldBack && step.stage === 'preview';
    const held: Held = isHeld ? { files: stored } : {};
    await recordStage(tx, { trackId: track.id, stage: step.stage, result: held, now });
    if (isHeld) return;
    if (step.stage === 'stream') await showTrack(tx, bench, now);
    for (const file of stored) await putFileInPlace(tx, file, now);
    await publishSignal(tx, 'admin:tracks', now);
  });
}

/** Whoever reads the file of before at this moment may finish. */
async function putFileInPlace(tx: Tx, file: TrackFilesTable, now: number) {
  const { track_id: trackId, kind, key } = file;
  const before = (await listFiles(tx, trackId)).find((other) => other.kind === kind);
  await saveFile(tx, file);
  if (!before || before.key === key) return;
  const drop = { trackId, key: before.key };
  await enqueue(tx, dropReplacedFile, drop, { now, runAt: now + DROP_AFTER_MS });
}

/** From here on people can hear it; downloads follow. */
async function showTrack(tx: Tx, { track, isHeldBack }: Bench, now: number) {
  await updateTrack(tx, track.id, { status: 'ready', failure: null, updated_at: now });
  if (!isHeldBack) return;
  const done = await listDoneStages(tx, track.id);
  const analysis = done.get('analysis') as Analysed & Held;
  await savePeaks(tx, track.id, analysis.peaks ?? []);
  await showAnalysis(tx, track.id, analysis, now);
  const { files = [] } = (done.get('preview') ?? {}) as Held;
  for (const file of files) await putFileInPlace(tx, file, now);
}

/** An operator may have given the track another title, or an earlier stage a cover. */
async function withCurrentTrack({ database }: Deps, bench: Bench): Promise<Bench> {
  const current = await findTrack(database.db, bench.track.id);
  return { ...bench, track: { ...bench.track, ...current, master_key: bench.track.master_key } };
}

async function encode(
  deps: Deps,
  bench: Bench,
  step: IngestStep,
  onProgress: (done: number) => void,
) {
  const { master, track, workDir, signal } = bench;
  const done = await listDoneStages(deps.database.db, track.id);
  const analysis = done.get('analysis') as Analysed;
  const previewStart =
    bench.isHeldBack || track.preview_start_ms === null
      ? analysis.previewStart
      : clampPreviewStart(track.preview_start_ms / 1000, analysis.durationSeconds);
  const coverFile = step.stage === 'downloads' ? await writeCoverFile(deps, track, workDir) : null;
  const media = await deps.media();
  const files = await media.encode(
    {
      master,
      analysis,
      previewStart,
      targets: step.renditions.map((rendition) => ({ rendition, to: join(workDir, rendition) })),
      tags: describeTags(track, deps.config.siteName),
      ...(coverFile && { coverFile }),
    },
    { signal, onProgress },
  );
  await storeFiles(deps, bench, step, files);
}

async function probeOnce(deps: Deps, run: IngestRun, file: string): Promise<MediaProbe> {
  const known = (await listDoneStages(deps.database.db, run.track.id)).get('probe');
  if (known) return known as MediaProbe;
  const media = await deps.media();
  const probe = await media.probe(file, { signal: run.signal });
  const now = deps.clock.now();
  await recordStage(deps.database.db, {
    trackId: run.track.id,
    stage: 'probe',
    result: probe,
    now,
  });
  return probe;
}

/** Every stage that is not done yet, in order. Killed at any point, the next run goes on from there. */
export async function runIngest(deps: Deps, run: IngestRun): Promise<void> {
  const workDir = join(deps.config.dataDir, 'work', run.ingestId);
  await mkdir(workDir, { recursive: true });
  try {
    const file = await fetchToDisk(deps, run.track.master_key, join(workDir, 'master'));
    const probe = await probeOnce(deps, run, file);
    const doneBefore = await listDoneStages(deps.database.db, run.track.id);
    const bench: Bench = {
      ...run,
      workDir,
      master: { file, probe },
      isHeldBack: run.track.status === 'ready' && !doneBefore.has('stream'),
    };
    const progress = createProgressWriter(deps, run.track.id);
    for (const step of planIngest(probe)) {
      run.signal.throwIfAborted();
      const done = await listDoneStages(deps.database.db, run.track.id);
      const onProgress = progress.begin(step.share);
      if (done.has(step.stage)) continue;
      if (step.stage === 'analysis') await analyse(deps, bench, onProgress);
      else if (step.stage === 'cover') await takeCover(deps, bench);
      else await encode(deps, await withCurrentTrack(deps, bench), step, onProgress);
    }
    await progress.end();
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

export const loadIngestTrack = findTrack;
