import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArtistsTable } from '../../db/types/artist-tables.ts';
import type { Deps } from '../../deps.ts';
import { readFreeBytes } from '../../ports/storage/disk-space.ts';
import { isDiskFull } from '../../http/route/app-error.ts';
import { ConsoleProblem } from '../console/service.ts';
import { listSavedRecordings } from '../recordings/service.ts';
import {
  exportTrack,
  findTrackSource,
  measureSource,
  nameFolder,
  TrackProblem,
  type TrackSource,
} from './export-track.ts';
import { CATALOGUE_FILE, writeJson, type SavedArtist, type SavedTrack } from './manifest.ts';
import { listAliases, listArtists, listTrackIds } from './queries.ts';
import { isSaved, saveStream } from './save-file.ts';

export type Report = (line: string) => void;

const formatBytes = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.ceil(bytes / 1e6)} MB`;

const describeFullDisk = (folder: string, done: number, all: number): string =>
  `The disk of ${folder} is full after ${done} of ${all} mixes. Free up space, or copy the folder to a larger disk; then run the same command again, and it continues.`;

/** Folders of an earlier run by the id of their track. */
async function listFolders(root: string): Promise<Map<string, string>> {
  const folders = new Map<string, string>();
  for (const entry of await readdir(root, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const text = await readFile(join(root, entry.name, 'track.json'), 'utf8').catch(() => '{}');
    try {
      const { id } = JSON.parse(text) as { id?: unknown };
      if (typeof id === 'string') folders.set(id, entry.name);
    } catch {
      // Half of something else: a new folder is written.
    }
  }
  return folders;
}

/** The mix may have a new title or week since the earlier run. */
async function moveFolder(root: string, from: string | undefined, to: string): Promise<void> {
  if (from === undefined || from === to) return;
  await rename(join(root, from), join(root, to)).catch(() => undefined);
}

async function exportArtist(
  { storage }: Deps,
  root: string,
  artist: ArtistsTable,
  aliases: SavedArtist['aliases'],
): Promise<SavedArtist> {
  const { id, name, about, links, picture_key: key } = artist;
  const stored = key ? await storage.open(key) : null;
  const picture =
    stored && (await saveStream(root, `artists/${id}.${key?.split('.').at(-1)}`, stored.stream));
  if (key && !picture)
    throw new ConsoleProblem(`The picture of ${name} is missing from the store.`);
  return { id, fields: { name, about, links: JSON.parse(links) as string[] }, picture, aliases };
}

async function exportArtists(deps: Deps, root: string): Promise<SavedArtist[]> {
  const { db } = deps.database;
  const aliases = await listAliases(db);
  const artists: SavedArtist[] = [];
  for (const artist of await listArtists(db)) {
    const own = aliases
      .filter(({ artist_id }) => artist_id === artist.id)
      .map(({ id, name }) => ({ id, name }));
    artists.push(await exportArtist(deps, root, artist, own));
  }
  return artists;
}

async function listSources(deps: Deps): Promise<TrackSource[]> {
  const sources: TrackSource[] = [];
  for (const id of await listTrackIds(deps.database.db)) {
    const source = await findTrackSource(deps, id);
    if (source) sources.push(source);
  }
  return sources;
}

/** Before hours of copying, not after them. */
async function assertRoom(
  root: string,
  sources: readonly TrackSource[],
  saved: number,
  free: number,
) {
  const needed = sources.reduce((sum, source) => sum + measureSource(source), 0) - saved;
  if (needed > free)
    throw new ConsoleProblem(
      `The catalogue needs ${formatBytes(needed)} more, and the disk of ${root} has ${formatBytes(free)} left. Choose a folder on a larger disk.`,
    );
}

async function measureSaved(root: string, folders: ReadonlyMap<string, string>): Promise<number> {
  let bytes = 0;
  for (const name of folders.values()) {
    const text = await readFile(join(root, name, 'track.json'), 'utf8').catch(() => '{}');
    const { audio, downloads = [] } = JSON.parse(text) as Partial<SavedTrack>;
    for (const file of [audio, ...downloads])
      if (file && (await isSaved(root, file))) bytes += file.size;
  }
  return bytes;
}

export type ExportResult = { saved: number; unchanged: number; failed: number };

type ExportOptions = { report: Report; readFree?: (folder: string) => Promise<number> };

/**
 * Writes the whole catalogue into a folder: per mix its original, the tagged downloads, cover and cue
 * sheet, and for everything one JSON file, which is written last. Run again, it continues.
 */
export async function exportCatalogue(
  deps: Deps,
  root: string,
  { report, readFree = readFreeBytes }: ExportOptions,
): Promise<ExportResult> {
  await mkdir(root, { recursive: true });
  const folders = await listFolders(root);
  const sources = await listSources(deps);
  await assertRoom(root, sources, await measureSaved(root, folders), await readFree(root));
  const tracks: SavedTrack[] = [];
  const taken = new Set(['artists']);
  const result = { saved: 0, unchanged: 0, failed: 0 };
  const done = () => result.saved + result.unchanged;
  for (const [index, source] of sources.entries()) {
    const { id } = source.track;
    const name = nameFolder(source.track, taken);
    taken.add(name.toLowerCase());
    const label = `${index + 1}/${sources.length} ${name}`;
    try {
      await moveFolder(root, folders.get(id), name);
      folders.delete(id);
      const { saved, isNew } = await exportTrack(deps, { root, name }, source);
      tracks.push(saved);
      result[isNew ? 'saved' : 'unchanged'] += 1;
      report(`${label}: ${isNew ? formatBytes(measureSource(source)) : 'unchanged'}`);
    } catch (error) {
      if (isDiskFull(error))
        throw new ConsoleProblem(describeFullDisk(root, done(), sources.length));
      if (!(error instanceof TrackProblem)) throw error;
      result.failed += 1;
      report(`${label}: ${error.message}`);
    }
  }
  try {
    const artists = await exportArtists(deps, root);
    const recordings = await listSavedRecordings(deps.database.db);
    const { siteName } = deps.config;
    const exportedAt = deps.clock.now();
    await writeJson(join(root, CATALOGUE_FILE), {
      format: 1,
      siteName,
      exportedAt,
      artists,
      recordings,
      tracks,
    });
  } catch (error) {
    if (isDiskFull(error)) throw new ConsoleProblem(describeFullDisk(root, done(), sources.length));
    throw error;
  }
  for (const name of folders.values()) report(`${name}: no longer in the catalogue, left as it is`);
  return result;
}
