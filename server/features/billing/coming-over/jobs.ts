import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../../deps.ts';
import { defineSchedule } from '../../../jobs/define-job.ts';
import { createProviderSubscriptions } from '../../../ports/payments/provider-subscriptions.ts';
import { workThrough } from '../work-through.ts';
import { compareRenewals, listComing } from './compare-renewals.ts';
import { takeOver } from './take-over.ts';

/** Asks the provider nothing unless an operator has started to bring subscriptions over. */
export const comeOver = defineSchedule({
  name: 'come-over',
  lane: 'payments',
  everyMs: 3 * HOUR,
  run: async (deps: Deps, { signal }) => {
    const rows = await listComing(deps.database.db, deps.payments.name);
    if (rows.length === 0) return;
    const provider = await createProviderSubscriptions(deps.config.payments, deps.clock);
    if (!provider) return;
    await workThrough(deps, rows, signal, async (row) => {
      if (row.state === 'ending') await takeOver(deps, provider, row, true);
      else await compareRenewals(deps, provider, row);
    });
  },
});
