import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { toPath, type SavedFile } from './manifest.ts';

/** Writes a stream to a file of the folder, and hashes it on the way. The name appears with the last byte. */
export async function saveStream(
  folder: string,
  path: string,
  stream: Readable,
): Promise<SavedFile> {
  const target = toPath(folder, path);
  await mkdir(dirname(target), { recursive: true });
  const hash = createHash('sha256');
  let size = 0;
  async function* measure(source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  }
  const part = `${target}.part`;
  try {
    await pipeline(stream, measure, createWriteStream(part, { flush: true }));
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await rename(part, target);
  return { path, size, sha256: hash.digest('hex') };
}

export const saveBytes = (folder: string, path: string, bytes: Buffer): Promise<SavedFile> =>
  saveStream(folder, path, Readable.from([bytes]));

/** Whether the file is there with all of its bytes. The import checks what is in them. */
export const isSaved = (folder: string, { path, size }: SavedFile): Promise<boolean> =>
  stat(toPath(folder, path)).then(
    (found) => found.size === size,
    () => false,
  );
