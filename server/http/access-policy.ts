import { readSettings, type Settings } from '../db/settings.ts';
import type { Deps } from '../deps.ts';
import { HOUR } from '#contract/rules/time.ts';

/** How long access goes on after the end of what was paid for, for everybody who asks. */
export async function readGraceMs(deps: Deps): Promise<number> {
  return (await readAccessPolicy(deps)).grace_ms;
}

type AccessPolicy = { grace_ms: number; early_ms: number };

/** With how long before its public hour subscribers get a release. */
export function readAccessPolicy({
  database,
  clock,
  payments,
}: Deps): AccessPolicy | Promise<AccessPolicy> {
  const toTerms = ({ graceDays, earlyAccessHours }: Settings): AccessPolicy => ({
    grace_ms: payments.calendar.addDays(0, graceDays),
    early_ms: earlyAccessHours * HOUR,
  });
  const settings = readSettings(database.db, clock.now());
  return settings instanceof Promise ? settings.then(toTerms) : toTerms(settings);
}
