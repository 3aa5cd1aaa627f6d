import type { PaymentsTable, SubscriptionsTable } from './types/billing-tables.ts';
import type { InvoicesTable } from './types/books-tables.ts';
import type { LettersTable } from './types/letter-tables.ts';
import type { PlaylistsTable, TracksTable, UploadsTable, UsersTable } from './types/tables.ts';

/**
 * Whole rows from what the caller knows. Production, demo, tests and benchmarks all use these, so a
 * new column gets its initial value here and nowhere else.
 */
type New<Table, Known extends keyof Table> = Pick<Table, Known> & Partial<Table>;

/** A track whose audio has not been processed yet. */
export const buildTrack = (
  track: New<TracksTable, 'id' | 'title' | 'year' | 'week' | 'created_at'>,
): TracksTable => ({
  description: '',
  genre: null,
  series: null,
  bpm: null,
  duration_ms: 0,
  chapters: '[]',
  cover_key: null,
  master_key: null,
  master_sha256: null,
  preview_start_ms: null,
  status: 'processing',
  progress: 0,
  failure: null,
  is_subscriber_only: 0,
  publish_at: null,
  announced_at: null,
  has_moments: 1,
  has_downloads: 1,
  has_lossless: 1,
  has_saving: 1,
  play_count: 0,
  updated_at: track.created_at,
  version: 0,
  deleted_at: null,
  taken_down_at: null,
  restore_publish_at: null,
  purged_at: null,
  ...track,
});

/** A free account with a verified address. Without a name and an address it is called after its id. */
export function buildUser(user: New<UsersTable, 'id' | 'created_at'>): UsersTable {
  const { username = user.id, email = `${user.id}@example.com` } = user;
  return {
    username,
    username_key: username.toLowerCase(),
    username_look: null,
    email,
    email_key: email.toLowerCase(),
    email_verified_at: user.created_at,
    pending_email: null,
    password_hash: '',
    is_admin: 0,
    is_helper: 0,
    admin_grace_until: null,
    paid_through: null,
    avatar_key: null,
    link_generation: 0,
    is_scrobbling: 0,
    moment_ban: null,
    updated_at: user.created_at,
    ...user,
  };
}

/** An empty playlist that is not shared. */
export const buildPlaylist = (
  playlist: New<PlaylistsTable, 'id' | 'user_id' | 'name' | 'created_at'>,
): PlaylistsTable => ({
  request_key: null,
  description: '',
  share_token: null,
  version: 0,
  updated_at: playlist.created_at,
  deleted_at: null,
  ...playlist,
});

/** A draft in which nothing is written yet. */
export const buildLetter = (letter: New<LettersTable, 'id' | 'created_at'>): LettersTable => ({
  state: 'draft',
  version: 0,
  subject: '',
  body: '',
  picture: null,
  picture_text: '',
  track_id: null,
  audience: 'everyone',
  page: 'members',
  send_at: null,
  refusal: null,
  started_at: null,
  finished_at: null,
  listed_to: '',
  waiting: 0,
  sent: 0,
  refused: 0,
  failed: 0,
  left_out: 0,
  unsubscribed: 0,
  updated_at: letter.created_at,
  ...letter,
});

/** An upload before its first byte has arrived. */
export const buildUpload = (
  upload: New<UploadsTable, 'id' | 'file_name' | 'size' | 'created_at'>,
): UploadsTable => ({
  user_id: null,
  received: 0,
  state: 'uploading',
  failure: null,
  sha256: null,
  container: null,
  tags: null,
  draft: '{}',
  cover_key: null,
  track_id: null,
  replaces_id: null,
  duplicate_of: null,
  is_duplicate_wanted: 0,
  version: 0,
  updated_at: upload.created_at,
  ...upload,
});

/** A paid invoice without VAT, booked on the day of the payment in UTC. */
export const buildInvoice = (
  invoice: New<
    InvoicesTable,
    | 'id'
    | 'number'
    | 'user_id'
    | 'provider'
    | 'charge_id'
    | 'plan'
    | 'at'
    | 'from_at'
    | 'to_at'
    | 'amount'
    | 'currency'
  >,
): InvoicesTable => ({
  months: null,
  issued_at: invoice.at,
  booked_on: new Date(invoice.at).toISOString().slice(0, 10),
  refunded: 0,
  card: null,
  status: 'paid',
  seller: null,
  buyer_name: null,
  buyer_email: null,
  buyer_address: null,
  buyer_vat_number: null,
  description: null,
  vat_rate: null,
  vat: 0,
  fee: null,
  ...invoice,
});

/** On first use: the table of look-alikes takes memory, and few requests name someone. */
let loading: Promise<(text: string) => string> | null = null;
const loadReplace = () => (loading ??= import('unhomoglyph').then((library) => library.default));

/** What single characters look like. The library tries thousands of them for each one. */
const seen = new Map<string, string>();

/** The skeleton of Unicode’s UTS #39: equal for texts that look alike. */
function toSkeleton(text: string, replace: (text: string) => string): string {
  const characters = [...text.normalize('NFD')].map((character) => {
    const look = seen.get(character) ?? replace(character);
    seen.set(character, look);
    return look;
  });
  return characters.join('').normalize('NFD');
}

/**
 * Equal for usernames that people can mistake for each other: `admin`, `аdmin` with a Cyrillic а and
 * `adm1n`. Names that differ in an accent, such as `zoe` and `zoë`, look different.
 *
 * Both capitals and small letters are compared, since names count as the same in either. That is why
 * `i` and `l` are one letter here: a capital I looks like a small l.
 */
export async function buildUsernameLook(username: string): Promise<string> {
  const replace = await loadReplace();
  const visible = username.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
  const lowercase = toSkeleton(visible, replace).toLowerCase();
  return toSkeleton(lowercase, replace).toLowerCase().replaceAll('i', 'l');
}

/** A payment that is about to be started. */
export const buildPayment = (
  payment: New<
    PaymentsTable,
    'reference' | 'user_id' | 'kind' | 'amount' | 'currency' | 'provider' | 'state' | 'created_at'
  >,
): PaymentsTable => ({
  subscription_id: null,
  period: null,
  attempt: null,
  plan: null,
  months: null,
  first_amount: null,
  renewal_amount: null,
  coupon_id: null,
  free_days: 0,
  free_kind: null,
  provider_id: null,
  charge_id: null,
  channel: null,
  asked_at: null,
  failure: null,
  is_hard: 0,
  is_purchase_reported: 0,
  is_card_used: 0,
  refunded: 0,
  failed_refunds: 0,
  check_at: payment.created_at,
  updated_at: payment.created_at,
  ...payment,
});

/** A subscription whose first period starts now. */
export const buildSubscription = (
  subscription: New<
    SubscriptionsTable,
    'id' | 'user_id' | 'provider' | 'plan' | 'status' | 'amount' | 'started_at'
  >,
): SubscriptionsTable => ({
  next_plan: null,
  next_amount: subscription.amount,
  next_at: subscription.started_at,
  period: 0,
  method_id: null,
  attempt: 0,
  late_since: null,
  retry_at: null,
  failure: null,
  held_since: null,
  cancelled_at: null,
  ended_at: null,
  updated_at: subscription.started_at,
  ...subscription,
});
