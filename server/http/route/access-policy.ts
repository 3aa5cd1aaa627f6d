import { readSettings, type Settings } from '../../db/settings.ts';
import type { Deps } from '../../deps.ts';
import { HOUR } from '#contract/rules/time.ts';

/** How long access continues after the paid period. */
export async function readGraceMs(deps: Deps): Promise<number> {
  return (await readAccessPolicy(deps)).grace_ms;
}

type AccessPolicy = { grace_ms: number; early_ms: number };

/** The grace period, and how early subscribers get a release. */
export function readAccessPolicy({
  database,
  clock,
  payments,
}: Deps): AccessPolicy | Promise<AccessPolicy> {
  const toPolicy = ({ graceDays, earlyAccessHours }: Settings): AccessPolicy => ({
    grace_ms: payments.calendar.addDays(0, graceDays),
    early_ms: earlyAccessHours * HOUR,
  });
  const settings = readSettings(database.db, clock.now());
  return settings instanceof Promise ? settings.then(toPolicy) : toPolicy(settings);
}
