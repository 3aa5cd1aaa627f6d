import type { Deps } from '../../deps.ts';
import type { Imported } from './service.ts';

type State = { says: string; isDone: boolean; isGood: boolean };

const wait = (says: string): State => ({ says, isDone: false, isGood: false });
const end = (says: string, isGood: boolean): State => ({ says, isDone: true, isGood });

async function readState({ database }: Deps, uploadId: string): Promise<State> {
  const row = await database.db
    .selectFrom('uploads')
    .leftJoin('tracks', 'tracks.id', 'uploads.track_id')
    .select([
      'uploads.state',
      'uploads.failure as refusal',
      'tracks.status',
      'tracks.progress',
      'tracks.failure',
      'tracks.year',
      'tracks.week',
    ])
    .where('uploads.id', '=', uploadId)
    .executeTakeFirst();
  if (!row) return end('was taken away', false);
  if (row.state === 'duplicate') return end('here already', true);
  if (row.state === 'refused') return end(row.refusal ?? 'refused', false);
  if (row.status === 'ready') return end(`ready as ${row.year} week ${row.week}`, true);
  if (row.status === 'failed') return end(row.failure ?? 'failed', false);
  return wait(row.status === null ? 'waiting' : `${Math.floor((row.progress ?? 0) / 10) * 10} %`);
}

/** Tells whatever changes until every file is a mix or will never be one. Answers how many failed. */
export async function followImport(
  deps: Deps,
  imported: readonly Imported[],
  { report, pause }: { report: (line: string) => void; pause: () => Promise<unknown> },
): Promise<number> {
  const said = new Map<string, string>();
  for (;;) {
    let open = 0;
    let failed = 0;
    for (const { name, uploadId } of imported) {
      const { says, isDone, isGood } = await readState(deps, uploadId);
      if (said.get(uploadId) !== says) report(`${name}: ${says}`);
      said.set(uploadId, says);
      if (!isDone) open += 1;
      else if (!isGood) failed += 1;
    }
    if (open === 0) return failed;
    await pause();
  }
}
