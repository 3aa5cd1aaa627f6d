import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Deps } from '../../deps.ts';
import type { Tx } from '../../db/connect.ts';
import type { FileKind, TrackFilesTable } from '../../db/tables.ts';
import { normaliseCover } from '../../ports/media/cover.ts';
import type { Encoded, Master, MediaProbe, Rendition } from '../../ports/media/media.ts';
import { MediaRefused } from '../../ports/media/refusals.ts';
import { planIngest, type IngestStep } from '../../ports/media/plan-ingest.ts';
import { clampPreviewStart, pickPreviewStart } from '../../ports/media/preview-window.ts';
import { publishSignal } from '../live/service.ts';
import { holdIngest, writeBegun, type Begun, type Taken, type Turn } from './current-ingest.ts';
import { describeTags, hashTags, nameDownload, writeCoverFile } from './download-tags.ts';
import { fetchToDisk } from './fetch-to-disk.ts';
import { createProgressWriter } from './progress.ts';
import {
  noteFoundStart,
  publishHeld,
  putFileInPlace,
  showAnalysis,
  startOf,
  toMs,
  type Analysed,
  type Held,
} from './publish-held.ts';
import {
  findTrack,
  giveCover,
  listDoneStages,
  recordStage,
  updateTrack,
  type MasteredTrack,
} from './queries.ts';
import { inWorkFolder } from '../../jobs/work-folder.ts';

const fileKinds: Record<Rendition, FileKind> = {
  stream: 'stream',
  saver: 'saver',
  preview: 'preview',
  download320: 'mp3',
  flac: 'flac',
};

export type IngestRun = Taken & { turn: Turn; signal: AbortSignal };

type Bench = {
  track: MasteredTrack;
  begun: Begun;
  turn: Turn;
  signal: AbortSignal;
  workDir: string;
  master: Master;
  /** People hear the sound of before: what is new takes its place at once, when all of it is there. */
  isHeldBack: boolean;
};

/** Whatever is written down is of a track that still wants it. */
const write = (deps: Deps, turn: Turn, work: (tx: Tx, taken: Taken) => Promise<void>) =>
  deps.database.db.transaction().execute(async (tx) => work(tx, await holdIngest(tx, turn)));

async function analyse(deps: Deps, bench: Bench, onProgress: (done: number) => void) {
  const { track, begun, turn, master, signal } = bench;
  const media = await deps.media();
  const { peaks, energy, ...analysis } = await media.analyse(master, { signal, onProgress });
  const { durationSeconds } = analysis;
  const { preview_start_ms: before } = track;
  const isStartFound = before === null || before === begun.foundStartMs;
  const result: Analysed = {
    ...analysis,
    previewStart: isStartFound
      ? pickPreviewStart(energy, durationSeconds)
      : clampPreviewStart(before / 1000, durationSeconds),
    isStartFound,
    startBeforeMs: before,
  };
  const held: Held = bench.isHeldBack ? { peaks } : {};
  const now = deps.clock.now();
  await write(deps, turn, async (tx, current) => {
    await recordStage(tx, {
      trackId: track.id,
      stage: 'analysis',
      result: { ...result, ...held },
      now,
    });
    if (!bench.isHeldBack) {
      await showAnalysis(tx, current.track, { ...result, peaks }, now);
      await writeBegun(tx, track.id, noteFoundStart(current.begun, result), now);
    }
    await publishSignal(tx, 'admin:tracks', now);
  });
}

/** An uploaded cover wins over the one in the file, and a bad picture never stops the music. */
async function takeCover(deps: Deps, { track, turn, master, isHeldBack, signal }: Bench) {
  const media = await deps.media();
  let refusal: string | null = null;
  const cover = await media
    .extractCover(master, { signal })
    .then((bytes) => bytes && normaliseCover(bytes))
    .catch((error: unknown) => {
      if (!(error instanceof MediaRefused)) throw error;
      refusal = error.message;
      return null;
    });
  const key = cover && `covers/${turn.ingestId}.webp`;
  if (cover && key) await deps.storage.put(key, cover.webp);
  const now = deps.clock.now();
  await write(deps, turn, async (tx) => {
    if (key && !isHeldBack) await giveCover(tx, track.id, key, now);
    await recordStage(tx, { trackId: track.id, stage: 'cover', result: { key, refusal }, now });
  });
}

type Cut = { step: IngestStep; analysis: Analysed; previewStart: number };

/** What is heard has one name; what is downloaded is named by its tags as well. */
function nameFile(deps: Deps, { track, turn }: Bench, kind: FileKind, file: Encoded, cut: Cut) {
  // A preview of another place is another file, so that no cache gives out the one before.
  const place = kind === 'preview' ? `-${toMs(cut.previewStart)}` : '';
  const base = `tracks/${turn.ingestId}-${kind}${place}`;
  return kind === 'mp3' || kind === 'flac'
    ? nameDownload(base, kind, hashTags(track, deps.config.siteName))
    : `${base}.${file.extension}`;
}

async function storeFiles(deps: Deps, bench: Bench, cut: Cut, files: Encoded[]) {
  const { track, turn, isHeldBack } = bench;
  const { stage } = cut.step;
  const stored: TrackFilesTable[] = [];
  for (const file of files) {
    const kind = fileKinds[file.rendition];
    const key = nameFile(deps, bench, kind, file, cut);
    await deps.storage.put(key, createReadStream(file.file));
    stored.push({ track_id: track.id, kind, key, size: file.bytes, media_type: file.mime });
    await rm(file.file, { force: true });
  }
  const now = deps.clock.now();
  await write(deps, turn, async (tx, current) => {
    // Moved while it was cut: it is cut again.
    if (stage === 'preview' && startOf(cut.analysis, current.track) !== cut.previewStart) return;
    const held: Held = isHeldBack ? { files: stored } : {};
    await recordStage(tx, { trackId: track.id, stage, result: held, now });
    if (isHeldBack) return publishSignal(tx, 'admin:tracks', now);
    // From here on people can hear it; downloads follow.
    if (stage === 'stream')
      await updateTrack(tx, track.id, { status: 'ready', failure: null, updated_at: now });
    for (const file of stored) await putFileInPlace(tx, file, now);
    await publishSignal(tx, 'admin:tracks', now);
  });
}

/** An operator may have given the track another title, or an earlier stage a cover. */
async function withCurrentTrack(
  { database }: Deps,
  bench: Bench,
  done: ReadonlyMap<string, unknown>,
): Promise<Bench> {
  const current = { ...bench.track, ...(await findTrack(database.db, bench.track.id)) };
  const { key = null } = (done.get('cover') ?? {}) as Held;
  const { master_key } = bench.track;
  return { ...bench, track: { ...current, cover_key: current.cover_key ?? key, master_key } };
}

async function encode(
  deps: Deps,
  before: Bench,
  step: IngestStep,
  onProgress: (done: number) => void,
) {
  const done = await listDoneStages(deps.database.db, before.track.id);
  const bench = await withCurrentTrack(deps, before, done);
  const { master, track, workDir, signal } = bench;
  const analysis = done.get('analysis') as Analysed;
  const previewStart = startOf(analysis, track);
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
  await storeFiles(deps, bench, { step, analysis, previewStart }, files);
}

async function probeOnce(deps: Deps, { track, turn, signal }: IngestRun, file: string) {
  const known = (await listDoneStages(deps.database.db, track.id)).get('probe');
  if (known) return known as MediaProbe;
  const media = await deps.media();
  const probe = await media.probe(file, { signal });
  const now = deps.clock.now();
  await write(deps, turn, async (tx) => {
    await recordStage(tx, { trackId: track.id, stage: 'probe', result: probe, now });
  });
  return probe;
}

async function runStages(deps: Deps, bench: Bench, steps: readonly IngestStep[]) {
  const progress = createProgressWriter(deps, bench.track.id);
  for (const step of steps) {
    bench.signal.throwIfAborted();
    const done = await listDoneStages(deps.database.db, bench.track.id);
    const onProgress = progress.begin(step.share);
    if (done.has(step.stage)) continue;
    if (step.stage === 'analysis') await analyse(deps, bench, onProgress);
    else if (step.stage === 'cover') await takeCover(deps, bench);
    else await encode(deps, bench, step, onProgress);
  }
}

/** False when something is left to do after all: a preview that was moved meanwhile. */
async function finishIngest(deps: Deps, { turn }: Bench, steps: readonly IngestStep[]) {
  const now = deps.clock.now();
  let isDone = false;
  await write(deps, turn, async (tx, { track, begun }) => {
    const done = await listDoneStages(tx, track.id);
    isDone = steps.every(({ stage }) => done.has(stage));
    if (!isDone) return;
    if (begun.heard) await publishHeld(tx, track, begun, now);
    await updateTrack(tx, track.id, { progress: 100 });
    await publishSignal(tx, 'admin:tracks', now);
  });
  return isDone;
}

/** Every stage that is not done yet, in order. Killed at any point, the next run goes on from there. */
export const runIngest = (deps: Deps, run: IngestRun): Promise<void> =>
  inWorkFolder(deps, run.turn.jobId, async (workDir) => {
    const file = await fetchToDisk(deps, run.track.master_key, join(workDir, 'master'));
    const probe = await probeOnce(deps, run, file);
    const isHeldBack = run.begun.heard !== undefined;
    const bench: Bench = { ...run, workDir, master: { file, probe }, isHeldBack };
    const steps = planIngest(probe);
    do await runStages(deps, bench, steps);
    while (!(await finishIngest(deps, bench, steps)));
  });
