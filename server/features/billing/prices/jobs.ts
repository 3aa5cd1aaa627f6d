import { z } from 'zod';
import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../../deps.ts';
import { defineJob, defineSchedule } from '../../../jobs/define-job.ts';
import { recordAction } from '../../audit/service.ts';
import { reloadSettings, writeSiteSettings } from '../../settings/service.ts';
import { findChange, listOpenChanges, type PriceChangeRow } from './queries.ts';
import { tellCancelled, tellMembers } from './tell-members.ts';

/** On its date the new price becomes the price of the site, and the one before is history. */
async function startChange(deps: Deps, change: PriceChangeRow): Promise<void> {
  const { database, clock } = deps;
  const { id, plan, amount, old_amount: before } = change;
  const now = clock.now();
  if (change.state !== 'planned' || now < change.starts_at) return;
  await database.db.transaction().execute(async (tx) => {
    const started = await tx
      .updateTable('price_changes')
      .set({ state: 'current', updated_at: now })
      .where('id', '=', id)
      .where('state', '=', 'planned')
      .returning('id')
      .executeTakeFirst();
    if (!started) return;
    await tx
      .updateTable('price_changes')
      .set({ state: 'replaced', updated_at: now })
      .where('plan', '=', plan)
      .where('state', '=', 'current')
      .where('id', '<>', id)
      .execute();
    const name = plan === 'annual' ? 'annualPrice' : 'monthlyPrice';
    await writeSiteSettings(tx, { [name]: amount }, now);
    await recordAction(
      tx,
      {
        actor: { userId: change.created_by },
        action: 'settings.changed',
        subject: { kind: 'site' },
        before: { [name]: before },
        after: { [name]: amount },
        because: 'The date of a planned price change.',
      },
      now,
    );
  });
  await reloadSettings(deps);
}

/** Everything that is due for price changes. Running it again does nothing twice. */
async function workOnPriceChanges(deps: Deps, signal: AbortSignal): Promise<void> {
  const { database, payments } = deps;
  const { db } = database;
  for (const change of await listOpenChanges(db, payments.name)) await startChange(deps, change);
  const open = await listOpenChanges(db, payments.name);
  for (const change of open) {
    if (signal.aborted) return;
    const isNewest = open.findLast(({ plan }) => plan === change.plan) === change;
    if (isNewest) await tellMembers(deps, change, signal);
  }
  deps.jobs.wake();
}

/** Right after a change was planned or cancelled, and on its date. */
export const runPriceChange = defineJob({
  name: 'run-price-change',
  lane: 'payments',
  payload: z.object({ changeId: z.string() }),
  run: async (deps: Deps, { changeId }, { signal }) => {
    const change = await findChange(deps.database.db, changeId);
    if (change?.state === 'cancelled') await tellCancelled(deps, change, signal);
    else await workOnPriceChanges(deps, signal);
  },
});

export const checkPriceChanges = defineSchedule({
  name: 'check-price-changes',
  lane: 'payments',
  everyMs: HOUR,
  run: async (deps: Deps, { signal }) => workOnPriceChanges(deps, signal),
});
