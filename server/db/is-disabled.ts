import { sql, type SqlBool } from 'kysely';

/** Whether the account in `users` is disabled, to select with it. */
export const isDisabled = sql<SqlBool>`exists (
  select 1 from disabled_accounts where disabled_accounts.user_id = users.id
)`.as('is_disabled');
