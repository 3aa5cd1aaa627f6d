import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { compareColumns } from '../../db/keyset.ts';
import type { Page } from './play-sums.ts';
import { forEachRow } from './read-in-batches.ts';
import { type FigureList, type ReportDefinition, row } from './report.ts';
import { listTrackNames } from '../tracks/service.ts';
import { nameListeners, deletedListener } from './user-names.ts';

/** A player reports every few seconds; one that is silent for this long has stopped. */
const LIVE_MS = 2 * 60_000;

const LIVE_DEFINITION = 'Unique listeners active in the last two minutes.';

type LivePlay = { id: string; listener_key: string; track_id: string; listened_at: number };

/** Plays with activity since then, latest first. */
const listLivePlays = (db: Db, since: number, { after, limit }: Page<LivePlay>) => {
  const query = db
    .selectFrom('plays')
    .select(['id', 'listener_key', 'track_id', 'listened_at'])
    .where('listened_at', '>=', since);
  const rest = after
    ? query.where(compareColumns(['listened_at', 'id'], '<', [after.listened_at, after.id]))
    : query;
  return rest.orderBy('listened_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
};

const listAdministratorIds = (db: Db) =>
  db.selectFrom('users').select('id').where('is_admin', '=', sql.lit(1)).execute();

/** Each listener once, with the track they are playing now; administrators don’t count. */
export async function findLiveListeners(db: Db, now: number): Promise<Map<string, string>> {
  const tracks = new Map<string, string>();
  await forEachRow(
    (after: LivePlay | null, limit) => listLivePlays(db, now - LIVE_MS, { after, limit }),
    ({ listener_key, track_id }) => {
      if (!tracks.has(listener_key)) tracks.set(listener_key, track_id);
    },
  );
  for (const { id } of await listAdministratorIds(db)) tracks.delete(`user:${id}`);
  return tracks;
}

/** Listeners can come and go between two pages of this list. */
const liveListeners: FigureList = {
  columns: [
    { key: 'listener', label: 'Listener', kind: 'text' },
    { key: 'email', label: 'E-mail', kind: 'text' },
    { key: 'title', label: 'Mix', kind: 'text' },
    { key: 'week', label: 'Week', kind: 'week' },
  ],
  read: async ({ db, now }, _range, { after, limit }) => {
    const page = [...(await findLiveListeners(db, now))]
      .filter(([listener]) => !after || listener > after[1])
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, limit);
    const named = await nameListeners(
      db,
      page.map(([listener]) => listener),
    );
    const tracks = await listTrackNames(db, [...new Set(page.map(([, id]) => id))]);
    const byId = new Map(tracks.map((track) => [track.id, track]));
    return page.map(([listener, trackId], index) => {
      const { name, email, href } = named[index] ?? deletedListener;
      const { title = null, week = null } = byId.get(trackId) ?? {};
      return { row: row([name, email, title, week], href), cursor: ['', listener] };
    });
  },
};

export const live: ReportDefinition = {
  title: 'Listening now',
  definition: LIVE_DEFINITION,
  plot: 'ranking',
  columns: [
    { key: 'title', label: 'Mix', kind: 'text' },
    { key: 'week', label: 'Week', kind: 'week' },
    { key: 'listeners', label: 'Listeners', kind: 'count' },
  ],
  figures: {
    listeners: {
      label: 'Listening now',
      definition: LIVE_DEFINITION,
      unit: 'count',
      list: liveListeners,
    },
  },
  compares: 'nothing',
  async read({ db, now }) {
    const listening = await findLiveListeners(db, now);
    const counts = new Map<string, number>();
    for (const id of listening.values()) counts.set(id, (counts.get(id) ?? 0) + 1);
    const tracks = await listTrackNames(db, [...counts.keys()]);
    const rows = tracks
      .map((track) => ({ track, count: counts.get(track.id) ?? 0 }))
      .toSorted((a, b) => b.count - a.count || (a.track.id < b.track.id ? -1 : 1))
      .map(({ track, count }) => row([track.title, track.week, count], `/track/${track.id}`));
    return { values: { listeners: listening.size }, rows };
  },
};
