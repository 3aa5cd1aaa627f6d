import type { Preferences, PreferencesChange } from '#contract/preferences.ts';
import type { Db } from '../../db/connect.ts';
import { readSecret } from '../../db/secrets.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { changePreferences, findPreferences, isMember } from './queries.ts';
import {
  readUnsubscribeToken,
  writeUnsubscribeToken,
  type MailKind,
  type Unsubscription,
} from './unsubscribe-link.ts';

export type { MailKind } from './unsubscribe-link.ts';

const SECRET = 'unsubscribe-links';
const preferenceOf = { releases: 'releaseMails', news: 'newsMails' } as const;

export const readPreferences = ({ database }: Deps, viewer: Viewer): Promise<Preferences> =>
  findPreferences(database.db, viewer.user.id);

export const updatePreferences = (
  { database, clock }: Deps,
  viewer: Viewer,
  change: PreferencesChange,
): Promise<Preferences> => changePreferences(database.db, viewer.user.id, change, clock.now());

export async function* exportPreferences(db: Db, userId: string) {
  yield await findPreferences(db, userId);
}

/** Asked by whoever writes to members, for each member and just before. */
export async function mayMail(db: Db, userId: string, kind: MailKind): Promise<boolean> {
  const preferences = await findPreferences(db, userId);
  return preferences[preferenceOf[kind]];
}

/** Goes into every mail that one can do without, in its text and in its headers. */
export async function writeUnsubscribeUrl(
  { database, site }: Pick<Deps, 'database' | 'site'>,
  wish: Unsubscription,
): Promise<string> {
  const secret = await readSecret(database.db, SECRET);
  return `${site.origin}/api/unsubscribe/${writeUnsubscribeToken(secret, wish)}`;
}

const refuseToken = (): AppError =>
  new AppError('not_found', {
    message: 'This link is not one of ours, or its account is gone. Nothing was changed.',
  });

/** What a link is about. Reading it changes nothing: mail programs follow links by themselves. */
export async function readUnsubscription({ database }: Deps, token: string) {
  const secret = await readSecret(database.db, SECRET);
  const wish = readUnsubscribeToken(secret, token);
  if (!wish || !(await isMember(database.db, wish.userId))) throw refuseToken();
  return { ...wish, isSubscribed: await mayMail(database.db, wish.userId, wish.kind) };
}

export async function unsubscribe(deps: Deps, token: string): Promise<MailKind> {
  const { userId, kind } = await readUnsubscription(deps, token);
  const change = { [preferenceOf[kind]]: false };
  await changePreferences(deps.database.db, userId, change, deps.clock.now());
  return kind;
}
