import { buildTrack } from '#server/db/build-rows.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dayOf } from '#contract/rules/days.ts';
import { weekOf } from '#contract/rules/weeks.ts';
import { parseConfig } from '#server/config.ts';
import { migrate } from '#server/db/schema/migrate.ts';
import type { RenditionName, TracksTable } from '#server/db/types/tables.ts';
import { changeSettings } from '#server/db/settings.ts';
import { closeDeps, createDeps, type Deps } from '#server/deps.ts';
import { hashTags, buildDownloadKey } from '#server/features/ingest/download-tags.ts';
import { endPreviewKey } from '#server/ports/media/preview-window.ts';
import { readLook } from '#server/features/look/service.ts';
import { indexTrack } from '#server/features/search/service.ts';
import { e2eTracks, robots, short, type E2eTrack } from './e2e-tracks.ts';
import { writeToneWav } from './tone-wav.ts';
import { WEEK } from '#contract/rules/time.ts';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';

const toRow = (track: E2eTrack, age: number, deps: Deps): TracksTable => {
  const now = deps.clock.now();
  const { year, week } = weekOf(now - age * WEEK, deps.config.timeZone);
  return buildTrack({
    id: track.id,
    title: track.title,
    year,
    week,
    description: `Test track ${age + 1}.`,
    genre: track.genre,
    bpm: 120,
    duration_ms: track.seconds * 1000,
    chapters: JSON.stringify(track.chapters ?? []),
    preview_start_ms: track.previewStart * 1000,
    status: 'ready',
    progress: 100,
    is_subscriber_only: track.isSubscriberOnly ? 1 : 0,
    publish_at: now - age * WEEK - 1000,
    announced_at: now,
    created_at: now,
  });
};

const TONE = join(import.meta.dirname, '../../server/ports/media/testing/fixtures/tone.mp3');

/** Uses the file names of an ingest, so that their tags count as up to date. */
async function insertDownloads(deps: Deps, row: TracksTable): Promise<void> {
  const tags = hashTags({ ...row, artists: [] }, readLook(deps));
  const bytes = await readFile(TONE);
  for (const [name, media_type] of [
    ['mp3', 'audio/mpeg'],
    ['flac', 'audio/flac'],
  ] as const) {
    const key = buildDownloadKey(`tracks/${row.id}-${name}`, name, tags);
    await deps.storage.put(key, bytes);
    const file = { track_id: row.id, name, key, size: bytes.length, media_type };
    await deps.database.db.insertInto('renditions').values(file).execute();
  }
}

async function insertTrack(deps: Deps, track: E2eTrack, age: number): Promise<void> {
  const { db } = deps.database;
  const row = toRow(track, age, deps);
  await db.transaction().execute(async (tx) => {
    await tx.insertInto('tracks').values(row).execute();
    await indexTrack(tx, deps.database.dialect, row);
  });
  if (track.hasDownloads) await insertDownloads(deps, row);
  const files: [RenditionName, number][] = [
    ['stream', track.seconds],
    ['preview', Math.min(PREVIEW_SECONDS, track.seconds)],
    // Shorter, so that it is smaller too.
    ...(track.hasDownloads ? [['dataSaver', track.seconds / 3] as [RenditionName, number]] : []),
  ];
  for (const [name, seconds] of files) {
    const bytes = track.isBroken
      ? Buffer.from('This is not audio.')
      : writeToneWav(seconds, track.isCut ? 2 : 1);
    const file = {
      track_id: track.id,
      name,
      key: `tracks/${track.id}${name === 'preview' ? endPreviewKey(row.preview_start_ms ?? 0) : `-${name.toLowerCase()}`}.wav`,
      size: bytes.length,
      media_type: 'audio/wav',
    };
    await deps.storage.put(file.key, bytes);
    await db.insertInto('renditions').values(file).execute();
  }
  const peaks = Array.from({ length: 400 }, (_, i) => 90 + Math.round(80 * Math.sin(i / 9) ** 2));
  await db
    .insertInto('track_peaks')
    .values({ track_id: track.id, peaks: JSON.stringify(peaks) })
    .execute();
}

/** Many more than the tests add, so that the chart doesn't change. */
const SUBSCRIBERS = [
  { track: robots, weeksAgo: 0, count: 900 },
  { track: short, weeksAgo: 0, count: 500 },
  { track: robots, weeksAgo: 1, count: 100 },
  { track: short, weeksAgo: 1, count: 200 },
];

async function insertListening({ database: { db }, clock, config }: Deps): Promise<void> {
  for (const { track, weeksAgo, count } of SUBSCRIBERS)
    await db
      .insertInto('play_days')
      .values({
        day: dayOf(clock.now() - weeksAgo * WEEK, config.timeZone),
        track_id: track.id,
        plays: count,
        subscriber_listeners: count,
        free_listeners: 0,
      })
      .execute();
}

// Adds a small catalogue to a data folder before the server starts there.
const [dataDir] = process.argv.slice(2);
if (!dataDir) throw new Error('Usage: node e2e/support/seed-tracks.ts <data folder>');
const deps = await createDeps(parseConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' }));
await migrate(deps.database, deps.clock.now());
for (const [age, track] of e2eTracks.entries()) await insertTrack(deps, track, age);
await insertListening(deps);
// Months last seconds in tests, so the grace period needs to be long enough to notice.
const about = { aboutText: 'Mixes for tests, every week.', isAboutPublic: true };
const settings = { graceDays: 24, dataPrice: 85_00, ...about };
await changeSettings(deps.database.db, settings, deps.clock.now());
await closeDeps(deps);
