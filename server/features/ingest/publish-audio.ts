import { z } from 'zod';
import { HOUR } from '#contract/rules/time.ts';
import type { Tx } from '../../db/connect.ts';
import type { RenditionsTable } from '../../db/types/tables.ts';
import { enqueue } from '../../jobs/queue.ts';
import type { Analysis } from '../../ports/media/media.ts';
import { clampPreviewStart } from '../../ports/media/preview-window.ts';
import { moveClipsTo, removeClipsOf } from '../clips/service.ts';
import { keepTracklist } from '../usage/service.ts';
import { activateRun, updateRun, type IngestRun } from './ingest-runs.ts';
import {
  deleteRendition,
  listRenditions,
  loadStageResults,
  savePeaks,
  saveRendition,
  saveStage,
  setMissingCover,
  updateTrack,
  type IngestTrack,
} from './queries.ts';
import type { Deps } from '../../deps.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { requireSteadyClock } from '../../jobs/wrong-clock.ts';

/** What later stages need of an analysis; the peaks have a table of their own. */
export type AnalysisResult = Omit<Analysis, 'peaks' | 'energy'> & {
  previewStart: number;
  /** The analysis found it: no administrator chose it. */
  isStartFound?: boolean;
  /** The track's own start at that time; any other one was chosen since. */
  startBeforeMs?: number | null;
};

/** Results of a stage that stay hidden until the run replaces the previous audio. */
export type UnpublishedResult = {
  peaks?: number[];
  files?: RenditionsTable[];
  key?: string | null;
};

const AUDIO_STAGES = ['preview', 'stream', 'downloads'] as const;

/** Start of the preview in seconds: chosen by an administrator, or else found by the analysis. */
export const pickStart = (
  analysis: AnalysisResult,
  { preview_start_ms: chosen }: IngestTrack,
): number =>
  chosen === null || chosen === analysis.startBeforeMs
    ? analysis.previewStart
    : clampPreviewStart(chosen / 1000, analysis.durationSeconds);

export const toMs = (seconds: number): number => Math.round(seconds * 1000);

type Shown = { track: IngestTrack; run: IngestRun; analysis: AnalysisResult; peaks: number[] };

export async function publishAnalysis(tx: Tx, { track, run, analysis, peaks }: Shown, now: number) {
  await savePeaks(tx, track.id, peaks);
  await updateTrack(tx, track.id, {
    duration_ms: toMs(analysis.durationSeconds),
    preview_start_ms: toMs(pickStart(analysis, track)),
    updated_at: now,
  });
  if (analysis.isStartFound)
    await updateRun(tx, run.id, { found_preview_start_ms: toMs(analysis.previewStart) });
}

/** Requests that are reading the old file may finish. */
const deleteLater = (tx: Tx, { track_id: trackId, key }: RenditionsTable, now: number) =>
  enqueue(tx, deleteReplacedFile, { trackId, key }, { now, runAt: now + DELETE_AFTER_MS });

export async function publishRendition(tx: Tx, file: RenditionsTable, now: number) {
  const before = await listRenditions(tx, file.track_id);
  const replaced = before.find((other) => other.name === file.name);
  await saveRendition(tx, file);
  if (replaced && replaced.key !== file.key) await deleteLater(tx, replaced, now);
}

const isSameMaster = (track: IngestTrack, run: IngestRun): boolean =>
  track.master_key === run.previous_master_key ||
  (track.master_sha256 !== null && track.master_sha256 === run.previous_master_sha256);

/** A clip belongs to its audio: made again from the same master it is the same, otherwise it ends. */
async function carryClips(
  tx: Tx,
  track: IngestTrack,
  run: IngestRun,
  files: readonly RenditionsTable[],
  now: number,
) {
  const stream = files.find(({ name }) => name === 'stream');
  if (isSameMaster(track, run) && stream) await moveClipsTo(tx, track.id, stream.key);
  else await removeClipsOf(tx, track.id, now);
}

/** Replaces all of the previous audio at once: old and new files never mix. */
export async function publishAudio(tx: Tx, track: IngestTrack, run: IngestRun, now: number) {
  const results = await loadStageResults(tx, run.id);
  const { peaks = [], ...analysis } = results.get('analysis') as AnalysisResult & UnpublishedResult;
  if (!isSameMaster(track, run)) await keepTracklist(tx, track, now);
  await publishAnalysis(tx, { track, run, analysis, peaks }, now);
  const files = AUDIO_STAGES.flatMap(
    (stage) => (results.get(stage) as UnpublishedResult).files ?? [],
  );
  await carryClips(tx, track, run, files, now);
  for (const file of files) await publishRendition(tx, file, now);
  for (const old of await listRenditions(tx, track.id)) {
    if (files.some(({ name }) => name === old.name)) continue;
    await deleteRendition(tx, old);
    await deleteLater(tx, old, now);
  }
  const { key: coverKey } = (results.get('cover') ?? {}) as UnpublishedResult;
  if (coverKey) await setMissingCover(tx, track.id, coverKey, now);
  await updateTrack(tx, track.id, { status: 'ready', failure: null, updated_at: now });
  await saveStage(tx, { runId: run.id, stage: 'analysis', result: analysis, now });
  for (const stage of AUDIO_STAGES) await saveStage(tx, { runId: run.id, stage, result: {}, now });
  await activateRun(tx, run, now);
}

/** By then every request that was reading the old file has finished. */
export const DELETE_AFTER_MS = 6 * HOUR;

/** Runs some time after a file was replaced. */
export const deleteReplacedFile = defineJob({
  name: 'delete-replaced-file',
  lane: 'files',
  payload: z.object({ trackId: z.string(), key: z.string() }),
  run: async (deps: Deps, { trackId, key }) => {
    await requireSteadyClock(deps);
    const files = await listRenditions(deps.database.db, trackId);
    // A change of tags that was undone uses the old file again.
    if (!files.some((file) => file.key === key)) await deps.storage.delete(key);
  },
});
