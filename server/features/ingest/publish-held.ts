import type { Tx } from '../../db/connect.ts';
import type { TrackFilesTable } from '../../db/tables.ts';
import { enqueue } from '../../jobs/queue.ts';
import type { Analysis } from '../../ports/media/media.ts';
import { clampPreviewStart } from '../../ports/media/preview-window.ts';
import { writeBegun, type Begun } from './current-ingest.ts';
import {
  giveCover,
  listDoneStages,
  listFiles,
  recordStage,
  removeFile,
  saveFile,
  savePeaks,
  updateTrack,
  type IngestTrack,
} from './queries.ts';
import { DROP_AFTER_MS, dropReplacedFile } from './replaced-file.ts';

/** Only what the later stages need is kept of an analysis; the peaks have a table of their own. */
export type Analysed = Omit<Analysis, 'peaks' | 'energy'> & {
  previewStart: number;
  /** Nobody chose it. */
  isStartFound?: boolean;
  /** The track's own place when this one was decided; any other was chosen since. */
  startBeforeMs?: number | null;
};

/** What a stage has made that nobody may see yet. */
export type Held = { peaks?: number[]; files?: TrackFilesTable[]; key?: string | null };

const AUDIO_STAGES = ['preview', 'stream', 'downloads'] as const;

/** Where the preview begins, in seconds: where a person says, else where the analysis says. */
export const startOf = (analysis: Analysed, { preview_start_ms: chosen }: IngestTrack): number =>
  chosen === null || chosen === analysis.startBeforeMs
    ? analysis.previewStart
    : clampPreviewStart(chosen / 1000, analysis.durationSeconds);

export const toMs = (seconds: number): number => Math.round(seconds * 1000);

export async function showAnalysis(
  tx: Tx,
  track: IngestTrack,
  analysis: Analysed & Held,
  now: number,
) {
  await savePeaks(tx, track.id, analysis.peaks ?? []);
  await updateTrack(tx, track.id, {
    duration_ms: toMs(analysis.durationSeconds),
    preview_start_ms: toMs(startOf(analysis, track)),
    updated_at: now,
  });
}

/** Whoever reads the file of before at this moment may finish. */
const dropLater = (tx: Tx, { track_id: trackId, key }: TrackFilesTable, now: number) =>
  enqueue(tx, dropReplacedFile, { trackId, key }, { now, runAt: now + DROP_AFTER_MS });

export async function putFileInPlace(tx: Tx, file: TrackFilesTable, now: number) {
  const files = await listFiles(tx, file.track_id);
  const before = files.find((other) => other.kind === file.kind);
  await saveFile(tx, file);
  if (before && before.key !== file.key) await dropLater(tx, before, now);
}

/** What is kept of the begun ingest after its analysis is shown. */
export const noteFoundStart = (begun: Begun, { isStartFound, previewStart }: Analysed): Begun =>
  isStartFound ? { ...begun, foundStartMs: toMs(previewStart) } : begun;

/** All of the new sound takes the place of all of the old: no file of one stays beside the other. */
export async function publishHeld(tx: Tx, track: IngestTrack, begun: Begun, now: number) {
  const done = await listDoneStages(tx, track.id);
  const analysis = done.get('analysis') as Analysed & Held;
  await showAnalysis(tx, track, analysis, now);
  const files = AUDIO_STAGES.flatMap((stage) => (done.get(stage) as Held).files ?? []);
  for (const file of files) await putFileInPlace(tx, file, now);
  for (const old of await listFiles(tx, track.id)) {
    if (files.some(({ kind }) => kind === old.kind)) continue;
    await removeFile(tx, old);
    await dropLater(tx, old, now);
  }
  const { key: coverKey } = (done.get('cover') ?? {}) as Held;
  if (coverKey) await giveCover(tx, track.id, coverKey, now);
  await updateTrack(tx, track.id, { status: 'ready', failure: null, updated_at: now });
  const { peaks: _shown, ...kept } = analysis;
  await recordStage(tx, { trackId: track.id, stage: 'analysis', result: kept, now });
  for (const stage of AUDIO_STAGES)
    await recordStage(tx, { trackId: track.id, stage, result: {}, now });
  const { heard: _replaced, ...ended } = noteFoundStart(begun, analysis);
  await writeBegun(tx, track.id, ended, now);
}
