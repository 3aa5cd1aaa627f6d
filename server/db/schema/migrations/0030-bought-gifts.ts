import { runStatements, type MigrationSteps } from './migration.ts';

/** Gifts that anybody can buy, without an account too. */
export const boughtGifts: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      `alter table gifts add column reference text`,
      `alter table gifts add column provider text`,
      `alter table gifts add column token text`,
      `alter table gifts add column words text`,
      `alter table gifts add column buyer_id text references users (id) on delete set null`,
      `alter table gifts add column buyer_email text`,
      `alter table gifts add column recipient_email text`,
      `alter table gifts add column send_on text`,
      `alter table gifts add column send_at time`,
      `alter table gifts add column sent_at time`,
      `alter table gifts add column paid_at time`,
      `alter table gifts add column void_at time`,
      `alter table gifts add column open_key text`,
      `create unique index gifts_by_reference on gifts (reference) where reference is not null`,
      `create unique index gifts_by_open_key on gifts (open_key) where open_key is not null`,
      `create index gifts_by_buyer on gifts (buyer_id) where buyer_id is not null`,
      `create index gifts_to_send on gifts (send_at) where sent_at is null and send_at is not null`,
    ]),
};
