import { buildTrack } from '#server/db/build-rows.ts';
import { weekOf } from '#contract/rules/weeks.ts';
import type { TracksTable } from '#server/db/types/tables.ts';
import type { Deps } from '#server/deps.ts';
import { indexTrack } from '#server/features/search/service.ts';
import { buildDemoTracks, type DemoTrack } from './catalogue/demo-tracks.ts';
import { enqueueDemoMusic } from './render-job.ts';
import { seedRecordings } from './seed-recordings.ts';
import { HOUR } from '#contract/rules/time.ts';

/** So many of the newest tracks can be downloaded lossless. */
const LOSSLESS_TRACKS = 6;
/** So many of them have details for reports. */
const DETAILED_TRACKS = 6;
const LONG_SECONDS = 600;
/** Within the early access of subscribers, whatever day the demo starts on. */
const EARLY_RELEASE_MS = 36 * HOUR;

const toRow = (track: DemoTrack, now: number): TracksTable =>
  buildTrack({
    id: track.id,
    title: track.title,
    year: track.year,
    week: track.week,
    description: track.description,
    genre: track.genre,
    bpm: track.bpm,
    duration_ms: Math.round(track.duration * 1000),
    chapters: JSON.stringify(track.chapters),
    is_subscriber_only: track.isSubscriberOnly ? 1 : 0,
    publish_at: track.isEarlyAccess ? now + EARLY_RELEASE_MS : track.publishedAt,
    announced_at: now,
    created_at: now,
  });

/** Released tracks first, long ones last: they take the longest to render. */
const byInterest = (now: number) => (a: DemoTrack, b: DemoTrack) =>
  Number(a.duration > LONG_SECONDS) - Number(b.duration > LONG_SECONDS) ||
  Number(a.publishedAt > now) - Number(b.publishedAt > now) ||
  b.publishedAt - a.publishedAt;

/**
 * Adds this year's tracks and enqueues the rendering of those without music. It runs at every start:
 * existing tracks stay, and a new week adds its own.
 */
export async function seedDemoTracks({ database, clock, config }: Deps): Promise<void> {
  const now = clock.now();
  const tracks = buildDemoTracks(weekOf(now, config.timeZone))
    .toSorted(byInterest(now))
    .slice(0, config.demoTracks);
  if (tracks.length === 0) return;
  const detailed = new Set(tracks.slice(0, DETAILED_TRACKS).map(({ id }) => id));
  await database.db.transaction().execute(async (tx) => {
    for (const track of tracks) {
      const added = await tx
        .insertInto('tracks')
        .values(toRow(track, now))
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      if (!added) continue;
      await indexTrack(tx, database.dialect, added);
      if (detailed.has(added.id)) await seedRecordings(tx, added, now);
    }
    const demoIds = tracks.map(({ id }) => id);
    const unrendered = await tx
      .selectFrom('tracks')
      .select('id')
      .where('id', 'in', demoIds)
      .where('master_key', 'is', null)
      .where('status', '=', 'processing')
      .execute();
    const ids = new Set(unrendered.map((row) => row.id));
    const trackIds = demoIds.filter((id) => ids.has(id));
    await enqueueDemoMusic(tx, { trackIds, lossless: LOSSLESS_TRACKS }, now);
  });
}
