import { findMissingSellerData } from '#contract/admin/settings.ts';
import { readSettings } from '../../db/settings.ts';
import type { Deps } from '../../deps.ts';

/** What a seller must publish and the settings don't say, on a site that takes real payments. */
export async function listMissingSellerData({
  database,
  payments,
  clock,
}: Pick<Deps, 'database' | 'payments' | 'clock'>): Promise<string[]> {
  if (payments.name === 'sandbox') return [];
  return findMissingSellerData(await readSettings(database.db, clock.now()));
}

/** At the start, for operators who don't look at the dashboard. */
export async function warnAboutSeller(deps: Deps): Promise<void> {
  const missing = await listMissingSellerData(deps);
  if (missing.length > 0)
    deps.log.warn(
      { missing },
      `The site takes payments, but the seller’s ${missing.join(', ')} is missing. Enter it in Admin, Settings, Seller and VAT.`,
    );
}
