import { sql } from 'kysely';
import { dayOf } from '#contract/rules/days.ts';
import { DAY } from '#contract/rules/time.ts';
import { weekDays } from '#contract/rules/weeks.ts';
import { parseConfig } from '#server/config.ts';
import { buildUser } from '#server/db/build-rows.ts';
import { migrate } from '#server/db/schema/migrate.ts';
import { closeDeps, createDeps, type Deps } from '#server/deps.ts';
import { updateCharts } from '#server/features/charts/jobs.ts';
import { searchIndexFor } from '#server/features/search/search-index.ts';
import { createSession } from '#server/features/sessions/service.ts';
import { inventCatalogue, inventQueries, writeCatalogue } from './search-catalogue.ts';

export type ApiSite = { trackIds: string[]; queries: string[]; cookies: string[] };

const PLAYED_TRACKS = 400;
const PLAYED_DAYS = 28;
/** As many mixes and searches as listeners ask for at about the same time. */
const ASKED_TRACKS = 500;
const ASKED_QUERIES = 120;
const TRACKS_PER_FAVORITE = 25;

/** Plays of the last four weeks, so that there is a chart. */
async function writePlays(deps: Deps, trackIds: readonly string[]) {
  const { database, clock, config } = deps;
  const played = trackIds.slice(0, PLAYED_TRACKS);
  for (let age = 0; age < PLAYED_DAYS; age += 1) {
    const day = dayOf(clock.now() - age * DAY, config.timeZone);
    const rows = played.map((track_id, n) => ({
      day,
      track_id,
      plays: 1 + ((n * 31 + age * 7) % 90),
      subscriber_listeners: n % 9,
      free_listeners: n % 13,
    }));
    await database.db.insertInto('play_days').values(rows).execute();
  }
  const job = { id: '', attempt: 1, maxAttempts: 1, finish: () => Promise.resolve() };
  await updateCharts.execute(deps, '{}', { ...job, signal: new AbortController().signal });
}

/** A subscriber with a few favorites and a session. Returns the cookie. */
async function logInSubscriber(
  { database: { db }, clock }: Deps,
  id: string,
  trackIds: readonly string[],
): Promise<string> {
  const now = clock.now();
  const user = buildUser({ id, paid_through: now + 300 * DAY, created_at: now });
  await db.insertInto('users').values(user).execute();
  const favorites = trackIds.filter((_, index) => index % TRACKS_PER_FAVORITE === 0);
  await db
    .insertInto('favorites')
    .values(favorites.map((track_id) => ({ user_id: id, track_id, created_at: now })))
    .execute();
  const session = { user, userAgent: '', ip: '127.0.0.1', now };
  return `session=${await createSession(db, session)}`;
}

/** Writes a catalogue, a chart and subscribers into an empty database. */
export async function writeApiSite(
  env: Record<string, string>,
  size: number,
  subscribers = 0,
): Promise<ApiSite> {
  const production = { APP_ORIGIN: 'http://127.0.0.1', LOG_LEVEL: 'error' };
  const deps = await createDeps(parseConfig({ ...env, ...production }));
  const { database, clock, storage } = deps;
  try {
    await migrate(database, clock.now());
    // The tracks have no audio, which the server would take for a folder that isn't mounted.
    await storage.rememberFolder?.();
    const tracks = [...inventCatalogue(size)].map((track) => ({
      ...track,
      publish_at: weekDays(track).monday,
    }));
    const trackIds = tracks.map(({ id }) => id);
    await writeCatalogue(database, tracks);
    await searchIndexFor(database.dialect).compact(database.db, new AbortController().signal);
    await writePlays(deps, trackIds);
    await sql`analyze`.execute(database.db);
    const asked = trackIds.slice(0, ASKED_TRACKS);
    const cookies: string[] = [];
    for (let n = 0; n < subscribers; n += 1)
      cookies.push(await logInSubscriber(deps, `listener-${100 + n}`, asked));
    return { trackIds: asked, queries: inventQueries(tracks, ASKED_QUERIES), cookies };
  } finally {
    await closeDeps(deps);
  }
}
