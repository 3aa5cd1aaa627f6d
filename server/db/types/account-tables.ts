import type { Generated } from 'kysely';
import type { LineOutcome, MemberSource } from '#contract/admin/member-imports.ts';

import type { ScrobbleService } from '#contract/clients/scrobbling.ts';

type PasswordResetsTable = {
  token_hash: string;
  user_id: string;
  /** Where the link was mailed; null if an operator got it on the console. */
  email: string | null;
  /** It sets the first password of an imported member. */
  is_invitation: Generated<0 | 1>;
  created_at: number;
  expires_at: number;
};

/** A file of members. Nothing but a draft until an administrator starts it. */
export type MemberImportsTable = {
  id: string;
  created_by: string | null;
  file_name: string;
  source: MemberSource;
  state: 'checking' | 'draft' | 'running' | 'done';
  /** JSON: lines per outcome, once it is done. */
  outcomes: string | null;
  lines: number;
  /** New members who get access. */
  with_access: number;
  created_at: number;
  finished_at: number | null;
};

/** What we use of a line of such a file, and what happens to it. */
export type MemberImportLinesTable = {
  import_id: string;
  line: number;
  email: string;
  /** Empty if it isn't an address. */
  email_key: string;
  name: string;
  paid_until: number | null;
  is_unsubscribed: 0 | 1;
  outcome: LineOutcome;
  note: string | null;
  user_id: string | null;
  done_at: number | null;
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
type HeldJobsTable = {
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
type RecoveryCodesTable = { user_id: string; code_hash: string };

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
type PasskeyChallengesTable = {
  challenge_hash: string;
  /** The user who adds a passkey; null for a login. */
  user_id: string | null;
  expires_at: number;
};

/** A logged-in device that plays full tracks, or did. */
export type StreamsTable = {
  /** The hash of a session's token, or a device of a music app (see app-devices.ts). */
  device: string;
  user_id: string;
  /** It ends with one of these two. */
  session_hash: string | null;
  app_password_id: string | null;
  started_at: number;
  /** When it last loaded or reported anything, to half a minute. */
  seen_at: number;
  /** When too many other devices listened. */
  stopped_at: number | null;
  /** When its player learned that it was stopped. */
  told_at: number | null;
};

/** A password that one app of a user has instead of the account's. */
export type AppPasswordsTable = {
  id: string;
  user_id: string;
  name: string;
  /** SHA-256 of the password. */
  secret_hash: string;
  /** The password itself, encrypted: apps prove with a hash of their own choice that they have it. */
  secret: string;
  created_at: number;
  /** To the hour. */
  last_used_at: number | null;
  /** What the app calls itself. */
  last_client: string | null;
  last_ip: string | null;
};

/** A track that an app has loaded, and not yet reported as heard. */
export type AppPlaysTable = {
  app_password_id: string;
  track_id: string;
  loaded_at: number;
  /** When the app said that it plays; null if it only loaded the track. */
  playing_since: number | null;
  play_id: string | null;
  /** What the app's reports add up to. */
  listened_ms: number;
  /** Where the app was in its last report; null for an app that doesn't say. */
  position_ms: number | null;
};

/** A network that a download link was used from. Both are hashes. */
export type DownloadNetworksTable = {
  link: string;
  network: string;
  user_id: string;
  expires_at: number;
};

/** The private podcast feed of a user. */
export type PodcastFeedsTable = {
  user_id: string;
  /** SHA-256 of the token in the feed's address. */
  token_hash: string;
  /** The token itself, encrypted, to show the address again. */
  token: string;
  /** When the user got this address. */
  created_at: number;
  /** When an app last asked for the feed, to the hour. */
  last_used_at: number | null;
};

/** A network, as a hash, from which audio was loaded through a user's feed or app password. */
type CredentialNetworksTable = {
  user_id: string;
  credential: string;
  network: string;
  seen_at: number;
};

/** A service that a listener has connected. */
export type ScrobbleAccountsTable = {
  user_id: string;
  service: ScrobbleService;
  /** The listener's own server; null for the service's. */
  server: string | null;
  /** The listener's name there. */
  username: string;
  /** The token or session key, encrypted. */
  secret: string;
  is_paused: 0 | 1;
  connected_at: number;
  /** When the service last accepted a listen. */
  sent_at: number | null;
  /** When the service refused the token; nothing is sent until the listener connects again. */
  refused_at: number | null;
  /** When the service first failed to answer; null once it has. */
  failed_at: number | null;
  /** Failed ones in a row. */
  attempts: number;
};

/** What a listener is hearing: one row per track, with the chapter and how much of it was heard. */
export type CurrentListensTable = {
  user_id: string;
  track_id: string;
  /** Its place in the tracklist; -1 for the whole track. */
  chapter: number;
  started_at: number;
  heard_ms: number;
  position_ms: number;
  is_scrobbled: 0 | 1;
  updated_at: number;
};

/** A listen that waits until the service has it. */
export type ScrobblesTable = {
  user_id: string;
  service: ScrobbleService;
  /** When the chapter began. */
  listened_at: number;
  track_id: string;
  chapter: number;
  artist: string;
  title: string;
  release: string;
  duration_ms: number;
  queued_at: number;
};

/** A device that gets release notices, for as long as it is logged in. */
export type PushSubscriptionsTable = {
  id: string;
  session_hash: string;
  user_id: string;
  /** A device has one row, whoever logs in. */
  endpoint_hash: string;
  /** JSON, encrypted: whoever has it can send to the device. */
  subscription: string;
  created_at: number;
};

type ReleaseNoticesTable = { track_id: string; subscription_id: string };

export type AccountTables = {
  member_imports: MemberImportsTable;
  member_import_lines: MemberImportLinesTable;
  scrobble_accounts: ScrobbleAccountsTable;
  current_listens: CurrentListensTable;
  scrobbles: ScrobblesTable;
  push_subscriptions: PushSubscriptionsTable;
  release_notices: ReleaseNoticesTable;
  streams: StreamsTable;
  app_passwords: AppPasswordsTable;
  app_plays: AppPlaysTable;
  download_networks: DownloadNetworksTable;
  podcast_feeds: PodcastFeedsTable;
  credential_networks: CredentialNetworksTable;
  passkeys: PasskeysTable;
  passkey_challenges: PasskeyChallengesTable;
  password_resets: PasswordResetsTable;
  email_links: EmailLinksTable;
  held_jobs: HeldJobsTable;
  preferences: PreferencesTable;
  totp: TotpTable;
  recovery_codes: RecoveryCodesTable;
};
