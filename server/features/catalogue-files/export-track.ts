import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import type { TakeDown } from '#contract/admin/take-downs.ts';
import { TrackValues } from '#contract/track-fields.ts';
import { readEntries } from '../../db/read-chapters.ts';
import type { RenditionsTable, TracksTable } from '../../db/types/tables.ts';
import type { Deps } from '../../deps.ts';
import { toFileName } from '../../http/send/attachment.ts';
import { listSavedRecordings, type SavedRecording } from '../recordings/service.ts';
import { getCatalogueDetail, listTakeDownsOf } from '../catalogue/service.ts';
import { buildCueSheet } from './cue-sheet.ts';
import { SavedTrack, toPath, writeJson, type SavedFile } from './manifest.ts';
import { findTrack, listFiles } from './queries.ts';
import { isSaved, saveBytes, saveStream } from './save-file.ts';

/** Something about one mix; the others are exported all the same. */
export class TrackProblem extends Error {
  override name = 'TrackProblem';
}

/** `2026-W12 Golden Hour`, and the end of the id if another mix of the week has that title. */
export function nameFolder(
  { id, year, week, title }: Pick<TracksTable, 'id' | 'year' | 'week' | 'title'>,
  taken: ReadonlySet<string>,
): string {
  const name = toFileName([`${year}-W${String(week).padStart(2, '0')} ${title}`], 'x').slice(0, -2);
  // Some file systems don't tell capitals apart.
  return taken.has(name.toLowerCase()) ? `${name} (${id.slice(-6)})` : name;
}

const extensionOf = (key: string): string => key.split('.').at(-1) ?? 'bin';

const AUDIO_KINDS = ['flac', 'mp3', 'stream'] as const;
const extensions: Record<string, string> = {
  'audio/mpeg': 'mp3',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'audio/webm': 'webm',
};

export type TrackSource = {
  track: TracksTable;
  files: RenditionsTable[];
  recordings: SavedRecording[];
  takeDowns: TakeDown[];
  masterSize: number | null;
};

/** Undefined if it was deleted since the list was made. */
export async function findTrackSource(
  { database: { db }, storage }: Deps,
  id: string,
): Promise<TrackSource | undefined> {
  const track = await findTrack(db, id);
  if (!track || track.deleted_at !== null) return undefined;
  const master = track.master_key ? await storage.stat(track.master_key) : null;
  const ids = readEntries(track).flatMap(({ recordingId }) => recordingId ?? []);
  return {
    track,
    files: await listFiles(db, id),
    recordings: await listSavedRecordings(db, [...new Set(ids)]),
    takeDowns: await listTakeDownsOf(db, id),
    masterSize: master?.size ?? null,
  };
}

const isDownload = ({ name }: RenditionsTable) => name === 'mp3' || name === 'flac';

export const measureSource = ({ files, masterSize }: TrackSource): number =>
  files.filter(isDownload).reduce((sum, { size }) => sum + size, masterSize ?? 0);

/** Changes with everything that is exported of a track. */
const hashSource = (
  values: TrackValues,
  { track, files, recordings, takeDowns, masterSize }: TrackSource,
): string => {
  const { master_key, cover_key, announced_at, created_at } = track;
  const keys = files.filter(isDownload).map(({ key }) => key);
  const facts = [
    values,
    master_key,
    masterSize,
    cover_key,
    announced_at,
    created_at,
    keys,
    recordings,
    ...takeDowns,
  ];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
};

type Folder = { root: string; name: string };

async function saveKey({ storage }: Deps, { root, name }: Folder, key: string, file: string) {
  const stored = await storage.open(key);
  return stored && saveStream(root, `${name}/${file}`, stored.stream);
}

async function saveAudio(deps: Deps, folder: Folder, source: TrackSource, downloads: SavedFile[]) {
  const { track, files } = source;
  const { master_key: key, master_sha256: expected } = track;
  const saved = key && (await saveKey(deps, folder, key, `original.${extensionOf(key)}`));
  if (saved && expected !== null && saved.sha256 !== expected)
    throw new TrackProblem(
      'its original is damaged: it isn’t the file that was uploaded. Upload it again, or restore it from a backup.',
    );
  if (saved) return { ...saved, kind: 'original' as const };
  for (const kind of AUDIO_KINDS) {
    const file = files.find(({ name }) => name === kind);
    if (!file) continue;
    const extension = extensions[file.media_type] ?? extensionOf(file.key);
    const known = kind !== 'stream' && downloads.find(({ path }) => path.endsWith(`.${extension}`));
    const copy = known || (await saveKey(deps, folder, file.key, `stream.${extension}`));
    if (copy) return { ...copy, kind };
  }
  return null;
}

const pickFields = ({ publishAt: _publishAt, ...values }: TrackValues) => values;

const pickValues = (detail: TrackValues): TrackValues => {
  const names = Object.keys(TrackValues.shape) as (keyof TrackValues)[];
  return Object.fromEntries(names.map((name) => [name, detail[name]])) as TrackValues;
};

type TrackFile = SavedTrack & { source: string };

const trackFile = ({ root, name }: Folder): string => toPath(root, `${name}/track.json`);

/** What an earlier run has saved; null unless it is complete. */
async function findSaved(folder: Folder, source: string): Promise<SavedTrack | null> {
  const text = await readFile(trackFile(folder), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    const value = JSON.parse(text) as TrackFile;
    const saved = SavedTrack.parse(value);
    const { audio, cover, cueSheet, downloads } = saved;
    const files = [audio, cover, cueSheet, ...downloads].filter((file) => file !== null);
    const areThere = await Promise.all(files.map((file) => isSaved(folder.root, file)));
    return value.source === source && areThere.every(Boolean) ? saved : null;
  } catch {
    return null;
  }
}

/** Saves the files of a track, and what is known about it beside them. A complete one is left as it is. */
export async function exportTrack(
  deps: Deps,
  folder: Folder,
  source: TrackSource,
): Promise<{ saved: SavedTrack; isNew: boolean }> {
  const { track, files } = source;
  const values = pickValues(await getCatalogueDetail(deps, track.id));
  const hash = hashSource(values, source);
  const before = await findSaved(folder, hash);
  if (before) return { saved: before, isNew: false };
  // Until it is complete again, it isn't.
  await rm(trackFile(folder), { force: true });
  const title = toFileName([track.title], 'x').slice(0, -2);
  const downloads: SavedFile[] = [];
  for (const { key, name } of files.filter(isDownload)) {
    const saved = await saveKey(deps, folder, key, `${title}.${name}`);
    if (saved) downloads.push(saved);
  }
  const audio = await saveAudio(deps, folder, source, downloads);
  if (!audio) throw new TrackProblem('none of its audio files is stored.');
  const cover = track.cover_key
    ? await saveKey(deps, folder, track.cover_key, `cover.${extensionOf(track.cover_key)}`)
    : null;
  if (track.cover_key && !cover) throw new TrackProblem('its cover is missing from the store.');
  const played = (downloads.find(({ path }) => path.endsWith('.flac')) ?? downloads[0] ?? audio)
    .path;
  const performer = values.artists.map(({ name }) => name).join(', ') || deps.config.siteName;
  const cue = {
    title: track.title,
    performer,
    fileName: played.split('/').at(-1) ?? '',
    chapters: values.chapters.map((chapter) => ({
      ...chapter,
      details: source.recordings.find(({ id }) => id === chapter.recordingId)?.details,
    })),
  };
  const cueSheet =
    values.chapters.length > 0
      ? await saveBytes(folder.root, `${folder.name}/${title}.cue`, Buffer.from(buildCueSheet(cue)))
      : null;
  const saved: SavedTrack = {
    id: track.id,
    fields: pickFields(values),
    publishAt: values.publishAt,
    announcedAt: track.announced_at,
    createdAt: track.created_at,
    takeDowns: source.takeDowns,
    audio,
    cover,
    cueSheet,
    downloads,
  };
  await writeJson(trackFile(folder), { ...saved, source: hash });
  return { saved, isNew: true };
}
