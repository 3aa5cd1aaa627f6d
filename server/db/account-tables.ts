export type PasswordResetsTable = {
  token_hash: string;
  user_id: string;
  /** Where the link was mailed; null if an operator got it on the console. */
  email: string | null;
  created_at: number;
  expires_at: number;
};

/** A link in a mail: `confirm` makes the address the account's, `undo` makes it that again. */
export type EmailLinksTable = {
  token_hash: string;
  user_id: string;
  kind: 'confirm' | 'undo';
  email: string;
  /** When the user asked for the change, however late the mail was sent. */
  created_at: number;
  expires_at: number;
};

/** A mail that waits until its user has verified the address. */
export type HeldJobsTable = {
  id: string;
  user_id: string;
  name: string;
  payload: string;
  max_attempts: number;
  created_at: number;
};

/** A user's choices; without a row, the defaults of `contract/preferences.ts`. */
export type PreferencesTable = {
  user_id: string;
  release_mails: 0 | 1;
  news_mails: 0 | 1;
  analytics: 0 | 1;
  updated_at: number;
};

export type TotpTable = {
  user_id: string;
  /** Base32, not hashed: checking a code needs the secret. */
  secret: string;
  /** Null until a first code has proved that the user's app has the secret. */
  confirmed_at: number | null;
  /** The half-minute step of the last accepted code: earlier codes no longer work. */
  last_step: number;
  created_at: number;
};

/** The unused codes. */
export type RecoveryCodesTable = { user_id: string; code_hash: string };

export type PasskeysTable = {
  id: string;
  user_id: string;
  /** The id that the authenticator chose. */
  credential_id: string;
  /** Base64url, in COSE form. */
  public_key: string;
  /** How often the passkey was used, says the authenticator; many always say 0. */
  counter: number;
  /** JSON: how the browser reaches it, such as `internal` or `usb`. */
  transports: string;
  /** Also on other devices of the user, through their password manager. */
  is_synced: 0 | 1;
  name: string;
  created_at: number;
  last_used_at: number | null;
};

/** Unanswered challenges. */
export type PasskeyChallengesTable = {
  challenge_hash: string;
  /** The user who adds a passkey; null for a login. */
  user_id: string | null;
  expires_at: number;
};

/** A logged-in device that plays full tracks, or did. */
export type StreamsTable = {
  session_hash: string;
  user_id: string;
  started_at: number;
  /** When it last loaded or reported anything, to half a minute. */
  seen_at: number;
  /** When too many other devices listened. */
  stopped_at: number | null;
  /** When its player learned that it was stopped. */
  told_at: number | null;
};

/** A network that a download link was used from. Both are hashes. */
export type DownloadNetworksTable = {
  link: string;
  network: string;
  user_id: string;
  expires_at: number;
};

export type AccountTables = {
  streams: StreamsTable;
  download_networks: DownloadNetworksTable;
  passkeys: PasskeysTable;
  passkey_challenges: PasskeyChallengesTable;
  password_resets: PasswordResetsTable;
  email_links: EmailLinksTable;
  held_jobs: HeldJobsTable;
  preferences: PreferencesTable;
  totp: TotpTable;
  recovery_codes: RecoveryCodesTable;
};
