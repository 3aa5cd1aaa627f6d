import type { Deps } from '../../deps.ts';
import { defineSchedule } from '../../jobs/define-job.ts';
import { DOCUMENT_VERSION } from './document.ts';
import { indexTrack } from './index-track.ts';
import { listTracksToIndex } from './queries.ts';
import { searchIndexFor } from './search-index.ts';
import { DAY } from '#contract/rules/time.ts';

const BATCH = 100;

/** Indexes tracks that have no document, or one of an older version. */
async function indexMissing({ database }: Deps, signal: AbortSignal): Promise<void> {
  let after = '';
  for (;;) {
    signal.throwIfAborted();
    const tracks = await listTracksToIndex(database.db, { after, limit: BATCH });
    const stale = tracks.filter(({ version }) => version !== DOCUMENT_VERSION);
    if (stale.length > 0)
      await database.db.transaction().execute(async (tx) => {
        for (const track of stale) await indexTrack(tx, database.dialect, track);
      });
    const last = tracks.at(-1);
    if (!last || tracks.length < BATCH) return;
    after = last.id;
  }
}

export const reindexSearch = defineSchedule({
  name: 'reindex-search',
  everyMs: DAY,
  run: async (deps: Deps, { signal }) => {
    await indexMissing(deps, signal);
    await searchIndexFor(deps.database.dialect).compact(deps.database.db, signal);
  },
});
