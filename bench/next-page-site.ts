import { createRandom } from '#contract/rules/random.ts';
import { DAY } from '#contract/rules/time.ts';
import { parseConfig } from '#server/config.ts';
import { closeDeps, createDeps } from '#server/deps.ts';
import { updateCharts } from '#server/features/charts/jobs.ts';
import { savePeaks } from '#server/features/ingest/queries.ts';
import { inventCatalogue, writeCatalogue } from './search-catalogue.ts';

/** Of these mixes someone has played something, and they have a waveform. */
const PLAYED = 60;
const PEAKS = 1500;

/**
 * Fills the site that `next-page.ts` opens: thousands of mixes, all favorites of the user `premium`,
 * who must exist, and a chart. Usage: node bench/next-page-site.ts <folder> <mixes>
 */
async function fill(dataDir: string, mixes: number): Promise<void> {
  const deps = await createDeps(parseConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' }));
  const { db } = deps.database;
  const tracks = [...inventCatalogue(mixes)];
  await writeCatalogue(deps.database, tracks);
  const { id: userId } = await db
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', 'premium')
    .executeTakeFirstOrThrow();
  const favorites = tracks.map(({ id }, i) => ({ user_id: userId, track_id: id, created_at: i }));
  for (let at = 0; at < favorites.length; at += 500)
    await db
      .insertInto('favorites')
      .values(favorites.slice(at, at + 500))
      .execute();
  const random = createRandom(46);
  const day = new Date(deps.clock.now() - DAY).toISOString().slice(0, 10);
  for (const [i, { id }] of tracks.slice(0, PLAYED).entries()) {
    await savePeaks(db, id, Array.from({ length: PEAKS }, random));
    const plays = { plays: PLAYED - i, subscriber_listeners: PLAYED - i, free_listeners: 0 };
    await db
      .insertInto('play_days')
      .values({ day, track_id: id, ...plays })
      .execute();
  }
  const job = { id: '', attempt: 1, maxAttempts: 1, finish: () => Promise.resolve() };
  await updateCharts.execute(deps, '{}', { ...job, signal: new AbortController().signal });
  await closeDeps(deps);
}

const [dataDir, mixes] = process.argv.slice(2);
if (!dataDir) throw new Error('Say which data folder: node bench/next-page-site.ts <folder>');
await fill(dataDir, Number(mixes ?? 5000));
