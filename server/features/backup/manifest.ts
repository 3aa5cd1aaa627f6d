import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { hashFile } from '../../hash-file.ts';
import { ConsoleProblem } from '../console/service.ts';

const Entry = z.object({ size: z.int().min(0), sha256: z.string().length(64) });
type Entry = z.infer<typeof Entry>;

/** A relative path of plain names: nothing in a manifest climbs out of its folder. */
const FilePath = z.string().regex(/^[a-z0-9][\w.-]*(?:\/[a-z0-9][\w.-]*)*$/i);
const Name = z.string().regex(/^[a-z_0-9]+$/);

export const Manifest = z.object({
  format: z.literal(1),
  createdAt: z.int(),
  /** In the order they ran: the tables look as these left them. */
  migrations: z.array(z.string()),
  tables: z.record(Name, Entry.extend({ rows: z.int().min(0) })),
  /** Null when they are kept in a store of their own. */
  files: z.record(FilePath, Entry).nullable(),
});
export type Manifest = z.infer<typeof Manifest>;

export const tablePath = (folder: string, table: string): string =>
  join(folder, 'tables', `${table}.jsonl`);
export const filePath = (folder: string, key: string): string =>
  join(folder, 'files', ...key.split('/'));
const manifestPath = (folder: string): string => join(folder, 'manifest.json');

/** Last of all: a folder without one is no backup. */
export const writeManifest = (folder: string, manifest: Manifest): Promise<void> =>
  writeFile(manifestPath(folder), JSON.stringify(manifest, null, 1), { flag: 'wx' });

export async function readManifest(folder: string): Promise<Manifest> {
  try {
    return Manifest.parse(JSON.parse(await readFile(manifestPath(folder), 'utf8')));
  } catch {
    throw new ConsoleProblem(
      `${folder} holds no complete backup: its manifest.json cannot be read.`,
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
      `The backup is damaged: ${path} is not what was saved. Nothing was restored.`,
    );
}

/** Every byte, before the first one is put anywhere. */
export async function checkBackup(folder: string, manifest: Manifest): Promise<void> {
  for (const [table, entry] of Object.entries(manifest.tables))
    await check(tablePath(folder, table), entry);
  for (const [key, entry] of Object.entries(manifest.files ?? {}))
    await check(filePath(folder, key), entry);
}
