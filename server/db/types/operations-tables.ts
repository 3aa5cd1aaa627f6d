/** Who did what. Triggers refuse to change or delete a row. */
export type AuditLogTable = {
  /** Sorts by time. */
  id: string;
  at: number;
  /** The id of a user, even if the account is deleted; null for an action without an account. */
  actor_id: string | null;
  via: 'web' | 'console' | 'setup';
  action: string;
  subject_kind: string;
  subject_id: string | null;
  /** JSON: the changed fields before and after. */
  before: string | null;
  after: string | null;
  reason: string | null;
  request_id: string | null;
};

/** Links that create the first administrator. */
export type SetupLinksTable = { token_hash: string; created_at: number; expires_at: number };

export type DisabledAccountsTable = { user_id: string; at: number; reason: string };

/** The last run of each schedule. */
type ScheduleRunsTable = { name: string; ended_at: number; error: string | null };

/** When a worker last looked at its clock, and how long it has gone without a jump. */
type ClockMarkTable = { id: 1; seen_at: number; steady_ms: number };

/** When mail to many may go out next: one row, which all processes share. */
type MailPaceTable = {
  id: 1;
  /** The mails of the last hour at their pace end here. */
  next_at: number;
  /** The mail server said, or showed, that it takes no more until then. */
  paused_until: number;
  /** Pauses in a row, since it last took a mail. */
  pauses: number;
  pause_reason: string | null;
  updated_at: number;
};

export type OperationsTables = {
  mail_pace: MailPaceTable;
  clock_mark: ClockMarkTable;
  audit_log: AuditLogTable;
  setup_links: SetupLinksTable;
  disabled_accounts: DisabledAccountsTable;
  schedule_runs: ScheduleRunsTable;
};
