import { readSettings } from '../db/settings.ts';
import type { Deps } from '../deps.ts';

const HOUR = 60 * 60 * 1000;

/** How long access goes on after the end of what was paid for, for everybody who asks. */
export async function readGrace(deps: Deps): Promise<number> {
  return (await readTerms(deps)).grace_ms;
}

/** With how long before its public hour subscribers get a release. */
export async function readTerms({
  database,
  clock,
  payments,
}: Deps): Promise<{ grace_ms: number; early_ms: number }> {
  const { graceDays, earlyAccessHours } = await readSettings(database.db, clock.now());
  return { grace_ms: payments.calendar.addDays(0, graceDays), early_ms: earlyAccessHours * HOUR };
}
