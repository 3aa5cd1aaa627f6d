import type { RecordingDetails } from '#contract/tracklists/recording.ts';
import type { Db, Tx } from '../../db/connect.ts';
import type { Entry } from '../../db/read-chapters.ts';
import { recordAction, type AuditedAction } from '../audit/service.ts';
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
  type SomeDetails,
} from './details.ts';
import {
  findByIsrc,
  findByNames,
  findRecordings,
  insertRecording,
  insertSaved,
  listPlayed,
  listPlayedIn,
  replaceTrackRecordings,
  updateRecording,
  type RecordingRow,
} from './queries.ts';
import { isNamed, toArtistKey, toRecordingKey, toTitleKey } from './recording-key.ts';

export { toDetails };

/** An entry of a tracklist as it is saved, with what a file said about it. */
export type EnteredEntry = Entry & { details?: SomeDetails | undefined };

/** Links entries of a tracklist one by one; each old entry is found once. */
class Links {
  /** Lines whose names were corrected, with the old ones. */
  readonly corrected: { entry: EnteredEntry; old: Entry }[] = [];
  readonly ids: (string | undefined)[];
  readonly #entries: readonly EnteredEntry[];
  readonly #old: (Entry & { key: string })[];

  constructor(entries: readonly EnteredEntry[], before: readonly Entry[]) {
    this.#entries = entries;
    this.ids = entries.map(() => undefined);
    this.#old = before.map((entry) => ({ ...entry, key: toRecordingKey(entry) }));
  }

  *unlinked(): Generator<[number, EnteredEntry]> {
    for (const [index, entry] of this.#entries.entries())
      if (this.ids[index] === undefined) yield [index, entry];
  }

  byId(known: ReadonlySet<string>) {
    for (const [index, entry] of this.unlinked()) {
      if (entry.recordingId === undefined || !known.has(entry.recordingId)) continue;
      this.ids[index] = entry.recordingId;
      const key = toRecordingKey(entry);
      this.#claim((old) => old.recordingId === entry.recordingId && old.key === key);
    }
  }

  byOldNames() {
    const all = Map.groupBy(this.#old, ({ key }) => key);
    for (const [index, entry] of this.unlinked()) {
      const key = toRecordingKey(entry);
      const old =
        this.#claim((each) => each.key === key && each.at === entry.at) ??
        this.#claim((each) => each.key === key);
      const ids = new Set(all.get(key)?.map(({ recordingId }) => recordingId));
      this.ids[index] = old?.recordingId ?? (ids.size === 1 ? [...ids][0] : undefined);
    }
  }

  /** The artist or the title of a line was corrected, and its time stayed. */
  byOldTime() {
    for (const [index, entry] of this.unlinked()) {
      if (entry.at === null) continue;
      const old = this.#claim(
        (each) =>
          each.at === entry.at &&
          (toTitleKey(each.title) === toTitleKey(entry.title) ||
            toArtistKey(each.artist) === toArtistKey(entry.artist)),
      );
      this.ids[index] = old?.recordingId;
      if (old) this.corrected.push({ entry, old });
    }
  }

  #claim(isIt: (old: Entry & { key: string }) => boolean): Entry | undefined {
    const index = this.#old.findIndex(isIt);
    return index < 0 ? undefined : this.#old.splice(index, 1)[0];
  }
}

const haveCommonWord = (a: string, b: string): boolean => {
  const words = new Set(toTitleKey(a).split(' '));
  return toTitleKey(b)
    .split(' ')
    .some((word) => words.has(word));
};

/** Two different ISRCs, or two versions, are two recordings, even under one name. */
const contradicts = (row: RecordingRow, { isrc, version }: SomeDetails): boolean =>
  Boolean(isrc && row.isrc && isrc !== row.isrc) ||
  Boolean(version && row.version && toTitleKey(version) !== toTitleKey(row.version));

const onlyOne = <T>(items: readonly T[]): T | undefined =>
  items.length === 1 ? items[0] : undefined;

/** What happened to recordings while a tracklist was saved. */
export type LinkedTracklist = {
  entries: Entry[];
  created: RecordingRow[];
  changed: { before: RecordingRow; after: RecordingRow }[];
};

export { lockLinks } from './queries.ts';

/**
 * In the transaction that saves a tracklist, after `lockLinks`: which recording each entry plays. An entry keeps its
 * recording, also when the list was typed anew; otherwise it gets the one with its ISRC, or the only
 * one of its names in any mix. There is a new one only for details that somebody has entered.
 */
export async function linkRecordings(
  tx: Tx,
  entries: readonly EnteredEntry[],
  before: readonly Entry[],
  now: number,
): Promise<LinkedTracklist> {
  const given = [...entries, ...before].flatMap(({ recordingId }) => recordingId ?? []);
  const known = new Map(
    (await findRecordings(tx, [...new Set(given)])).map((row) => [row.id, row]),
  );
  const links = new Links(
    entries,
    before.filter(({ recordingId }) => recordingId !== undefined && known.has(recordingId)),
  );
  links.byId(new Set(known.keys()));
  links.byOldNames();
  links.byOldTime();
  const created: RecordingRow[] = [];
  const changed = new Map<string, LinkedTracklist['changed'][number]>();
  async function change(row: RecordingRow, columns: Partial<RecordingRow>) {
    const updated_at = nextUpdate(row, now);
    const after = await updateRecording(tx, row, { ...columns, updated_at });
    if (!after) return;
    known.set(row.id, after);
    changed.set(row.id, { before: changed.get(row.id)?.before ?? row, after });
  }
  for (const { entry, old } of links.corrected) {
    const row = known.get(old.recordingId ?? '');
    if (row?.name_key !== toRecordingKey(old)) continue;
    // Reports take the correction too, unless other tracklists have the old names.
    if ((await listPlayedIn(tx, [row.id])).length > 1) continue;
    const { artist, title } = entry;
    await change(row, { artist, title, name_key: toRecordingKey(entry) });
  }

  const left = [...links.unlinked()].map(([, entry]) => entry);
  const codes = left.flatMap(({ details }) => details?.isrc ?? []);
  const candidates = new Map<string, RecordingRow>();
  const keys = new Map<string, Set<string>>();
  const addCandidate = (row: RecordingRow, key: string) => {
    candidates.set(row.id, row);
    keys.set(row.id, (keys.get(row.id) ?? new Set()).add(key));
  };
  for (const row of await findByIsrc(tx, [...new Set(codes)])) addCandidate(row, row.name_key);
  for (const { key, ...row } of await findByNames(tx, [
    ...new Set(left.filter(isNamed).map(toRecordingKey)),
  ])) {
    addCandidate(row, row.name_key);
    addCandidate(row, key);
  }
  for (const [index, entry] of links.unlinked()) {
    const details = entry.details ?? {};
    const rows = [...candidates.values()];
    const sameCode = rows.filter(
      ({ isrc, title }) =>
        details.isrc && isrc === details.isrc && haveCommonWord(title, entry.title),
    );
    const key = toRecordingKey(entry);
    const sameNames = isNamed(entry)
      ? rows.filter((row) => keys.get(row.id)?.has(key) && !contradicts(row, details))
      : [];
    const found = onlyOne(sameCode) ?? onlyOne(sameNames);
    if (found) links.ids[index] = found.id;
    const all = completeDetails(details);
    if (found || !hasDetails(all)) continue;
    const row = buildRecording(entry, all, now);
    await insertRecording(tx, row);
    created.push(row);
    known.set(row.id, row);
    addCandidate(row, row.name_key);
    links.ids[index] = row.id;
  }
  for (const [index, { details }] of entries.entries()) {
    const id = links.ids[index];
    const row = id === undefined ? undefined : (known.get(id) ?? candidates.get(id));
    if (!row || !details) continue;
    const more = fillIn(toDetails(row), completeDetails(details));
    if (!isSame(more, toDetails(row))) await change(row, toDetailColumns(more));
  }
  return {
    entries: entries.map(({ at, artist, title }, index) => {
      const recordingId = links.ids[index];
      return { at, artist, title, ...(recordingId !== undefined && { recordingId }) };
    }),
    created,
    changed: [...changed.values()],
  };
}

/** In the transaction that saves a tracklist, once its track exists. */
export const indexRecordings = (tx: Tx, trackId: string, entries: readonly Entry[]) =>
  replaceTrackRecordings(
    tx,
    trackId,
    entries.flatMap((entry) =>
      entry.recordingId === undefined
        ? []
        : [{ recording_id: entry.recordingId, name_key: toRecordingKey(entry) }],
    ),
  );

const nameRecording = ({ artist, title }: RecordingRow): string =>
  artist === null ? title : `${artist} - ${title}`;

/** In the transaction that saved the tracklist. */
export async function recordLinked(
  tx: Tx,
  { actor, trackId, now }: { actor: AuditedAction['actor']; trackId: string; now: number },
  { created, changed }: LinkedTracklist,
): Promise<void> {
  for (const { before, after } of changed) {
    const subject = { kind: 'recording' as const, id: after.id };
    const facts = compareRecordings(before, after);
    await recordAction(tx, { actor, action: 'recording.edited', subject, ...facts }, now);
  }
  if (created.length === 0) return;
  const subject = { kind: 'track' as const, id: trackId };
  const after = { recordings: created.map(nameRecording).join('\n') };
  await recordAction(tx, { actor, action: 'track.recordings-read', subject, after }, now);
}

/** A recording as an export of the catalogue keeps it. */
export type SavedRecording = {
  id: string;
  artist: string | null;
  title: string;
  details: RecordingDetails;
};

const toSaved = (row: RecordingRow): SavedRecording => ({
  id: row.id,
  artist: row.artist,
  title: row.title,
  details: toDetails(row),
});

/** For exports: the recordings that mixes play, or only those with these ids. */
export async function listSavedRecordings(
  db: Db,
  ids?: readonly string[],
): Promise<SavedRecording[]> {
  return (ids ? await findRecordings(db, ids) : await listPlayed(db)).map(toSaved);
}

/** For imports, before the mix that plays them. Those that are here stay as they are. */
export async function importRecordings(
  tx: Tx,
  saved: readonly SavedRecording[],
  now: number,
): Promise<void> {
  for (const { id, details, ...names } of saved)
    await insertSaved(tx, { ...buildRecording(names, details, now), id });
}
