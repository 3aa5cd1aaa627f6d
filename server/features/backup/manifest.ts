import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { hashFile } from '../../ports/storage/hash-file.ts';
import { ConsoleProblem } from '../console/service.ts';

const Entry = z.object({ size: z.int().min(0), sha256: z.string().length(64) });
type Entry = z.infer<typeof Entry>;

/** A relative path of plain names, so that nothing in a manifest leaves its folder. */
const FilePath = z.string().regex(/^[a-z0-9][\w.-]*(?:\/[a-z0-9][\w.-]*)*$/i);
const Name = z.string().regex(/^[a-z_0-9]+$/);

export const Manifest = z.object({
  format: z.literal(1),
  createdAt: z.int(),
  /** In the order they ran. They produced the tables of this backup. */
  migrations: z.array(z.string()),
  tables: z.record(Name, Entry.extend({ rows: z.int().min(0) })),
  /** Null when the files are in S3. */
  files: z.record(FilePath, Entry).nullable(),
});
export type Manifest = z.infer<typeof Manifest>;

export const tablePath = (folder: string, table: string): string =>
  join(folder, 'tables', `${table}.jsonl`);
export const filePath = (folder: string, key: string): string =>
  join(folder, 'files', ...key.split('/'));
const manifestPath = (folder: string): string => join(folder, 'manifest.json');

/** Written last, so that a folder without one is not a complete backup. */
export const writeManifest = (folder: string, manifest: Manifest): Promise<void> =>
  writeFile(manifestPath(folder), JSON.stringify(manifest, null, 1), { flag: 'wx' });

export async function readManifest(folder: string): Promise<Manifest> {
  try {
    return Manifest.parse(JSON.parse(await readFile(manifestPath(folder), 'utf8')));
  } catch {
    throw new ConsoleProblem(
      `${folder} is not a complete backup: its manifest.json is missing or invalid.`,
    );
  }
}

async function check(path: string, expected: Entry) {
  const isThere = await stat(path).then(
    (found) => found.size === expected.size,
    () => false,
  );
  const isSame = isThere && (await hashFile(path)).sha256 === expected.sha256;
  if (!isSame)
    throw new ConsoleProblem(
      `The backup is damaged: ${path} has changed since it was saved. Nothing was restored.`,
    );
}

/** Checks every byte before anything is restored. */
export async function checkBackup(folder: string, manifest: Manifest): Promise<void> {
  for (const [table, entry] of Object.entries(manifest.tables))
    await check(tablePath(folder, table), entry);
  for (const [key, entry] of Object.entries(manifest.files ?? {}))
    await check(filePath(folder, key), entry);
}
