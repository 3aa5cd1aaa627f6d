import { sql } from 'kysely';
import type { Migration } from './migration.ts';
import { finishTable, timeType } from './table-types.ts';

const INDEXES = [
  'create unique index sandbox_checkouts_by_reference on sandbox_checkouts (reference)',
  'create index sandbox_agreements_by_customer on sandbox_agreements (customer_id)',
  "create index sandbox_agreements_due on sandbox_agreements (next_charge_at) where status <> 'ended'",
  'create index sandbox_charges_by_agreement on sandbox_charges (agreement_id, at)',
  'create index sandbox_events_by_seq on sandbox_events (seq)',
  'create index sandbox_events_untold on sandbox_events (seq) where delivered_at is null',
];

/** The books of the payment company that is only played. Nothing of ours refers to them. */
export const sandboxPayments: Migration = {
  name: '0013-sandbox-payments',
  up: async (tx, dialect) => {
    const time = timeType(dialect);
    await finishTable(
      tx.schema
        .createTable('sandbox_checkouts')
        .addColumn('id', 'text', (c) => c.primaryKey().notNull())
        .addColumn('reference', 'text', (c) => c.notNull())
        .addColumn('customer_id', 'text', (c) => c.notNull())
        .addColumn('plan', 'text', (c) => c.notNull())
        .addColumn('amount', 'integer', (c) => c.notNull().check(sql`amount >= 0`))
        .addColumn('renewal_amount', 'integer', (c) => c.notNull())
        .addColumn('currency', 'text', (c) => c.notNull())
        .addColumn('first_charge_at', time, (c) => c.notNull())
        .addColumn('success_url', 'text', (c) => c.notNull())
        .addColumn('cancel_url', 'text', (c) => c.notNull())
        .addColumn('state', 'text', (c) =>
          c.notNull().check(sql`state in ('open','paid','closed')`),
        )
        .addColumn('agreement_id', 'text')
        .addColumn('charge_id', 'text')
        .addColumn('created_at', time, (c) => c.notNull()),
      dialect,
    );
    await finishTable(
      tx.schema
        .createTable('sandbox_agreements')
        .addColumn('id', 'text', (c) => c.primaryKey().notNull())
        .addColumn('customer_id', 'text', (c) => c.notNull())
        .addColumn('plan', 'text', (c) => c.notNull())
        .addColumn('currency', 'text', (c) => c.notNull())
        .addColumn('status', 'text', (c) =>
          c.notNull().check(sql`status in ('active','ending','late','ended')`),
        )
        .addColumn('due_at', time, (c) => c.notNull())
        .addColumn('next_charge_at', time, (c) => c.notNull())
        .addColumn('next_amount', 'integer', (c) => c.notNull())
        .addColumn('renewal_amount', 'integer', (c) => c.notNull())
        .addColumn('next_plan', 'text')
        .addColumn('card', 'text', (c) => c.notNull())
        .addColumn('card_uses', 'integer', (c) => c.notNull())
        .addColumn('failures', 'integer', (c) => c.notNull())
        .addColumn('created_at', time, (c) => c.notNull()),
      dialect,
    );
    await finishTable(
      tx.schema
        .createTable('sandbox_charges')
        .addColumn('id', 'text', (c) => c.primaryKey().notNull())
        .addColumn('reference', 'text')
        .addColumn('customer_id', 'text', (c) => c.notNull())
        .addColumn('agreement_id', 'text')
        .addColumn('plan', 'text', (c) => c.notNull())
        .addColumn('status', 'text', (c) => c.notNull().check(sql`status in ('paid','failed')`))
        .addColumn('amount', 'integer', (c) => c.notNull())
        .addColumn('refunded', 'integer', (c) =>
          c.notNull().check(sql`refunded >= 0 and refunded <= amount`),
        )
        .addColumn('currency', 'text', (c) => c.notNull())
        .addColumn('is_disputed', 'integer', (c) => c.notNull().check(sql`is_disputed in (0, 1)`))
        .addColumn('card', 'text', (c) => c.notNull())
        .addColumn('failure', 'text')
        .addColumn('at', time, (c) => c.notNull()),
      dialect,
    );
    await finishTable(
      tx.schema
        .createTable('sandbox_refunds')
        .addColumn('key', 'text', (c) => c.primaryKey().notNull())
        .addColumn('charge_id', 'text', (c) => c.notNull())
        .addColumn('amount', 'integer', (c) => c.notNull())
        .addColumn('at', time, (c) => c.notNull()),
      dialect,
    );
    await finishTable(
      tx.schema
        .createTable('sandbox_card_updates')
        .addColumn('id', 'text', (c) => c.primaryKey().notNull())
        .addColumn('agreement_id', 'text', (c) => c.notNull())
        .addColumn('return_url', 'text', (c) => c.notNull())
        .addColumn('created_at', time, (c) => c.notNull()),
      dialect,
    );
    await finishTable(
      tx.schema
        .createTable('sandbox_events')
        .addColumn('id', 'text', (c) => c.primaryKey().notNull())
        .addColumn('seq', 'integer', (c) => c.notNull())
        .addColumn('body', 'text', (c) => c.notNull())
        .addColumn('created_at', time, (c) => c.notNull())
        .addColumn('delivered_at', time),
      dialect,
    );
    for (const index of INDEXES) await sql.raw(index).execute(tx);
  },
};
