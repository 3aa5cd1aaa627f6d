import type {
  EntryProblem,
  Recording,
  TrackEntry,
  TrackRecordings,
} from '#contract/admin/recordings.ts';
import type { Page, PageQuery } from '#contract/paging.ts';
import { readWords } from '#contract/rules/search-words.ts';
import {
  findGaps,
  NO_DETAILS,
  parseIsrc,
  type RecordingDetails,
} from '#contract/tracklists/recording.ts';
import type { Db, Tx } from '../../db/connect.ts';
import { readEntries, type Entry } from '../../db/read-chapters.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { recordAction } from '../audit/service.ts';
import { getEditableTrack } from '../catalogue/service.ts';
import { publishSignal } from '../live/service.ts';
import {
  buildRecording,
  compareRecordings,
  completeDetails,
  fillIn,
  hasDetails,
  isSame,
  nextUpdate,
  toDetailColumns,
  toDetails,
} from './details.ts';
import {
  deleteRecording,
  findByIsrc,
  findByNames,
  findRecordings,
  insertRecording,
  listPlayedIn,
  listRecordings,
  lockLinks,
  movePlayed,
  updateChapters,
  updateRecording,
  type ListedGap,
  type PlayedIn,
  type RecordingRow,
} from './queries.ts';
import { isNamed, toRecordingKey } from './recording-key.ts';
import { indexRecordings } from './service.ts';

const toTrackName = ({ id, title, week, year }: PlayedIn) => ({
  id,
  title,
  weekNumber: week,
  year,
});
const toName = ({ id, artist, title }: RecordingRow) => ({ id, artist, title });

/** Other recordings with the same ISRC. */
type Twins = (row: RecordingRow | undefined) => RecordingRow[];

async function findTwins(db: Db, rows: readonly RecordingRow[]): Promise<Twins> {
  const codes = new Set(rows.flatMap(({ isrc }) => isrc ?? []));
  const all = Map.groupBy(await findByIsrc(db, [...codes]), ({ isrc }) => isrc);
  return (row) =>
    row?.isrc ? (all.get(row.isrc) ?? []).filter((other) => other.id !== row.id) : [];
}

const listProblems = (
  entry: Parameters<typeof findGaps>[0],
  twins: readonly RecordingRow[],
): EntryProblem[] => [
  ...findGaps(entry).map((kind) => ({ kind })),
  ...(twins.length > 0 ? [{ kind: 'sharedIsrc' as const, recordings: twins.map(toName) }] : []),
];

async function findSuggestions(db: Db, trackId: string, entries: readonly Entry[]) {
  const open = entries.filter((entry) => entry.recordingId === undefined && isNamed(entry));
  const found = await findByNames(db, [...new Set(open.map(toRecordingKey))]);
  const played = await listPlayedIn(db, [...new Set(found.map(({ id }) => id))]);
  const inOthers = Map.groupBy(
    played.filter(({ id }) => id !== trackId),
    (row) => row.recording_id,
  );
  const rank = ({ id }: RecordingRow) => {
    const newest = inOthers.get(id)?.[0];
    return newest ? newest.year * 100 + newest.week : 0;
  };
  return (entry: Entry): TrackEntry['suggestion'] => {
    if (!open.includes(entry)) return null;
    const key = toRecordingKey(entry);
    const [row] = found.filter((each) => each.key === key).toSorted((a, b) => rank(b) - rank(a));
    const newest = row && inOthers.get(row.id)?.[0];
    return row
      ? {
          recordingId: row.id,
          details: toDetails(row),
          updatedAt: row.updated_at,
          track: newest ? toTrackName(newest) : null,
        }
      : null;
  };
}

async function presentTrack(db: Db, track: TracksTable): Promise<TrackRecordings> {
  const entries = readEntries(track);
  const ids = [...new Set(entries.flatMap(({ recordingId }) => recordingId ?? []))];
  const rows = await findRecordings(db, ids);
  const [played, twins, suggest] = await Promise.all([
    listPlayedIn(db, ids),
    findTwins(db, rows),
    findSuggestions(db, track.id, entries),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const inOthers = Map.groupBy(
    played.filter(({ id }) => id !== track.id),
    (row) => row.recording_id,
  );
  return {
    version: track.version,
    title: track.title,
    week: track.week,
    year: track.year,
    duration: track.duration_ms / 1000,
    entries: entries.map((entry) => {
      const { at, artist, title, recordingId } = entry;
      const row = recordingId === undefined ? undefined : byId.get(recordingId);
      const details = row ? toDetails(row) : NO_DETAILS;
      return {
        at,
        artist,
        title,
        recordingId: row?.id ?? null,
        details,
        updatedAt: row?.updated_at ?? null,
        otherTracks: (row && inOthers.get(row.id)?.length) ?? 0,
        suggestion: suggest(entry),
        problems: listProblems({ at, artist: row?.artist ?? artist, details }, twins(row)),
      };
    }),
  };
}

export const readTrackRecordings = async (
  { database: { db } }: Deps,
  trackId: string,
): Promise<TrackRecordings> => presentTrack(db, await getEditableTrack(db, trackId));

type Audit = { actor: Viewer; now: number };

const record = (
  tx: Tx,
  { actor, now }: Audit,
  action: string,
  id: string,
  facts: Partial<ReturnType<typeof compareRecordings>>,
) => recordAction(tx, { actor, action, subject: { kind: 'recording', id }, ...facts }, now);

/** Only from the state that the editor saw. */
async function changeRecording(
  tx: Tx,
  audit: Audit,
  row: RecordingRow,
  change: Partial<RecordingRow>,
): Promise<RecordingRow> {
  const updated_at = nextUpdate(row, audit.now);
  const after = await updateRecording(tx, row, { ...change, updated_at });
  if (!after) throw new AppError('recording_changed');
  await record(tx, audit, 'recording.edited', row.id, compareRecordings(row, after));
  return after;
}

async function createRecording(
  tx: Tx,
  audit: Audit,
  entry: Entry,
  details: RecordingDetails,
): Promise<RecordingRow> {
  const row = buildRecording(entry, details, audit.now);
  await insertRecording(tx, row);
  await record(tx, audit, 'recording.created', row.id, compareRecordings(null, row));
  return row;
}

type EntryChange = {
  recordingId: string | null;
  details: RecordingDetails;
  updatedAt: number | null;
  isSeparate?: boolean | undefined;
};

const nameLine = ({ artist, title }: Entry) => (artist ? `${artist} - ${title}` : title);

const refuse = (index: number, message: string) =>
  new AppError('validation_failed', {
    message: `Line ${index + 1}: ${message}`,
    fields: { [`entries.${index}.details`]: message },
  });

const isNew = ({ recordingId, isSeparate }: EntryChange): boolean =>
  recordingId === null || isSeparate === true;

/** What each recording says from now on. One that the list has twice says the same in both lines. */
function listWanted(changes: readonly EntryChange[]): Map<string, EntryChange> {
  const wanted = new Map<string, EntryChange>();
  for (const [index, change] of changes.entries()) {
    if (change.recordingId === null || isNew(change)) continue;
    const other = wanted.get(change.recordingId);
    if (other && !isSame(completeDetails(other.details), completeDetails(change.details)))
      throw refuse(index, 'This recording is in the list twice, with different details.');
    wanted.set(change.recordingId, change);
  }
  return wanted;
}

/** The recordings that lines get which had none, or want one of their own. */
function createWanted(tx: Tx, audit: Audit) {
  const created = new Map<string, RecordingRow>();
  return async (entry: Entry, change: EntryChange): Promise<string | undefined> => {
    const details = completeDetails(change.details);
    if (!change.isSeparate && !hasDetails(details)) return undefined;
    // The same track twice in one mix is one recording.
    const key = isNamed(entry) ? JSON.stringify([toRecordingKey(entry), details]) : null;
    const same = key === null ? undefined : created.get(key);
    if (same) return same.id;
    const row = await createRecording(tx, audit, entry, details);
    if (key !== null) created.set(key, row);
    return row.id;
  };
}

export async function saveTrackRecordings(
  { database, clock }: Deps,
  viewer: Viewer,
  trackId: string,
  { version, entries: changes }: { version: number; entries: readonly EntryChange[] },
): Promise<TrackRecordings> {
  const audit = { actor: viewer, now: clock.now() };
  return database.db.transaction().execute(async (tx) => {
    await lockLinks(tx, database.dialect);
    const track = await getEditableTrack(tx, trackId);
    const entries = readEntries(track);
    if (track.version !== version || entries.length !== changes.length)
      throw new AppError('track_changed');
    const ids = new Set(changes.flatMap(({ recordingId }) => recordingId ?? []));
    const known = new Map((await findRecordings(tx, [...ids])).map((row) => [row.id, row]));
    if (known.size < ids.size) throw new AppError('recording_changed');
    for (const [id, change] of listWanted(changes)) {
      const [row, details] = [known.get(id), completeDetails(change.details)];
      if (!row || isSame(toDetails(row), details)) continue;
      if (row.updated_at !== change.updatedAt) throw new AppError('recording_changed');
      await changeRecording(tx, audit, row, toDetailColumns(details));
    }
    const create = createWanted(tx, audit);
    const linked: Entry[] = [];
    for (const [index, change] of changes.entries()) {
      const entry = entries[index];
      if (!entry) throw new AppError('track_changed');
      const { at, artist, title } = entry;
      const recordingId = isNew(change) ? await create(entry, change) : change.recordingId;
      linked.push({ at, artist, title, ...(recordingId && { recordingId }) });
    }
    const moved = linked.flatMap((entry, index) =>
      entry.recordingId === entries[index]?.recordingId ? [] : [nameLine(entry)],
    );
    if (moved.length > 0) {
      const isCurrent = await updateChapters(tx, track, JSON.stringify(linked));
      if (!isCurrent) throw new AppError('track_changed');
      await indexRecordings(tx, trackId, linked);
      const action = {
        actor: viewer,
        action: 'track.recordings-changed',
        subject: { kind: 'track' as const, id: trackId },
        after: { lines: moved.join('\n') },
      };
      await recordAction(tx, action, audit.now);
    }
    await publishSignal(tx, 'admin:tracks', audit.now);
    return presentTrack(tx, await getEditableTrack(tx, trackId));
  });
}

const MAX_LISTED_TRACKS = 20;

async function present(db: Db, rows: readonly RecordingRow[]): Promise<Recording[]> {
  const [played, twins] = await Promise.all([
    listPlayedIn(
      db,
      rows.map(({ id }) => id),
    ),
    findTwins(db, rows),
  ]);
  const byRecording = Map.groupBy(played, ({ recording_id }) => recording_id);
  return rows.map((row) => {
    const details = toDetails(row);
    const playedIn = byRecording.get(row.id) ?? [];
    return {
      ...toName(row),
      details,
      tracks: playedIn.length,
      lastTracks: playedIn.slice(0, MAX_LISTED_TRACKS).map(toTrackName),
      // It has no time of its own.
      problems: listProblems({ at: 0, artist: row.artist, details }, twins(row)),
      updatedAt: row.updated_at,
    };
  });
}

export async function listAllRecordings(
  { database: { db } }: Deps,
  {
    search = '',
    gap,
    ...page
  }: PageQuery & { search?: string | undefined; gap?: ListedGap | undefined },
): Promise<Page<Recording>> {
  const words = readWords(search).map(({ word }) => word);
  const filter = { words, isrc: parseIsrc(search), gap };
  const { rows, nextCursor } = await listRecordings(db, filter, page);
  return { items: await present(db, rows), nextCursor };
}

async function getRecording(db: Db, id: string): Promise<RecordingRow> {
  const [row] = await findRecordings(db, [id]);
  if (!row) throw new AppError('not_found');
  return row;
}

async function presentOne(db: Db, row: RecordingRow): Promise<Recording> {
  const [recording] = await present(db, [row]);
  if (!recording) throw new AppError('not_found');
  return recording;
}

type Correction = {
  updatedAt: number;
  artist?: string | null | undefined;
  title?: string | undefined;
  details?: RecordingDetails | undefined;
};

export const correctRecording = (
  { database, clock }: Deps,
  viewer: Viewer,
  id: string,
  { updatedAt, artist, title, details }: Correction,
): Promise<Recording> =>
  database.db.transaction().execute(async (tx) => {
    const row = await getRecording(tx, id);
    if (row.updated_at !== updatedAt) throw new AppError('recording_changed');
    const names = {
      artist: artist === undefined ? row.artist : artist || null,
      title: title ?? row.title,
    };
    const change = {
      ...names,
      name_key: toRecordingKey(names),
      ...(details && toDetailColumns(details)),
    };
    const audit = { actor: viewer, now: clock.now() };
    return presentOne(tx, await changeRecording(tx, audit, row, change));
  });

/** The other one keeps what it has, and gets what it lacks. */
export const mergeRecordings = (
  { database, clock }: Deps,
  viewer: Viewer,
  id: string,
  { into }: { into: string },
): Promise<Recording> =>
  database.db.transaction().execute(async (tx) => {
    if (id === into)
      throw new AppError('validation_failed', { fields: { into: 'Choose another recording.' } });
    await lockLinks(tx, database.dialect);
    const rows = await findRecordings(tx, [id, into]);
    const from = rows.find((row) => row.id === id);
    const target = rows.find((row) => row.id === into);
    if (!from || !target) throw new AppError('not_found');
    const now = clock.now();
    await movePlayed(tx, id, into);
    const updated_at = nextUpdate(target, now);
    const details = toDetailColumns(fillIn(toDetails(target), toDetails(from)));
    const artist = target.artist ?? from.artist;
    const name_key = toRecordingKey({ artist, title: target.title });
    const change = { artist, name_key, ...details, updated_at };
    const after = await updateRecording(tx, target, change);
    if (!after) throw new AppError('recording_changed');
    await deleteRecording(tx, id);
    const { before, after: gained } = compareRecordings(target, after);
    const facts = { before, after: { merged: nameLine({ at: null, ...from }), ...gained } };
    await record(tx, { actor: viewer, now }, 'recording.merged', into, facts);
    await publishSignal(tx, 'admin:tracks', now);
    return presentOne(tx, after);
  });
