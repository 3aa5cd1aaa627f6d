import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import {
  type Preferences,
  type PreferencesChange,
  defaultPreferences,
} from '#contract/preferences.ts';
import type { Db, Tx } from '../../db/connect.ts';
import { readSecret } from '../../db/secrets.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import type { PreferencesTable } from '../../db/types/account-tables.ts';

export const getPreferences = ({ database }: Deps, viewer: Viewer): Promise<Preferences> =>
  findPreferences(database.db, viewer.user.id);

export const updatePreferences = (
  { database, clock }: Deps,
  viewer: Viewer,
  change: PreferencesChange,
): Promise<Preferences> => savePreferences(database.db, viewer.user.id, change, clock.now());

export async function* exportPreferences(db: Db, userId: string) {
  yield await findPreferences(db, userId);
}

/** Optional e-mails. Those about payments and account security are always sent. */
const MailKind = z.enum(['releases', 'news']);
export type MailKind = z.infer<typeof MailKind>;

type MailSubscription = { userId: string; kind: MailKind };

const preferenceOf = { releases: 'releaseMails', news: 'newsMails' } as const;

/** Check it for each user, right before sending. */
export async function allowsMail(db: Db, userId: string, kind: MailKind): Promise<boolean> {
  const preferences = await findPreferences(db, userId);
  return preferences[preferenceOf[kind]];
}

const SECRET = 'unsubscribe-links';

/** No part can contain a line break, so two different subscriptions never sign the same text. */
const sign = (secret: Buffer, { userId, kind }: MailSubscription): string =>
  createHmac('sha256', secret).update(['unsubscribe', userId, kind].join('\n')).digest('base64url');

/** Part of every optional e-mail, in its text and its headers. A letter counts who follows its link. */
export async function buildUnsubscribeUrl(
  { database, site }: Pick<Deps, 'database' | 'site'>,
  { userId, kind, letterId }: MailSubscription & { letterId?: string },
): Promise<string> {
  const signature = sign(await readSecret(database.db, SECRET), { userId, kind });
  const query = letterId === undefined ? '' : `?letter=${letterId}`;
  return `${site.origin}/api/unsubscribe/${kind}.${userId}.${signature}${query}`;
}

const TokenParts = z.tuple([MailKind, z.string().regex(/^[\w-]{1,64}$/), z.string().length(43)]);

/** Null for a token that is not ours. Tokens never expire, because old e-mails stay around. */
function parseUnsubscribeToken(secret: Buffer, token: string): MailSubscription | null {
  const parts = TokenParts.safeParse(token.split('.', 4));
  if (!parts.success) return null;
  const [kind, userId, signature] = parts.data;
  // Compared as text: base64 can encode the same bytes in several ways.
  const actual = Buffer.from(signature);
  const expected = Buffer.from(sign(secret, { userId, kind }));
  const isOurs = actual.length === expected.length && timingSafeEqual(actual, expected);
  return isOurs ? { userId, kind } : null;
}

/** Changes nothing: mail programs open links on their own. */
export async function getMailSubscription({ database }: Deps, token: string) {
  const { db } = database;
  const subscription = parseUnsubscribeToken(await readSecret(db, SECRET), token);
  if (!subscription || !(await userExists(db, subscription.userId)))
    throw new AppError('not_found', {
      message: 'This link is invalid, or the account no longer exists. Nothing was changed.',
    });
  const { userId, kind } = subscription;
  return { userId, kind, isSubscribed: await allowsMail(db, userId, kind) };
}

/** `onUnsubscribed` is called once for someone who was subscribed, in the transaction of the change. */
export async function unsubscribe(
  deps: Deps,
  token: string,
  onUnsubscribed: (tx: Tx, subscription: MailSubscription) => Promise<void>,
): Promise<MailKind> {
  const { userId, kind, isSubscribed } = await getMailSubscription(deps, token);
  const change = { [preferenceOf[kind]]: false };
  await deps.database.db.transaction().execute(async (tx) => {
    await savePreferences(tx, userId, change, deps.clock.now());
    if (isSubscribed) await onUnsubscribed(tx, { userId, kind });
  });
  return kind;
}

type Flags = Pick<PreferencesTable, 'release_mails' | 'news_mails' | 'analytics'>;

const flag = (value: boolean): 0 | 1 => (value ? 1 : 0);

const toFlags = (change: PreferencesChange): Partial<Flags> => ({
  ...(change.releaseMails !== undefined && { release_mails: flag(change.releaseMails) }),
  ...(change.newsMails !== undefined && { news_mails: flag(change.newsMails) }),
  ...(change.analytics !== undefined && { analytics: flag(change.analytics) }),
});

const toPreferences = (row: Flags): Preferences => ({
  releaseMails: row.release_mails === 1,
  newsMails: row.news_mails === 1,
  analytics: row.analytics === 1,
});

async function findPreferences(db: Db, userId: string): Promise<Preferences> {
  const row = await db
    .selectFrom('preferences')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ? toPreferences(row) : defaultPreferences;
}

/** Changes only the given fields, so that two tabs can change different ones. */
export async function savePreferences(
  db: Db,
  userId: string,
  change: PreferencesChange,
  now: number,
): Promise<Preferences> {
  const defaults = toFlags(defaultPreferences) as Flags;
  const flags = toFlags(change);
  const row = await db
    .insertInto('preferences')
    .values({ user_id: userId, ...defaults, ...flags, updated_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...flags, updated_at: now }))
    .returningAll()
    .executeTakeFirstOrThrow();
  return toPreferences(row);
}

async function userExists(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}
