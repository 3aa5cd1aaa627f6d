import type { AdminArtist } from '#contract/admin/artists.ts';
import { toNameKey, type ArtistFields } from '#contract/artists/artists.ts';
import type { Page, PageQuery } from '#contract/paging.ts';
import type { Db, Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { enqueue } from '../../jobs/queue.ts';
import { recordAction } from '../audit/service.ts';
import {
  deleteUnusedCover,
  findTracks,
  propagateTrackChange,
  storeCover,
} from '../catalogue/service.ts';
import { publishSignal } from '../live/service.ts';
import {
  countTracks,
  deleteAlias,
  deleteArtistRow,
  findArtist,
  isNameTaken,
  listAliases,
  listArtists,
  listTrackIds,
  lockArtist,
  moveTracks,
  replaceByAlias,
  updateArtist,
  type ArtistRow,
} from './queries.ts';
import { presentArtist } from './service.ts';

async function present(db: Db, rows: readonly ArtistRow[]): Promise<AdminArtist[]> {
  const ids = rows.map(({ id }) => id);
  const [counts, aliases] = await Promise.all([countTracks(db, ids), listAliases(db, ids)]);
  return rows.map((row) => ({
    ...presentArtist(row),
    tracks: counts.get(row.id) ?? 0,
    aliases: aliases
      .filter((alias) => alias.artist_id === row.id)
      .map(({ id, name }) => ({ id, name })),
    version: row.version,
  }));
}

export async function listAdminArtists(
  { database: { db } }: Deps,
  { q = '', ...page }: PageQuery & { q?: string | undefined },
): Promise<Page<AdminArtist>> {
  const { rows, nextCursor } = await listArtists(db, toNameKey(q), page);
  return { items: await present(db, rows), nextCursor };
}

export async function getAdminArtist({ database: { db } }: Deps, id: string): Promise<AdminArtist> {
  const row = await findArtist(db, id);
  const [artist] = row ? await present(db, [row]) : [];
  if (!artist) throw new AppError('not_found');
  return artist;
}

async function lock(tx: Tx, id: string): Promise<ArtistRow> {
  const artist = await lockArtist(tx, id);
  if (!artist) throw new AppError('not_found');
  return artist;
}

/** The tracks' search documents and downloads contain the names of their artists. */
async function refreshTracks(deps: Deps, tx: Tx, ids: readonly string[]): Promise<void> {
  for (const track of await findTracks(tx, ids)) await propagateTrackChange(deps, tx, track);
}

const toFacts = ({ name, about, links, picture_key }: ArtistRow) => ({
  name,
  about: about || null,
  links: (JSON.parse(links) as string[]).join('\n') || null,
  picture: picture_key,
});

function compare(before: ArtistRow, after: ArtistRow) {
  const [was, is] = [toFacts(before), toFacts(after)];
  const changed = (Object.keys(is) as (keyof typeof is)[]).filter((name) => was[name] !== is[name]);
  const pick = (facts: typeof is) => Object.fromEntries(changed.map((name) => [name, facts[name]]));
  return { before: pick(was), after: pick(is) };
}

const record = (
  tx: Tx,
  viewer: Viewer,
  action: string,
  { id, ...facts }: { id: string } & Partial<ReturnType<typeof compare>>,
  now: number,
) =>
  recordAction(
    tx,
    { actor: viewer, action: `artist.${action}`, subject: { kind: 'artist', id }, ...facts },
    now,
  );

type Edit = { version: number } & { [K in keyof ArtistFields]?: ArtistFields[K] | undefined };

/** Only from the version that the administrator edited. */
export async function editArtist(
  deps: Deps,
  viewer: Viewer,
  id: string,
  { version, name, about, links }: Edit,
): Promise<AdminArtist> {
  const { database, clock, jobs } = deps;
  const now = clock.now();
  const key = name === undefined ? undefined : toNameKey(name);
  const assertFree = async (db: Db) => {
    if (key !== undefined && (await isNameTaken(db, key, id)))
      throw new AppError('artist_name_taken', {
        fields: { name: 'Another artist has this name.' },
      });
  };
  const edit = async (tx: Tx) => {
    const before = await lock(tx, id);
    if (before.version !== version) throw new AppError('artist_changed');
    await assertFree(tx);
    const after = await updateArtist(tx, before, {
      ...(name !== undefined && key !== undefined && { name, name_key: key }),
      ...(about !== undefined && { about }),
      ...(links !== undefined && { links: JSON.stringify(links) }),
      updated_at: now,
    });
    if (!after) throw new AppError('artist_changed');
    await record(tx, viewer, 'edited', { id, ...compare(before, after) }, now);
    if (after.name !== before.name) await refreshTracks(deps, tx, await listTrackIds(tx, id));
    await publishSignal(tx, 'admin:tracks', now);
  };
  await database.db
    .transaction()
    .execute(edit)
    .catch(async (error: unknown) => {
      // Someone may have taken the name at the same time; the two databases say so differently.
      if (!(error instanceof AppError)) await assertFree(database.db);
      throw error;
    });
  jobs.wake();
  return getAdminArtist(deps, id);
}

async function setPicture(deps: Deps, viewer: Viewer, id: string, key: string | null) {
  const now = deps.clock.now();
  await deps.database.db.transaction().execute(async (tx) => {
    const before = await lock(tx, id);
    const after = await updateArtist(tx, before, { picture_key: key, updated_at: now });
    if (!after) throw new AppError('artist_changed');
    await record(tx, viewer, 'picture-changed', { id, ...compare(before, after) }, now);
    if (before.picture_key)
      await enqueue(tx, deleteUnusedCover, { key: before.picture_key }, { now });
    await publishSignal(tx, 'admin:tracks', now);
  });
  deps.jobs.wake();
  return getAdminArtist(deps, id);
}

/** A picture is stored like the cover of a track. */
export async function replacePicture(deps: Deps, viewer: Viewer, id: string, bytes: Buffer) {
  if (!(await findArtist(deps.database.db, id))) throw new AppError('not_found');
  return setPicture(deps, viewer, id, await storeCover(deps, bytes));
}

export const removePicture = (deps: Deps, viewer: Viewer, id: string) =>
  setPicture(deps, viewer, id, null);

/** The other artist gets the tracks, and whatever it lacks: text, links and picture. */
export async function mergeArtists(
  deps: Deps,
  viewer: Viewer,
  id: string,
  { into }: { into: string },
): Promise<AdminArtist> {
  const { database, clock, jobs } = deps;
  const now = clock.now();
  if (id === into)
    throw new AppError('validation_failed', { fields: { into: 'Choose another artist.' } });
  await database.db.transaction().execute(async (tx) => {
    // Always in the same order, so that two merges never wait for each other.
    const locked = new Map<string, ArtistRow>();
    for (const each of [id, into].toSorted()) locked.set(each, await lock(tx, each));
    const [from, target] = [locked.get(id), locked.get(into)];
    if (!from || !target) throw new AppError('not_found');
    await moveTracks(tx, id, into);
    const after = await updateArtist(tx, target, {
      about: target.about || from.about,
      links: target.links === '[]' ? from.links : target.links,
      picture_key: target.picture_key ?? from.picture_key,
      updated_at: now,
    });
    if (!after) throw new AppError('artist_changed');
    await replaceByAlias(tx, from, into);
    const { before, after: gained } = compare(target, after);
    const merged = { before: { ...before }, after: { merged: from.name, ...gained } };
    await record(tx, viewer, 'merged', { id: into, ...merged }, now);
    if (from.picture_key) await enqueue(tx, deleteUnusedCover, { key: from.picture_key }, { now });
    // All of them: a search for either name finds every mix of both.
    await refreshTracks(deps, tx, await listTrackIds(tx, into));
    await publishSignal(tx, 'admin:tracks', now);
  });
  jobs.wake();
  return getAdminArtist(deps, into);
}

/** Also an alias: then its name and its address lead nowhere. */
export async function deleteArtist(deps: Deps, viewer: Viewer, id: string): Promise<void> {
  const { database, clock, jobs } = deps;
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const artist = await lockArtist(tx, id);
    const alias = artist ? undefined : await deleteAlias(tx, id);
    const name = (artist ?? alias)?.name;
    if (name === undefined) throw new AppError('not_found');
    if (artist) {
      if ((await listTrackIds(tx, id)).length > 0) throw new AppError('artist_in_use');
      await deleteArtistRow(tx, id);
      if (artist.picture_key)
        await enqueue(tx, deleteUnusedCover, { key: artist.picture_key }, { now });
    }
    if (alias) await refreshTracks(deps, tx, await listTrackIds(tx, alias.artist_id));
    await record(tx, viewer, 'deleted', { id, before: { name }, after: { name: null } }, now);
    await publishSignal(tx, 'admin:tracks', now);
  });
  jobs.wake();
}
