import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SECOND } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import type { Tx } from '../../db/connect.ts';
import type { RenditionsTable } from '../../db/types/tables.ts';
import { withWorkFolder } from '../../jobs/work-folder.ts';
import { normaliseCover } from '../../ports/media/cover.ts';
import { buildReplayGain } from '../../ports/media/loudness.ts';
import type { Encoded, Master, MediaProbe } from '../../ports/media/media.ts';
import { planIngest, type IngestStep } from './plan-ingest.ts';
import {
  clampPreviewStart,
  endPreviewKey,
  pickPreviewStart,
} from '../../ports/media/preview-window.ts';
import { MediaRefused } from '../../ports/media/refusals.ts';
import { fetchToDisk } from '../../ports/storage/storage.ts';
import { publishSignal } from '../live/service.ts';
import { readLook } from '../look/service.ts';
import { buildDownloadKey, buildTags, hashTags, writeCoverFile } from './download-tags.ts';
import {
  activateRun,
  isReplacingAudio,
  lockRun,
  type ClaimedRun,
  type RunClaim,
} from './ingest-runs.ts';
import {
  pickStart,
  publishAnalysis,
  publishAudio,
  publishRendition,
  toMs,
  type AnalysisResult,
  type UnpublishedResult,
} from './publish-audio.ts';
import {
  findTaggedTrack,
  loadStageResults,
  saveStage,
  setMissingCover,
  updateTrack,
} from './queries.ts';

type RunningIngest = ClaimedRun & { claim: RunClaim; signal: AbortSignal };
type IngestContext = RunningIngest & { workDir: string; master: Master };
type OnProgress = (done: number) => void;

/** Pages that watch need whole percents, not every frame. */
const PROGRESS_INTERVAL_MS = SECOND;

/** Adds up the shares of the stages and writes the percentage now and then. */
function createProgressWriter({ database, clock, log }: Deps, trackId: string) {
  let before = 0;
  let share = 0;
  let written = -1;
  let writtenAt = 0;

  async function write(done: number) {
    const progress = Math.min(100, Math.floor((before + share * done) * 100));
    const now = clock.now();
    if (progress <= written || now - writtenAt < PROGRESS_INTERVAL_MS) return;
    written = progress;
    writtenAt = now;
    await database.db.transaction().execute(async (tx) => {
      await updateTrack(tx, trackId, { progress });
      await publishSignal(tx, 'admin:tracks', clock.now());
    });
  }

  return {
    /** Starts the next stage, which is this share of the whole work. */
    startStage(nextShare: number): OnProgress {
      before += share;
      share = nextShare;
      return (done) =>
        void write(done).catch((error: unknown) =>
          log.warn({ err: error, trackId }, 'Could not write the progress of an ingest.'),
        );
    },
  };
}

/** Writes results, unless the track has moved on without this run. */
const writeResults = (
  deps: Deps,
  claim: RunClaim,
  work: (tx: Tx, current: ClaimedRun) => Promise<void>,
) => deps.database.db.transaction().execute(async (tx) => work(tx, await lockRun(tx, claim)));

async function analyse(deps: Deps, context: IngestContext, onProgress: OnProgress) {
  const { track, run, claim, master, signal } = context;
  const media = await deps.media();
  const { peaks, energy, ...analysis } = await media.analyse(master, { signal, onProgress });
  const { durationSeconds } = analysis;
  const { preview_start_ms: before } = track;
  const isStartFound = before === null || before === run.found_preview_start_ms;
  const result: AnalysisResult = {
    ...analysis,
    previewStart: isStartFound
      ? pickPreviewStart(energy, durationSeconds)
      : clampPreviewStart(before / 1000, durationSeconds),
    isStartFound,
    startBeforeMs: before,
  };
  const now = deps.clock.now();
  await writeResults(deps, claim, async (tx, current) => {
    const unpublished: UnpublishedResult = isReplacingAudio(current.run) ? { peaks } : {};
    await saveStage(tx, {
      runId: run.id,
      stage: 'analysis',
      result: { ...result, ...unpublished },
      now,
    });
    if (!isReplacingAudio(current.run))
      await publishAnalysis(tx, { ...current, analysis: result, peaks }, now);
    await publishSignal(tx, 'admin:tracks', now);
  });
}

/** An uploaded cover wins over the one in the file, and a bad picture never stops the ingest. */
async function extractCover(deps: Deps, { track, run, claim, master, signal }: IngestContext) {
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
  const key = cover && `covers/${run.id}.webp`;
  if (cover && key) await deps.storage.put(key, cover.webp);
  const now = deps.clock.now();
  await writeResults(deps, claim, async (tx, current) => {
    if (key && !isReplacingAudio(current.run)) await setMissingCover(tx, track.id, key, now);
    await saveStage(tx, { runId: run.id, stage: 'cover', result: { key, refusal }, now });
  });
}

type Encoding = {
  step: IngestStep;
  analysis: AnalysisResult;
  previewStart: number;
  /** Of `hashTags`. */
  tagHash: string;
};

/** The key of a download says which tags are in it, the key of a preview where it starts. */
function buildKey(
  { run }: IngestContext,
  { rendition, extension }: Encoded,
  { previewStart, tagHash }: Encoding,
): string {
  const ending =
    rendition === 'preview' ? endPreviewKey(toMs(previewStart)) : `-${rendition.toLowerCase()}`;
  const base = `tracks/${run.id}${ending}`;
  return rendition === 'mp3' || rendition === 'flac'
    ? buildDownloadKey(base, rendition, tagHash)
    : `${base}.${extension}`;
}

async function storeFiles(
  deps: Deps,
  context: IngestContext,
  encoding: Encoding,
  files: Encoded[],
) {
  const { track, run, claim } = context;
  const { step, analysis, previewStart } = encoding;
  const { stage } = step;
  const stored: RenditionsTable[] = [];
  for (const file of files) {
    const key = buildKey(context, file, encoding);
    await deps.storage.put(key, createReadStream(file.file));
    const { rendition: name, bytes: size, mime: media_type } = file;
    stored.push({ track_id: track.id, name, key, size, media_type });
    await rm(file.file, { force: true });
  }
  const now = deps.clock.now();
  await writeResults(deps, claim, async (tx, current) => {
    // The start was moved during the cut: cut again.
    if (stage === 'preview' && pickStart(analysis, current.track) !== previewStart) return;
    const unpublished: UnpublishedResult = isReplacingAudio(current.run) ? { files: stored } : {};
    await saveStage(tx, { runId: run.id, stage, result: unpublished, now });
    await publishSignal(tx, 'admin:tracks', now);
    if (isReplacingAudio(current.run)) return;
    // From here on the track can be played; its downloads follow.
    if (stage === 'stream') {
      await updateTrack(tx, track.id, { status: 'ready', failure: null, updated_at: now });
      await activateRun(tx, current.run, now);
    }
    for (const file of stored) await publishRendition(tx, file, now);
  });
}

/** The track may have a new title since, or a cover from an earlier stage. */
async function reloadTrack(
  { database }: Deps,
  { track }: IngestContext,
  results: ReadonlyMap<string, unknown>,
) {
  const current = { ...track, artists: [], ...(await findTaggedTrack(database.db, track.id)) };
  const { key = null } = (results.get('cover') ?? {}) as UnpublishedResult;
  return { ...current, cover_key: current.cover_key ?? key, master_key: track.master_key };
}

async function encode(
  deps: Deps,
  context: IngestContext,
  step: IngestStep,
  onProgress: OnProgress,
) {
  const { master, run, workDir, signal } = context;
  const results = await loadStageResults(deps.database.db, run.id);
  const track = await reloadTrack(deps, context, results);
  const analysis = results.get('analysis') as AnalysisResult;
  const previewStart = pickStart(analysis, track);
  const coverFile = step.stage === 'downloads' ? await writeCoverFile(deps, track, workDir) : null;
  const media = await deps.media();
  const files = await media.encode(
    {
      master,
      analysis,
      previewStart,
      targets: step.renditions.map((rendition) => ({ rendition, to: join(workDir, rendition) })),
      tags: {
        ...buildTags(track, readLook(deps)),
        replayGain: buildReplayGain(analysis.loudness),
      },
      ...(coverFile && { coverFile }),
    },
    { signal, onProgress },
  );
  const tagHash = hashTags(track, readLook(deps));
  await storeFiles(deps, { ...context, track }, { step, analysis, previewStart, tagHash }, files);
}

async function probeOnce(deps: Deps, { run, claim, signal }: RunningIngest, file: string) {
  const known = (await loadStageResults(deps.database.db, run.id)).get('probe');
  if (known) return known as MediaProbe;
  const media = await deps.media();
  const probe = await media.probe(file, { signal });
  const now = deps.clock.now();
  await writeResults(deps, claim, async (tx) => {
    await saveStage(tx, { runId: run.id, stage: 'probe', result: probe, now });
  });
  return probe;
}

async function runStages(deps: Deps, context: IngestContext, steps: readonly IngestStep[]) {
  const progress = createProgressWriter(deps, context.track.id);
  for (const step of steps) {
    context.signal.throwIfAborted();
    const results = await loadStageResults(deps.database.db, context.run.id);
    const onProgress = progress.startStage(step.share);
    if (results.has(step.stage)) continue;
    if (step.stage === 'analysis') await analyse(deps, context, onProgress);
    else if (step.stage === 'cover') await extractCover(deps, context);
    else await encode(deps, context, step, onProgress);
  }
}

/** False when a stage is missing after all: the preview, when its start was moved meanwhile. */
async function finishRun(deps: Deps, { claim }: IngestContext, steps: readonly IngestStep[]) {
  const now = deps.clock.now();
  let isDone = false;
  await writeResults(deps, claim, async (tx, { track, run }) => {
    const results = await loadStageResults(tx, run.id);
    isDone = steps.every(({ stage }) => results.has(stage));
    if (!isDone) return;
    if (isReplacingAudio(run)) await publishAudio(tx, track, run, now);
    await updateTrack(tx, track.id, { progress: 100 });
    await publishSignal(tx, 'admin:tracks', now);
  });
  return isDone;
}

/** Runs every unfinished stage in order. After a kill at any point, the next attempt continues there. */
export const runIngest = (deps: Deps, ingest: RunningIngest): Promise<void> =>
  withWorkFolder(deps, ingest.claim.jobId, async (workDir) => {
    const { master_key } = ingest.track;
    const file = await fetchToDisk(deps.storage, master_key, join(workDir, 'master'));
    const probe = await probeOnce(deps, ingest, file);
    const context: IngestContext = { ...ingest, workDir, master: { file, probe } };
    const steps = planIngest(probe);
    do await runStages(deps, context, steps);
    while (!(await finishRun(deps, context, steps)));
  });
