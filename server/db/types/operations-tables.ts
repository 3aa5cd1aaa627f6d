import type { CheckKind } from '#contract/admin/week.ts';

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

/** Addresses at which nothing arrives. Mail to them stops until someone says it works again. */
type RefusedAddressesTable = {
  /** As in `users.email_key`. */
  email_key: string;
  refused_at: number;
  /** What the mail server said. */
  reason: string;
  /** Refused when we sent it, or reported later: by a mail that came back, or by the provider. */
  source: 'server' | 'bounce' | 'webhook';
};

/** The last of each kind about an address that still gets mail. */
type MailReportsTable = {
  email_key: string;
  /** Something didn’t arrive, this time; or a reader called it spam. */
  kind: 'temporary' | 'complaint';
  reason: string;
  reported_at: number;
};

/** How far a mailbox is read that gets reports about mail. */
type ReadMailboxesTable = {
  /** A hash of its address. */
  mailbox: string;
  /** With another one, the server has numbered its mails anew. */
  uid_validity: number;
  last_uid: number;
  /** When the last one that was read arrived. */
  arrived_at: number;
};

/** What was found when the site last looked at something of its own. */
type SiteChecksTable = {
  kind: CheckKind;
  tried_at: number;
  /** When that last worked; null if it never has. */
  looked_at: number | null;
  /** Why it didn’t work; null if it did. */
  failure: string | null;
  /** A sentence; null if all is well. */
  problem: string | null;
  count: number;
  /** It can’t wait until morning. */
  is_urgent: 0 | 1;
};

/** What each server last read about itself. */
type ServerReadingsTable = {
  /** The name of the machine. */
  server: string;
  read_at: number;
  free_bytes: number;
  size_bytes: number;
  /** How far its clock is ahead of the database’s, in milliseconds; null if they are the same. */
  clock_offset: number | null;
};

/** The least space that a server’s disk had left in each hour. */
type DiskReadingsTable = { server: string; hour: number; free_bytes: number };

/** Answers with an error of ours, by the minute they ended in. */
type FailedAnswersTable = { minute: number; count: number };

/** Mails to administrators about what needs them, so that none is planned twice. */
type AttentionMailsTable = { key: string; planned_at: number };

/** What administrators have been told of, until they have been told that it is over. */
type AttentionToldTable = { item: string; text: string; told_at: number };

/** Jobs that wait until an administrator lets them go on. */
type JobPausesTable = {
  /** `lane:mail` or `job:send-letter-mail`. */
  target: string;
  paused_at: number;
  /** Null if the account is deleted. */
  paused_by: string | null;
};

export type OperationsTables = {
  site_checks: SiteChecksTable;
  server_readings: ServerReadingsTable;
  disk_readings: DiskReadingsTable;
  failed_answers: FailedAnswersTable;
  attention_mails: AttentionMailsTable;
  attention_told: AttentionToldTable;
  job_pauses: JobPausesTable;
  refused_addresses: RefusedAddressesTable;
  mail_reports: MailReportsTable;
  read_mailboxes: ReadMailboxesTable;
  mail_pace: MailPaceTable;
  clock_mark: ClockMarkTable;
  audit_log: AuditLogTable;
  setup_links: SetupLinksTable;
  disabled_accounts: DisabledAccountsTable;
  schedule_runs: ScheduleRunsTable;
};
