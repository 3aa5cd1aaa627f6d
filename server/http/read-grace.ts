import { readSettings } from '../db/settings.ts';
import type { Deps } from '../deps.ts';

/** How long access goes on after the end of what was paid for, for everybody who asks. */
export async function readGrace({ database, clock, payments }: Deps): Promise<number> {
  const { graceDays } = await readSettings(database.db, clock.now());
  return payments.calendar.addDays(0, graceDays);
}
