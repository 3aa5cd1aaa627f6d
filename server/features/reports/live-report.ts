import type { Db } from '../../db/connect.ts';
import { nameListeners, somebodyGone } from './person.ts';
import { listAdministratorIds, listLivePlays, type LivePlay } from './play-queries.ts';
import { readParts } from './read-parts.ts';
import { row, type FigureList, type ReportDefinition } from './report.ts';
import { listTracksById } from './track-queries.ts';

/** A player reports every few seconds; one that has been silent for so long has stopped. */
const LIVE_MS = 2 * 60_000;

export const LIVE_DEFINITION =
  'Different listeners who started a mix or reported hearing one in the last two minutes.';

/** Each listener once, with what they hear now; those who run the site are none. */
export async function readLive(db: Db, now: number): Promise<Map<string, string>> {
  const tracks = new Map<string, string>();
  await readParts(
    (after: LivePlay | null, limit) => listLivePlays(db, now - LIVE_MS, { after, limit }),
    ({ listener, track_id }) => {
      if (!tracks.has(listener)) tracks.set(listener, track_id);
    },
  );
  for (const { id } of await listAdministratorIds(db)) tracks.delete(`user:${id}`);
  return tracks;
}

/** Each with what they hear: a list of this moment, which the next page may find changed. */
const liveListeners: FigureList = {
  columns: [
    { key: 'listener', label: 'Listener', kind: 'text' },
    { key: 'email', label: 'E-mail', kind: 'text' },
    { key: 'title', label: 'Mix', kind: 'text' },
    { key: 'week', label: 'Week', kind: 'week' },
  ],
  read: async ({ db, now }, _range, { after, limit }) => {
    const page = [...(await readLive(db, now))]
      .filter(([listener]) => !after || listener > after[1])
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, limit);
    const named = await nameListeners(
      db,
      page.map(([listener]) => listener),
    );
    const heard = await listTracksById(db, [...new Set(page.map(([, id]) => id))]);
    const byId = new Map(heard.map((track) => [track.id, track]));
    return page.map(([listener, trackId], index) => {
      const { name, email, href } = named[index] ?? somebodyGone;
      const { title = null, week = null } = byId.get(trackId) ?? {};
      return { row: row([name, email, title, week], href), position: ['', listener] };
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
    const heard = await readLive(db, now);
    const counts = new Map<string, number>();
    for (const id of heard.values()) counts.set(id, (counts.get(id) ?? 0) + 1);
    const tracks = await listTracksById(db, [...counts.keys()]);
    const rows = tracks
      .map((track) => ({ track, count: counts.get(track.id) ?? 0 }))
      .toSorted((a, b) => b.count - a.count || (a.track.id < b.track.id ? -1 : 1))
      .map(({ track, count }) => row([track.title, track.week, count], `/track/${track.id}`));
    return { values: { listeners: heard.size }, rows };
  },
};
