import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../../deps.ts';
import { defineSchedule } from '../../../jobs/define-job.ts';
import { PaymentsError } from '../../../ports/payments/payments.ts';
import { createProviderSubscriptions } from '../../../ports/payments/provider-subscriptions.ts';
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
    for (const row of provider ? rows : []) {
      if (signal.aborted || !provider) return;
      const isBegun = row.state === 'ending';
      await (isBegun ? takeOver(deps, provider, row, true) : compareRenewals(deps, provider, row))
        // The others don't wait for it; it is tried again.
        .catch((error: unknown) => {
          if (!(error instanceof PaymentsError)) throw error;
          deps.log.warn({ err: error }, 'The provider failed while subscriptions come over.');
        });
    }
  },
});
