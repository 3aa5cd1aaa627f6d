import { readSettings } from '../db/settings.ts';
import type { Deps } from '../deps.ts';

/** How long access goes on after the end of what was paid for, for everybody who asks. */
export async function readGrace({ database, clock }: Deps): Promise<number> {
  const { graceMs } = await readSettings(database.db, clock.now());
  return graceMs;
}
