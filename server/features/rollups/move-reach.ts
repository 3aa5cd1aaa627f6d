import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';

/** A member came further than before into a mix that they began on `day`. */
export async function moveReach(
  tx: Db,
  { trackId, day, from, to }: { trackId: string; day: string; from: number | null; to: number },
): Promise<void> {
  // The higher first, whoever moves: two at once then never wait for each other in a circle.
  await tx
    .insertInto('track_reach')
    .values({ track_id: trackId, day, reach: to, listeners: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['track_id', 'day', 'reach'])
        .doUpdateSet({ listeners: sql<number>`track_reach.listeners + 1` }),
    )
    .execute();
  if (from === null) return;
  await tx
    .updateTable('track_reach')
    .set({ listeners: sql<number>`listeners - 1` })
    .where('track_id', '=', trackId)
    .where('day', '=', day)
    .where('reach', '=', from)
    .execute();
}
