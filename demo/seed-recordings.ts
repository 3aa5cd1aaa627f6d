import { hashSeed } from '#contract/rules/random.ts';
import type { RecordingDetails } from '#contract/tracklists/recording.ts';
import type { Tx } from '#server/db/connect.ts';
import { readEntries } from '#server/db/read-chapters.ts';
import type { TracksTable } from '#server/db/types/tables.ts';
import { indexRecordings, linkRecordings } from '#server/features/recordings/service.ts';

const LABELS = ['Tollgate', 'Zinc Roof Records', 'Short Left Music'] as const;

/** As a DJ would have filled it in so far: something is missing in most lines. */
function inventDetails(title: string, n: number): Partial<RecordingDetails> | undefined {
  const seed = hashSeed(title);
  if (n % 4 === 3) return undefined;
  return {
    // No country has this prefix.
    isrc: `XXDEM26${String(seed % 100_000).padStart(5, '0')}`,
    ...(n % 3 !== 1 && { label: LABELS[seed % LABELS.length] ?? LABELS[0] }),
    ...(n % 2 === 0 && { composer: `${title.split(' ')[0]} Dlamini`, publisher: 'Own' }),
  };
}

/** What the tracks of a new mix are, for reports. */
export async function seedRecordings(tx: Tx, track: TracksTable, now: number): Promise<void> {
  const entries = readEntries(track).map((entry, n) => ({
    ...entry,
    details: inventDetails(entry.title, n),
  }));
  const linked = await linkRecordings(tx, entries, [], now);
  await tx
    .updateTable('tracks')
    .set({ chapters: JSON.stringify(linked.entries) })
    .where('id', '=', track.id)
    .execute();
  await indexRecordings(tx, track.id, linked.entries);
}
