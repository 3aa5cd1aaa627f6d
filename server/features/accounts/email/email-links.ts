import type { EmailLinksTable } from '../../../db/types/account-tables.ts';
import type { Db } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { hashToken, newToken } from '../../../http/route/tokens.ts';

export type EmailLink = EmailLinksTable;

const paths = { confirm: '/confirm-email', undo: '/undo-email-change' };

type NewLink = Omit<EmailLink, 'token_hash'>;

/** Returns the token, which is in the mail only; the database has its hash. */
async function insertLink(db: Db, link: NewLink): Promise<string> {
  const token = newToken();
  await db
    .insertInto('email_links')
    .values({ token_hash: hashToken(token), ...link })
    .execute();
  return token;
}

export const createEmailLink = async (
  db: Db,
  { site }: Pick<Deps, 'site'>,
  link: NewLink,
): Promise<string> => `${site.origin}${paths[link.kind]}/${await insertLink(db, link)}`;

type UndoRight = Pick<EmailLink, 'user_id' | 'email' | 'created_at' | 'expires_at'>;

/** From now on, mails to this address may contain a link that undoes the change. */
export async function allowUndo(db: Db, right: UndoRight) {
  await insertLink(db, { kind: 'undo', ...right });
}

/** False if an earlier address has undone more than this change: see `deleteOverruledLinks`. */
export async function mayUndo(db: Db, { user_id, email, created_at }: UndoRight): Promise<boolean> {
  const row = await db
    .selectFrom('email_links')
    .select('token_hash')
    .where('user_id', '=', user_id)
    .where('kind', '=', 'undo')
    .where('email', '=', email)
    .where('created_at', '=', created_at)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export const findEmailLink = (
  db: Db,
  { kind, token, now }: { kind: EmailLink['kind']; token: string; now: number },
): Promise<EmailLink | undefined> =>
  db
    .selectFrom('email_links')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** The earliest, which tells when the user asked for the change. */
export const findFirstConfirmLink = (
  db: Db,
  { userId, email }: { userId: string; email: string },
): Promise<EmailLink | undefined> =>
  db
    .selectFrom('email_links')
    .selectAll()
    .where('user_id', '=', userId)
    .where('kind', '=', 'confirm')
    .where('email', '=', email)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();

export const deleteConfirmLinks = (db: Db, userId: string) =>
  db
    .deleteFrom('email_links')
    .where('user_id', '=', userId)
    .where('kind', '=', 'confirm')
    .execute();

/**
 * Deletes the links that a used undo link overrules. Links to earlier addresses stay: a thief who
 * changed the address twice can't use the second undo against the owner's first one.
 */
export const deleteOverruledLinks = (db: Db, undo: EmailLink) =>
  db
    .deleteFrom('email_links')
    .where('user_id', '=', undo.user_id)
    .where(({ or, eb }) =>
      or([
        eb('kind', '=', 'confirm'),
        eb('created_at', '>', undo.created_at),
        eb('email', '=', undo.email),
      ]),
    )
    .execute();

/** Each former address that can still undo a change, since when and until when. */
export const listUndoAddresses = (db: Db, userId: string, now: number) =>
  db
    .selectFrom('email_links')
    .select(({ fn }) => [
      'email',
      fn.min('created_at').as('since'),
      fn.max('expires_at').as('until'),
    ])
    .where('user_id', '=', userId)
    .where('kind', '=', 'undo')
    .where('expires_at', '>', now)
    .groupBy('email')
    .execute();
