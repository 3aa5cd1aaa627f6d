import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Deps } from '../../deps.ts';
import { hashFile } from '../../hash-file.ts';
import { AppError, isDiskFull } from '../../http/app-error.ts';
import { listUsableAdministrators } from '../accounts/service.ts';
import { ConsoleProblem } from '../console/service.ts';
import {
  assertRoom,
  beginUpload,
  findTwin,
  findWaiting,
  newUploadId,
  receiveUpload,
  uploadPath,
} from '../uploads/service.ts';

export { followImport } from './follow-import.ts';

const AUDIO = /\.(?:wav|wave|flac|mp3|m4a|aac|aiff?|ogg|opus)$/i;

type Report = (line: string) => void;

/** Sorted by name, so that weeks arrive in their order. */
export async function listAudio(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      const { path = folder } = error as NodeJS.ErrnoException;
      throw new ConsoleProblem(`${path} is not a folder that can be read.`);
    },
  );
  const paths = entries
    .filter((entry) => entry.isFile() && AUDIO.test(entry.name) && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  if (paths.length === 0)
    throw new ConsoleProblem(`${folder} holds no audio files (WAV, FLAC, MP3, AAC, AIFF, Ogg).`);
  return paths;
}

/** Uploads belong to somebody: to whoever has run the site for longest. */
async function findOwner(deps: Deps): Promise<string> {
  const administrators = await deps.database.db
    .transaction()
    .execute((tx) => listUsableAdministrators(tx, deps));
  const [owner] = administrators;
  if (!owner)
    throw new ConsoleProblem('There is no administrator yet: npm run admin -- create makes one.');
  return owner.id;
}

const unreadable = /^E(?:ACCES|PERM|NOENT|IO|ISDIR|LOOP|NAMETOOLONG)$/;

/** What is wrong with this one file; anything else is wrong with all of them. */
function describeProblem(error: unknown): string | null {
  if (error instanceof AppError) return error.message;
  if (isDiskFull(error)) return 'The disk of the server is full. Make room, then import it again.';
  const { code } = error as NodeJS.ErrnoException;
  return code && unreadable.test(code) ? `The file could not be read (${code}).` : null;
}

/**
 * The file first, then all that is said of it: whoever stops this leaves nothing but a file that
 * belongs to nothing, which the sweep finds.
 */
async function takeFile(
  deps: Deps,
  path: string,
  { size, sha256, userId }: { size: number; sha256: string; userId: string },
): Promise<string> {
  const id = newUploadId(deps);
  const target = uploadPath(deps.config, id);
  await mkdir(dirname(target), { recursive: true });
  await assertRoom(deps, size);
  try {
    await copyFile(path, target, constants.COPYFILE_FICLONE);
    await beginUpload(deps, { id, userId, fileName: path, size, sha256 });
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  }
  await receiveUpload(deps, id);
  return id;
}

/** Null when a mix was made of the same bytes already, or the folder holds them twice. */
async function importFile(
  deps: Deps,
  path: string,
  { userId, taken }: { userId: string; taken: ReadonlySet<string> },
): Promise<string | null> {
  const file = await hashFile(path);
  if (await findTwin(deps.database.db, file.sha256, null)) return null;
  const waiting = await findWaiting(deps.database.db, file.sha256);
  if (!waiting) return takeFile(deps, path, { ...file, userId });
  // An import that was stopped goes on with it.
  return taken.has(waiting.id) ? null : waiting.id;
}

export type Imported = { name: string; uploadId: string };

/** Hands every audio file of a folder to the ingest, once: what is there already is left alone. */
export async function importFolder(
  deps: Deps,
  folder: string,
  report: Report,
): Promise<{ imported: Imported[]; known: number; refused: number }> {
  const paths = await listAudio(folder);
  const userId = await findOwner(deps);
  const imported: Imported[] = [];
  const taken = new Set<string>();
  let known = 0;
  let refused = 0;
  for (const [index, path] of paths.entries()) {
    const name = relative(folder, path);
    const place = `${index + 1}/${paths.length} ${name}`;
    try {
      const uploadId = await importFile(deps, path, { userId, taken });
      if (uploadId === null) known += 1;
      else {
        imported.push({ name, uploadId });
        taken.add(uploadId);
      }
      report(`${place}: ${uploadId === null ? 'here already' : 'taken'}`);
    } catch (error) {
      // One bad file is no reason to leave the others out.
      const problem = describeProblem(error);
      if (problem === null) throw error;
      refused += 1;
      report(`${place}: ${problem}`);
    }
  }
  return { imported, known, refused };
}
