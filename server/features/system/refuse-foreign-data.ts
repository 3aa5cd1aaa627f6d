import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { DEMO_ACCOUNT_IDS } from '../../demo-accounts.ts';
import type { Deps } from '../../deps.ts';
import { StartProblem } from '../../start-problem.ts';

async function hasDemoAccounts(db: Db): Promise<boolean> {
  const query = db.selectFrom('users').select('id').where('id', 'in', DEMO_ACCOUNT_IDS).limit(1);
  return (await query.executeTakeFirst()) !== undefined;
}

async function hasAdministrator(db: Db): Promise<boolean> {
  const query = db.selectFrom('users').select('id').where('is_admin', '=', 1).limit(1);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Of a page that someone left, nothing came. */
const UNPAID = ['open', 'failed', 'expired'] as const;

async function hasPaymentsThrough(db: Db, providers: readonly string[]): Promise<boolean> {
  for (const table of ['subscriptions', 'ledger_entries', 'invoices', 'gifts'] as const) {
    const query = db.selectFrom(table).select('provider').where('provider', 'in', providers);
    if (await query.limit(1).executeTakeFirst()) return true;
  }
  const query = db.selectFrom('payments').select('provider').where('provider', 'in', providers);
  const paid = query.where('state', 'not in', UNPAID).limit(1);
  return (await paid.executeTakeFirst()) !== undefined;
}

const CARRY_OVER =
  'Use an empty DATA_DIR or database, and carry the mixes over with “npm run export” and “npm run import” (see docs/operations.md).';

const describeSite = (folder: string) =>
  `The database in ${folder} belongs to a site, but without its settings this would be a demo. Start with the settings of the site (see docs/operations.md), or use an empty DATA_DIR to try things out.`;

/**
 * A site that lost its settings must not greet its members as an empty demo: what they do there would
 * be gone once the settings are back. Call it before anything is opened.
 */
export function refuseDemoBesideSite({ demo, dataDir }: Pick<Config, 'demo' | 'dataDir'>): void {
  const folder = join(dataDir, '..');
  if (demo && existsSync(join(folder, 'database.sqlite')))
    throw new StartProblem(describeSite(folder));
}

/**
 * A demo has a folder of its own, but backups can be restored anywhere: everyone knows a demo's
 * passwords, and a demo would add its mixes and accounts to those of a site. And test cards must
 * neither give access where others pay, nor take invoice numbers between those of real payments.
 */
export async function refuseForeignData({
  config,
  database: { db },
}: Pick<Deps, 'config' | 'database'>): Promise<void> {
  const { provider } = config.payments;
  const isOfDemo = await hasDemoAccounts(db);
  if (config.demo && !isOfDemo && (await hasAdministrator(db)))
    throw new StartProblem(describeSite(config.dataDir));
  if (!config.demo && isOfDemo)
    throw new StartProblem(
      `This database has the accounts of a demo, whose passwords everyone knows. ${CARRY_OVER}`,
    );
  if (provider !== 'sandbox' && (await hasPaymentsThrough(db, ['sandbox'])))
    throw new StartProblem(
      `This database has payments with test cards, but PAYMENTS is ${provider}. ${CARRY_OVER}`,
    );
  if (provider === 'sandbox' && (await hasPaymentsThrough(db, ['paystack', 'stripe'])))
    throw new StartProblem(
      'This database has real payments, but PAYMENTS is sandbox, which only takes test cards. Set PAYMENTS to the provider that took them, or use an empty DATA_DIR or database to try things out.',
    );
}
