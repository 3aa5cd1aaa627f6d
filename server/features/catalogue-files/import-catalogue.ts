import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { EMPTY_TRACK_FIELDS, findSlotProblem, type TrackFields } from '#contract/track-fields.ts';
import type { Deps } from '../../deps.ts';
import { hashFile } from '../../ports/storage/hash-file.ts';
import { AppError, isDiskFull } from '../../http/route/app-error.ts';
import {
  createTrack,
  importTakeDowns,
  removeCover,
  storeExportedCover,
} from '../catalogue/service.ts';
import { importRecordings } from '../recordings/service.ts';
import { assertDiskSpace, findTrackBySha256 } from '../uploads/service.ts';
import type { Report } from './export-catalogue.ts';
import {
  toPath,
  type SavedArtist,
  type SavedCatalogue,
  type SavedFile,
  type SavedTrack,
} from './manifest.ts';
import { artistExists, findTrack, insertArtist, updateImported } from './queries.ts';

type Outcome = 'created' | 'known';
type Result = { outcome: Outcome; text: string };

/** Something about one mix; the others are imported all the same. */
class Refused extends Error {
  override name = 'Refused';
}

async function checkFile(folder: string, file: SavedFile): Promise<string> {
  const path = toPath(folder, file.path);
  const found = await hashFile(path).catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Refused(`${file.path} can’t be read (${code ?? message}).`);
  });
  if (found.sha256 !== file.sha256)
    throw new Refused(`${file.path} is damaged: it has changed since it was exported.`);
  return path;
}

const storePicture = async (deps: Deps, folder: string, file: SavedFile | null) =>
  file && storeExportedCover(deps, await readFile(await checkFile(folder, file)));

/** The same for the same file, so that a second attempt overwrites what a killed one has left. */
const buildRunId = ({ id }: SavedTrack, { sha256 }: SavedFile): string =>
  createHash('sha256').update(`${id}:${sha256}`).digest('hex').slice(0, 26);

async function storeMaster(deps: Deps, folder: string, { audio, ...track }: SavedTrack) {
  if (!audio) throw new Refused('its audio is not in the folder.');
  const extension = /\.([a-z0-9]{1,5})$/.exec(audio.path.toLowerCase())?.[1];
  if (!extension) throw new Refused(`${audio.path} isn’t an audio file.`);
  const path = await checkFile(folder, audio);
  if (deps.storage.localPath) await assertDiskSpace(deps, audio.size);
  const runId = buildRunId({ audio, ...track }, audio);
  const masterKey = `masters/${runId}.${extension}`;
  await deps.storage.put(masterKey, createReadStream(path, { highWaterMark: 1024 * 1024 }));
  if ((await deps.storage.stat(masterKey))?.size !== audio.size)
    throw new Error(`The store lost ${audio.path}.`);
  return { runId, masterKey, sha256: audio.sha256 };
}

function buildFields({ fields, publishAt }: SavedTrack): TrackFields {
  const release =
    publishAt === null ? { kind: 'draft' as const } : { kind: 'at' as const, at: publishAt };
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    ...EMPTY_TRACK_FIELDS,
    ...(Object.fromEntries(known) as typeof fields),
    release,
  } as TrackFields;
}

async function findKnown(deps: Deps, track: SavedTrack, ids: ReadonlySet<string>) {
  const { db } = deps.database;
  const same = await findTrack(db, track.id);
  if (same?.deleted_at) return 'it was deleted here. Restore it under Mixes, Bulk edit.';
  if (same) return 'already here';
  const other = track.audio && (await findTrackBySha256(db, track.audio.sha256, null));
  // An export may have the same audio twice, because an administrator wanted that.
  return other && !ids.has(other.id) ? 'its audio is already here as another mix' : null;
}

async function importTrack(
  deps: Deps,
  folder: string,
  track: SavedTrack,
  { tracks, recordings }: SavedCatalogue,
): Promise<Result> {
  const known = await findKnown(deps, track, new Set(tracks.map(({ id }) => id)));
  if (known) return { outcome: 'known', text: known };
  const slotProblem = findSlotProblem(track.fields);
  if (slotProblem) throw new Refused(slotProblem);
  const coverKey = await storePicture(deps, folder, track.cover);
  const master = await storeMaster(deps, folder, track);
  await deps.database.db.transaction().execute(async (tx) => {
    const fields = buildFields(track);
    const played = new Set(fields.chapters.map(({ recordingId }) => recordingId));
    const own = recordings.filter(({ id }) => played.has(id));
    await importRecordings(tx, own, deps.clock.now());
    await createTrack(deps, tx, { id: track.id, fields, coverKey, userId: null, ...master });
    // A release of last week isn't announced again.
    const { announcedAt: announced_at, createdAt: created_at } = track;
    await updateImported(tx, track.id, { announced_at, created_at });
    await importTakeDowns(tx, track.id, track.takeDowns);
  });
  deps.jobs.wake();
  return { outcome: 'created', text: 'stored' };
}

async function importArtist(deps: Deps, folder: string, artist: SavedArtist): Promise<boolean> {
  if (await artistExists(deps.database.db, artist)) return false;
  const pictureKey = await storePicture(deps, folder, artist.picture);
  const now = deps.clock.now();
  return deps.database.db
    .transaction()
    .execute((tx) => insertArtist(tx, artist, { pictureKey, now }));
}

/** Null when the problem isn't about this mix alone. */
function describeProblem(error: unknown): string | null {
  if (error instanceof Refused || error instanceof AppError) return error.message;
  if (isDiskFull(error)) return 'The server’s disk is full. Free up space, then import it again.';
  return null;
}

export type CatalogueImport = {
  /** Those that are being processed now, also by an earlier run. */
  created: SavedTrack[];
  known: number;
  refused: number;
};

/** Creates every mix of an exported catalogue that isn't here yet, under its own id, so that links stay. */
export async function importCatalogue(
  deps: Deps,
  folder: string,
  catalogue: SavedCatalogue,
  report: Report,
): Promise<CatalogueImport> {
  const { artists, tracks } = catalogue;
  const result: CatalogueImport = { created: [], known: 0, refused: 0 };
  const refuse = (label: string, error: unknown) => {
    const problem = describeProblem(error);
    if (problem === null) throw error;
    result.refused += 1;
    report(`${label}: ${problem}`);
  };
  for (const artist of artists)
    await importArtist(deps, folder, artist).catch((error: unknown) =>
      refuse(artist.fields.name, error),
    );
  for (const [index, track] of tracks.entries()) {
    const { title, year, week } = track.fields;
    const label = `${index + 1}/${tracks.length} ${year}-W${week} ${title}`;
    try {
      const { outcome, text } = await importTrack(deps, folder, track, catalogue);
      if (outcome === 'created') result.created.push(track);
      else {
        result.known += 1;
        const row = await findTrack(deps.database.db, track.id);
        if (row?.status === 'processing') result.created.push(track);
      }
      report(`${label}: ${text}`);
    } catch (error) {
      refuse(label, error);
    }
  }
  return result;
}

async function describeState({ database: { db } }: Deps, id: string) {
  const row = await findTrack(db, id);
  const progress = `${Math.floor((row?.progress ?? 0) / 10) * 10} %`;
  if (row?.status === 'processing') return { text: progress, isOpen: true, isFailed: false };
  if (row?.status === 'ready') return { text: 'ready', isOpen: false, isFailed: false };
  return { text: row?.failure ?? 'was removed', isOpen: false, isFailed: true };
}

/** A picture inside the audio isn't the cover of a mix that had none. */
async function removeFoundCover(deps: Deps, track: SavedTrack) {
  const { id, audio, cover } = track;
  const row = cover || !audio ? undefined : await findTrack(deps.database.db, id);
  if (audio && row?.cover_key === `covers/${buildRunId(track, audio)}.webp`)
    await removeCover(deps, 'console', id);
}

type Watch = { report: Report; pause: () => Promise<unknown> };

/** Reports progress until every mix is processed. Returns how many failed. */
export async function finishImport(
  deps: Deps,
  tracks: readonly SavedTrack[],
  { report, pause }: Watch,
): Promise<number> {
  const reported = new Map<string, string>();
  for (;;) {
    const states = [];
    for (const { id, fields } of tracks) {
      const state = await describeState(deps, id);
      states.push(state);
      if (reported.get(id) !== state.text) report(`${fields.title}: ${state.text}`);
      reported.set(id, state.text);
    }
    if (!states.some(({ isOpen }) => isOpen)) {
      for (const track of tracks) await removeFoundCover(deps, track);
      return states.filter(({ isFailed }) => isFailed).length;
    }
    await pause();
  }
}
