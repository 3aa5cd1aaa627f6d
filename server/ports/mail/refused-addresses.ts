import { sql, type SqlBool } from 'kysely';
import { toAccountKey } from '../../db/account-key.ts';
import type { Db } from '../../db/connect.ts';
import type { OperationsTables } from '../../db/types/operations-tables.ts';

type Refusal = OperationsTables['refused_addresses'];
type MailReport = OperationsTables['mail_reports'];

/** Nothing arrives at this address, so nothing is sent to it. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';

  constructor(reason: string) {
    super(`The address refuses mail: ${reason}`);
  }
}

/** Of the account in `users`: it isn't disabled, and its address is confirmed and accepts mail. */
export const mayBeMailed = sql<SqlBool>`users.email_verified_at is not null
  and not exists (select 1 from refused_addresses where refused_addresses.email_key = users.email_key)
  and not exists (select 1 from disabled_accounts where disabled_accounts.user_id = users.id)`;

export const findRefusal = (db: Db, email: string): Promise<Refusal | undefined> =>
  db
    .selectFrom('refused_addresses')
    .selectAll()
    .where('email_key', '=', toAccountKey(email))
    .executeTakeFirst();

/** What was known first stays: it says since when. */
export async function recordRefusal(
  db: Db,
  { email, ...refusal }: { email: string } & Pick<Refusal, 'reason' | 'source'>,
  now: number,
): Promise<void> {
  await db
    .insertInto('refused_addresses')
    .values({ email_key: toAccountKey(email), refused_at: now, ...refusal })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Only the last of each kind is kept. */
export async function noteReport(
  db: Db,
  { email, ...report }: { email: string } & Omit<MailReport, 'email_key'>,
): Promise<void> {
  await db
    .insertInto('mail_reports')
    .values({ email_key: toAccountKey(email), ...report })
    .onConflict((conflict) =>
      conflict
        .columns(['email_key', 'kind'])
        .doUpdateSet({ reason: report.reason, reported_at: report.reported_at })
        .where('mail_reports.reported_at', '<=', report.reported_at),
    )
    .execute();
}

export const listReports = (db: Db, email: string): Promise<MailReport[]> =>
  db
    .selectFrom('mail_reports')
    .selectAll()
    .where('email_key', '=', toAccountKey(email))
    .orderBy('reported_at', 'desc')
    .execute();

/** Its owner or an administrator says that it works, or nobody uses it any more. */
export async function forgetRefusal(db: Db, email: string): Promise<boolean> {
  await db.deleteFrom('mail_reports').where('email_key', '=', toAccountKey(email)).execute();
  const row = await db
    .deleteFrom('refused_addresses')
    .where('email_key', '=', toAccountKey(email))
    .returning('email_key')
    .executeTakeFirst();
  return row !== undefined;
}
