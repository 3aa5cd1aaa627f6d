import { seedDemoListening } from '#demo/seed-listening.ts';
import { seedDemoTracks } from '#demo/seed-tracks.ts';
import { createRandom } from '#contract/rules/random.ts';
import { parseConfig } from '#server/config.ts';
import { migrate } from '#server/db/schema/migrate.ts';
import { closeDeps, createDeps, type Deps } from '#server/deps.ts';
import { updateCharts } from '#server/features/charts/jobs.ts';
import { savePeaks } from '#server/features/ingest/queries.ts';

const PEAKS = 1500;
/** 30 seconds at 128 kb/s. */
const PREVIEW_FRAMES = 1149;
/** MPEG-1 Layer III, 128 kb/s, 44.1 kHz, stereo; nothing but zeros after it is silence. */
const FRAME = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)]);

/** Gives a track what rendering its music would have: one file serves all, as nobody listens. */
async function addMusic({ database: { db } }: Deps, trackId: string, files: MusicFiles) {
  const file = { track_id: trackId, size: files.size, media_type: 'audio/mpeg' };
  const renditions = (['stream', 'dataSaver', 'preview', 'mp3'] as const).map((name) => ({
    ...file,
    name,
    key: files.key,
  }));
  await db.insertInto('renditions').values(renditions).execute();
  await savePeaks(db, trackId, files.peaks);
  await db
    .updateTable('tracks')
    .set({ status: 'ready', progress: 100, preview_start_ms: 0 })
    .where('id', '=', trackId)
    .execute();
}

type MusicFiles = { key: string; size: number; peaks: number[] };

async function writeMusic({ storage }: Deps): Promise<MusicFiles> {
  const preview = Buffer.concat(Array.from({ length: PREVIEW_FRAMES }, () => FRAME));
  const key = 'tracks/bench-preview.mp3';
  await storage.put(key, preview);
  const random = createRandom(46);
  return { key, size: preview.length, peaks: Array.from({ length: PEAKS }, random) };
}

/** The mixes, listeners and chart of the demo, without its music. */
export async function writePageSite(dataDir: string): Promise<void> {
  const deps = await createDeps(
    parseConfig({ DATA_DIR: dataDir, APP_ORIGIN: 'http://127.0.0.1', LOG_LEVEL: 'error' }),
  );
  const { database, clock } = deps;
  try {
    await migrate(database, clock.now());
    await seedDemoTracks(deps);
    await database.db.deleteFrom('jobs').execute();
    const music = await writeMusic(deps);
    const tracks = await database.db.selectFrom('tracks').select('id').execute();
    for (const { id } of tracks) await addMusic(deps, id, music);
    await seedDemoListening(deps);
    const job = { id: '', attempt: 1, maxAttempts: 1, finish: () => Promise.resolve() };
    await updateCharts.execute(deps, '{}', { ...job, signal: new AbortController().signal });
  } finally {
    await closeDeps(deps);
  }
}
