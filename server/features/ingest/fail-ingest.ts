import type { Db } from '../../db/connect.ts';
import { publishSignal } from '../live/service.ts';
import { readBegun } from './current-ingest.ts';
import { forgetStages, insertStages, lockTrack, updateTrack } from './queries.ts';

type Failed = { trackId: string; ingestId: string; failure: string; now: number };

/** What people could hear before they still hear, with its own master and what is known of that. */
export async function failIngest(tx: Db, { trackId, ingestId, failure, now }: Failed) {
  const track = await lockTrack(tx, trackId);
  const begun = track && (await readBegun(tx, track));
  if (!track || begun?.ingestId !== ingestId) return;
  const { heard } = begun;
  if (heard) {
    await forgetStages(tx, trackId);
    await insertStages(tx, heard.stages);
  }
  await updateTrack(tx, trackId, {
    ...(heard && { master_key: heard.masterKey, master_sha256: heard.sha256 }),
    ...(track.status === 'ready' ? { progress: 100 } : { status: 'failed' as const }),
    failure,
    updated_at: now,
  });
  await publishSignal(tx, 'admin:tracks', now);
}
