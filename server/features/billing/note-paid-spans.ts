import { z } from 'zod';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { holdAccount } from './account.ts';
import { noteRows } from './paid-history.ts';

const MEMBERS = 100;

const listPayers = (db: Db, after: string) =>
  db
    .selectFrom('ledger')
    .select('user_id')
    .distinct()
    .where('kind', '=', 'charge')
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(MEMBERS)
    .execute();

/** Once, after an update that brought such rows: from then on they are written with each payment. */
export const notePaidSpans = defineJob({
  name: 'note-paid-spans',
  payload: z.object({}),
  run: async ({ database, payments, config }: Deps, _payload, { signal }) => {
    const place = { calendar: payments.calendar, timeZone: config.timeZone };
    for (let after = ''; !signal.aborted;) {
      const payers = await listPayers(database.db, after);
      for (const { user_id: userId } of payers)
        await database.db.transaction().execute(async (tx) => {
          await holdAccount(tx, userId);
          await noteRows(tx, userId, place);
        });
      const last = payers.at(-1);
      if (!last || payers.length < MEMBERS) return;
      after = last.user_id;
    }
  },
});
