import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** A change of plan that a provider makes into another agreement, and that may stop half-way. */
export const planChanges: Migration = {
  name: '0019-plan-changes',
  up: async (tx) => {
    for (const column of ['changing_to', 'replaced_by'])
      await sql.raw(`alter table agreements add column ${column} text`).execute(tx);
  },
};
