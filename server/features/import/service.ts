import { constants } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Deps } from '../../deps.ts';
import { hashFile } from '../../hash-file.ts';
import { AppError } from '../../http/app-error.ts';
import { listUsableAdministrators } from '../accounts/service.ts';
import { ConsoleProblem } from '../console/service.ts';
import {
  beginUpload,
  findTwin,
  newUploadId,
  receiveUpload,
  uploadPath,
} from '../uploads/service.ts';

export { followImport } from './follow-import.ts';

const AUDIO = /\.(?:wav|wave|flac|mp3|m4a|aac|aiff?|ogg|opus)$/i;

type Report = (line: string) => void;

/** Sorted by name, so that weeks arrive in their order. */
export async function listAudio(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => {
    throw new ConsoleProblem(`${folder} is not a folder that can be read.`);
  });
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

/** Null when a mix was made of the same bytes already. */
async function importFile(deps: Deps, path: string, userId: string): Promise<string | null> {
  const { size, sha256 } = await hashFile(path);
  if (await findTwin(deps.database.db, sha256, null)) return null;
  const id = newUploadId(deps);
  const target = uploadPath(deps.config, id);
  await mkdir(dirname(target), { recursive: true });
  await beginUpload(deps, { id, userId, fileName: path, size });
  await copyFile(path, target, constants.COPYFILE_FICLONE);
  await receiveUpload(deps, id);
  return id;
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
  let known = 0;
  let refused = 0;
  for (const [index, path] of paths.entries()) {
    const name = relative(folder, path);
    const place = `${index + 1}/${paths.length} ${name}`;
    try {
      const uploadId = await importFile(deps, path, userId);
      if (uploadId === null) known += 1;
      else imported.push({ name, uploadId });
      report(`${place}: ${uploadId === null ? 'here already' : 'taken'}`);
    } catch (error) {
      // One bad file is no reason to leave the others out.
      if (!(error instanceof AppError)) throw error;
      refused += 1;
      report(`${place}: ${error.message}`);
    }
  }
  return { imported, known, refused };
}
