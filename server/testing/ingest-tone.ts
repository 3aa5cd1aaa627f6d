import type { TracksTable } from '../db/types/tables.ts';
import { createMasterKey, startIngest } from '../features/ingest/service.ts';
import { seedTrack, steadyTrackId } from './seed-track.ts';
import type { TestApp } from './test-app.ts';
import { writeToneWav } from './tone-wav.ts';

/** A track of three seconds, or as long as it says, with its files made from a real master. Returns its id. */
export async function ingestTone(
  test: TestApp,
  change: Partial<TracksTable> = {},
): Promise<string> {
  const { database, storage, clock } = test.deps;
  const now = clock.now();
  const track = await seedTrack(
    { db: database.db, storage, now },
    { id: steadyTrackId(database.db), duration_ms: 3000, ...change },
  );
  const seconds = Math.round(track.duration_ms / 1000);
  await database.db.deleteFrom('renditions').where('track_id', '=', track.id).execute();
  const { runId, masterKey } = createMasterKey('wav', now);
  await storage.put(masterKey, writeToneWav({ seconds, loudFrom: 1 }));
  await database.db
    .transaction()
    .execute((tx) => startIngest(tx, { trackId: track.id, runId, masterKey, now }));
  await test.worker.runDue();
  return track.id;
}
