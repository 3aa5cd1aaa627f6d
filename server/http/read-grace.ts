import { readSettings, type Settings } from '../db/settings.ts';
import type { Deps } from '../deps.ts';
import { HOUR } from '#contract/rules/time.ts';

/** How long access goes on after the end of what was paid for, for everybody who asks. */
export async function readGrace(deps: Deps): Promise<number> {
  return (await readTerms(deps)).grace_ms;
}

type Terms = { grace_ms: number; early_ms: number };

/** With how long before its public hour subscribers get a release. */
export function readTerms({ database, clock, payments }: Deps): Terms | Promise<Terms> {
  const toTerms = ({ graceDays, earlyAccessHours }: Settings): Terms => ({
    grace_ms: payments.calendar.addDays(0, graceDays),
    early_ms: earlyAccessHours * HOUR,
  });
  const settings = readSettings(database.db, clock.now());
  return settings instanceof Promise ? settings.then(toTerms) : toTerms(settings);
}
