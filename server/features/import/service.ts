import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import {
  isTracklistFile,
  pairByName,
  type AudioFile,
  type PairedFiles,
} from '#contract/tracklists/tracklist-files.ts';
import type { Deps } from '../../deps.ts';
import { hashFile } from '../../ports/storage/hash-file.ts';
import { AppError, isDiskFull } from '../../http/route/app-error.ts';
import { listUsableAdministrators } from '../accounts/service.ts';
import { ConsoleProblem } from '../console/service.ts';
import {
  addPart,
  assertDiskSpace,
  createUpload,
  findTrackBySha256,
  findReceivedUpload,
  newUploadId,
  markUploadReceived,
  uploadPath,
} from '../uploads/service.ts';
import { readTracklistBeside } from './tracklist-beside.ts';

const AUDIO = /\.(?:wav|wave|flac|mp3|m4a|aac|aiff?|ogg|opus)$/i;

type Report = (line: string) => void;

/** Every mix with the tracklists beside it. Sorted by name, so that weeks are imported in order. */
async function listAudioFiles(folder: string): Promise<PairedFiles<{ name: string }>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      const { path = folder } = error as NodeJS.ErrnoException;
      throw new ConsoleProblem(`${path} is not a readable folder.`);
    },
  );
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .filter(({ name }) => AUDIO.test(name) || isTracklistFile(name))
    .map((entry) => ({ name: join(entry.parentPath, entry.name) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const paired = pairByName(files);
  if (paired.audioFiles.length === 0)
    throw new ConsoleProblem(`${folder} has no audio files (WAV, FLAC, MP3, AAC, AIFF, Ogg).`);
  return paired;
}

/** The uploads belong to the longest-serving administrator. */
async function findOwner(deps: Deps): Promise<string> {
  const administrators = await deps.database.db
    .transaction()
    .execute((tx) => listUsableAdministrators(tx, deps));
  const [owner] = administrators;
  if (!owner)
    throw new ConsoleProblem('No administrator yet. Create one with: npm run admin -- create');
  return owner.id;
}

const unreadable = /^E(?:ACCES|PERM|NOENT|IO|ISDIR|LOOP|NAMETOOLONG)$/;

/** Null when the problem isn't about this file alone. */
function describeProblem(error: unknown): string | null {
  if (error instanceof AppError) return error.message;
  if (isDiskFull(error)) return 'The server’s disk is full. Free up space, then import it again.';
  const { code } = error as NodeJS.ErrnoException;
  return code && unreadable.test(code) ? `Couldn’t read the file (${code}).` : null;
}

/** Copies the file before it creates the upload: a crash leaves only a file, which the sweep deletes. */
async function copyToUploads(
  deps: Deps,
  path: string,
  { size, sha256, userId, draft }: { size: number; sha256: string; userId: string; draft: string },
): Promise<string> {
  const id = newUploadId(deps);
  const target = uploadPath(deps.config, id);
  await mkdir(dirname(target), { recursive: true });
  await assertDiskSpace(deps, size);
  try {
    await copyFile(path, target, constants.COPYFILE_FICLONE);
    await createUpload(deps, { id, userId, fileName: path, size, sha256, draft });
    await addPart(deps, { id, firstByte: 0, size, path: target });
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  }
  await markUploadReceived(deps, id);
  return id;
}

type FileImport = { uploadId: string | null; notes: string[] };

/** The upload is null when there is a track with the same bytes, or the folder has the file twice. */
async function importFile(
  deps: Deps,
  { audio: { name: path }, tracklists }: AudioFile<{ name: string }>,
  { userId, started }: { userId: string; started: ReadonlySet<string> },
): Promise<FileImport> {
  const file = await hashFile(path);
  const unread = tracklists.map(
    ({ name }) => `${basename(name)}: not read, the mix is there already`,
  );
  const known = { uploadId: null, notes: unread };
  if (await findTrackBySha256(deps.database.db, file.sha256, null)) return known;
  const waiting = await findReceivedUpload(deps.database.db, file.sha256);
  // An interrupted import continues with it.
  if (waiting) return started.has(waiting.id) ? known : { uploadId: waiting.id, notes: [] };
  const { draft, notes } = await readTracklistBeside(tracklists.map(({ name }) => name));
  return {
    uploadId: await copyToUploads(deps, path, { ...file, userId, draft: JSON.stringify(draft) }),
    notes,
  };
}

export type Imported = { name: string; uploadId: string };

/** Uploads every audio file of a folder, except those that were imported before. */
export async function importFolder(
  deps: Deps,
  folder: string,
  report: Report,
): Promise<{ imported: Imported[]; duplicates: number; refused: number }> {
  const { audioFiles, unpaired } = await listAudioFiles(folder);
  const userId = await findOwner(deps);
  const imported: Imported[] = [];
  const started = new Set<string>();
  let duplicates = 0;
  let refused = 0;
  for (const [index, files] of audioFiles.entries()) {
    const name = relative(folder, files.audio.name);
    const label = `${index + 1}/${audioFiles.length} ${name}`;
    try {
      const { uploadId, notes } = await importFile(deps, files, { userId, started });
      if (uploadId === null) duplicates += 1;
      else {
        imported.push({ name, uploadId });
        started.add(uploadId);
      }
      report(`${label}: ${uploadId === null ? 'already imported' : 'uploaded'}`);
      for (const note of notes) report(`  ${note}`);
    } catch (error) {
      // One bad file must not stop the others.
      const problem = describeProblem(error);
      if (problem === null) throw error;
      refused += 1;
      report(`${label}: ${problem}`);
    }
  }
  for (const { name } of unpaired)
    report(`${relative(folder, name)}: not read, no mix has this name`);
  return { imported, duplicates, refused };
}

type ImportState = { text: string; isDone: boolean; isGood: boolean };

const waiting = (text: string): ImportState => ({ text, isDone: false, isGood: false });
const finished = (text: string, isGood: boolean): ImportState => ({ text, isDone: true, isGood });

async function loadState({ database }: Deps, uploadId: string): Promise<ImportState> {
  const row = await database.db
    .selectFrom('uploads')
    .leftJoin('tracks', 'tracks.id', 'uploads.track_id')
    .select([
      'uploads.state',
      'uploads.failure as refusal',
      'tracks.status',
      'tracks.progress',
      'tracks.failure',
      'tracks.year',
      'tracks.week',
    ])
    .where('uploads.id', '=', uploadId)
    .executeTakeFirst();
  if (!row) return finished('upload was removed', false);
  if (row.state === 'duplicate') return finished('already imported', true);
  if (row.state === 'refused') return finished(row.refusal ?? 'rejected', false);
  if (row.status === 'ready') return finished(`ready as ${row.year} week ${row.week}`, true);
  if (row.status === 'failed') return finished(row.failure ?? 'failed', false);
  return waiting(
    row.status === null ? 'waiting' : `${Math.floor((row.progress ?? 0) / 10) * 10} %`,
  );
}

/** Reports progress until every file is finished. Returns the number of failures. */
export async function reportImport(
  deps: Deps,
  imported: readonly Imported[],
  { report, pause }: { report: (line: string) => void; pause: () => Promise<unknown> },
): Promise<number> {
  const reported = new Map<string, string>();
  for (;;) {
    let open = 0;
    let failed = 0;
    for (const { name, uploadId } of imported) {
      const { text, isDone, isGood } = await loadState(deps, uploadId);
      if (reported.get(uploadId) !== text) report(`${name}: ${text}`);
      reported.set(uploadId, text);
      if (!isDone) open += 1;
      else if (!isGood) failed += 1;
    }
    if (open === 0) return failed;
    await pause();
  }
}
