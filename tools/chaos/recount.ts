import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Deps } from '#server/deps.ts';
import { listParts } from '#server/features/uploads/parts.ts';
import { verifyPassword, OWASP_COST } from '#server/background/passwords.ts';
import type { Entry, Journal } from './writers.ts';

const CHECKED_PASSWORDS = 100;

async function listPairs(deps: Deps, table: 'favorites' | 'progress'): Promise<Set<string>> {
  const rows = await deps.database.db
    .selectFrom(table)
    .innerJoin('users', 'users.id', `${table}.user_id`)
    .select(['users.username', `${table}.track_id`])
    .execute();
  return new Set(rows.map((row) => `${row.username} ${row.track_id}`));
}

/** Everything that the journal can be compared with, read once. */
async function readSite(deps: Deps) {
  const { db } = deps.database;
  const users = await db
    .selectFrom('users')
    .select(['id', 'username', 'password_hash', 'paid_through'])
    .execute();
  const playlists = await db.selectFrom('playlists').select(['id', 'name']).execute();
  const playlistTracks = await db
    .selectFrom('playlist_tracks')
    .select(['playlist_id', 'track_id'])
    .orderBy('position')
    .execute();
  const plays = await db
    .selectFrom('plays')
    .innerJoin('users', 'users.id', 'plays.user_id')
    .select(['plays.id', 'users.username', 'plays.track_id'])
    .execute();
  const news = await db
    .selectFrom('preferences')
    .innerJoin('users', 'users.id', 'preferences.user_id')
    .select('users.username')
    .where('news_mails', '=', 1)
    .execute();
  const charges = await db
    .selectFrom('ledger_entries')
    .innerJoin('users', 'users.id', 'ledger_entries.user_id')
    .select(['users.username', sql<number>`count(*)`.as('count')])
    .where('kind', '=', 'charge')
    .groupBy('users.username')
    .execute();
  const invoices = await db
    .selectFrom('invoices')
    .innerJoin('users', 'users.id', 'invoices.user_id')
    .select(['users.username', sql<number>`count(*)`.as('count')])
    .groupBy('users.username')
    .execute();
  const uploads = await db
    .selectFrom('uploads')
    .select(['id', 'state', 'received', 'track_id', 'sha256', 'failure'])
    .execute();
  const tracks = await db
    .selectFrom('tracks')
    .select(['id', 'master_key', 'master_sha256'])
    .execute();
  return {
    users: new Map(users.map((user) => [user.username, user])),
    favorites: await listPairs(deps, 'favorites'),
    progress: await listPairs(deps, 'progress'),
    playlists: new Map(playlists.map(({ id, name }) => [id, name])),
    playlistTracks: Map.groupBy(playlistTracks, (row) => row.playlist_id),
    playlistNames: Map.groupBy(playlists, ({ name }) => name),
    plays: Map.groupBy(plays, (play) => `${play.username} ${play.track_id}`),
    news: new Set(news.map(({ username }) => username)),
    charges: new Map(charges.map(({ username, count }) => [username, count])),
    invoices: new Map(invoices.map(({ username, count }) => [username, count])),
    uploads: new Map(uploads.map((upload) => [upload.id, upload])),
    tracks: new Map(tracks.map((track) => [track.id, track])),
  };
}
type Site = Awaited<ReturnType<typeof readSite>>;

async function readStored(deps: Deps, key: string): Promise<Buffer | null> {
  const file = await deps.storage.open(key).catch(() => null);
  if (!file) return null;
  const chunks: Buffer[] = [];
  for await (const chunk of file.stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function findUploadLoss(deps: Deps, site: Site, entry: Entry & { kind: 'upload' }) {
  const upload = site.uploads.get(entry.id);
  if (!upload) return 'its row is gone';
  if (upload.state === 'refused') return `it was refused: ${upload.failure}`;
  const track = upload.track_id === null ? undefined : site.tracks.get(upload.track_id);
  if (track?.master_key) {
    const master = await readStored(deps, track.master_key);
    const hash = master && createHash('sha256').update(master).digest('hex');
    return hash === entry.sha256 ? null : 'its master has other bytes';
  }
  const parts = await listParts(deps.database.db, entry.id);
  const stored = await Promise.all(parts.map(({ key }) => readStored(deps, key)));
  const bytes = Buffer.concat(stored.map((part) => part ?? Buffer.alloc(0)));
  if (bytes.length < entry.received.length)
    return `${bytes.length} of ${entry.received.length} acknowledged bytes are there (${upload.state})`;
  return bytes.subarray(0, entry.received.length).equals(entry.received)
    ? null
    : 'the bytes are not those that were sent';
}

/** What is lost of one acknowledged write, as a few words; null if it is all there. */
async function findLoss(deps: Deps, site: Site, entry: Entry): Promise<string | null> {
  switch (entry.kind) {
    case 'account':
      return site.users.has(entry.username) ? null : 'the account is gone';
    case 'favorite':
      return site.favorites.has(`${entry.username} ${entry.trackId}`) ? null : 'it is gone';
    case 'unfavorite':
      return site.favorites.has(`${entry.username} ${entry.trackId}`) ? 'it is back' : null;
    case 'playlist': {
      if (site.playlists.get(entry.id) !== entry.name) return 'the playlist is gone';
      if (site.playlistNames.get(entry.name)?.length !== 1) return 'it was made twice';
      const ids = site.playlistTracks.get(entry.id)?.map((row) => row.track_id) ?? [];
      return ids.join() === entry.trackIds.join() ? null : 'it has other mixes';
    }
    case 'play': {
      const plays = site.plays.get(`${entry.username} ${entry.trackId}`) ?? [];
      if (!plays.some(({ id }) => id === entry.playId)) return 'the play is gone';
      return plays.length === 1 ? null : 'it was counted twice';
    }
    case 'progress':
      return site.progress.has(`${entry.username} ${entry.trackId}`) ? null : 'it is gone';
    case 'preference':
      return site.news.has(entry.username) ? null : 'it is as before';
    case 'password': {
      const hash = site.users.get(entry.username)?.password_hash;
      return (await verifyPassword(hash, entry.password, OWASP_COST)) ? null : 'it is the old one';
    }
    case 'payment': {
      const charges = site.charges.get(entry.username) ?? 0;
      const invoices = site.invoices.get(entry.username) ?? 0;
      if (charges !== 1 || invoices !== 1) return `${charges} charges, ${invoices} invoices`;
      return site.users.get(entry.username)?.paid_through ? null : 'it gave no access';
    }
    case 'upload':
      return findUploadLoss(deps, site, entry);
  }
}

/** Compares the journal with the database and the files. Returns every loss as a line. */
export async function recount(deps: Deps, { entries }: Journal): Promise<string[]> {
  const site = await readSite(deps);
  const losses: string[] = [];
  let passwords = 0;
  for (const entry of entries) {
    // Each takes as long as a login.
    if (entry.kind === 'password' && (passwords += 1) > CHECKED_PASSWORDS) continue;
    const loss = await findLoss(deps, site, entry);
    if (loss)
      losses.push(`${entry.kind} ${'id' in entry ? entry.id : JSON.stringify(entry)}: ${loss}`);
  }
  return losses;
}

/** Payments that the site knows of but hasn't booked yet, because its jobs still run. */
export async function countUnbooked(deps: Deps, { entries }: Journal): Promise<number> {
  const { charges, invoices } = await readSite(deps);
  return entries.filter(
    (entry) =>
      entry.kind === 'payment' && !(charges.has(entry.username) && invoices.has(entry.username)),
  ).length;
}
