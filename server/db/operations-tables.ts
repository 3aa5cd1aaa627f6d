/** What was done by whom, once and for good: the database itself refuses to change or delete a row. */
export type AuditLogTable = {
  /** Sorts by time. */
  id: string;
  at: number;
  /** A user's id, which says nothing once the person has left; null when it was done without an account. */
  actor_id: string | null;
  via: 'web' | 'console' | 'setup';
  action: string;
  subject_kind: string;
  subject_id: string | null;
  /** JSON: what the act changed, as it was and as it is. */
  before: string | null;
  after: string | null;
  because: string | null;
  request_id: string | null;
};

/** The one link that makes the first administrator. */
export type SetupLinksTable = { token_hash: string; created_at: number; expires_at: number };

export type DisabledAccountsTable = { user_id: string; at: number; because: string };

/** How recurring work went the last time. */
export type ScheduleRunsTable = { name: string; ended_at: number; error: string | null };

export type OperationsTables = {
  audit_log: AuditLogTable;
  setup_links: SetupLinksTable;
  disabled_accounts: DisabledAccountsTable;
  schedule_runs: ScheduleRunsTable;
};
