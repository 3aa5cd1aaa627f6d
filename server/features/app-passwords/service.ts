import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { MAX_APP_PASSWORDS, type AppPassword } from '#contract/clients/app-passwords.ts';
import type { ShortList } from '#contract/paging.ts';
import { HOUR, MINUTE } from '#contract/rules/time.ts';
import { writeInBackground } from '../../background/background-writes.ts';
import { openFactsOf } from '../../db/catalogue-facts.ts';
import type { Deps } from '../../deps.ts';
import { decryptText, encryptText } from '../../db/secrets.ts';
import { readAccessPolicy } from '../../http/route/access-policy.ts';
import { toRateLimitAddress } from '../../http/route/address.ts';
import { AppError } from '../../http/route/app-error.ts';
import { type Viewer } from '../../http/route/guards.ts';
import { hashApp, noteVerified } from '../../http/load/verified.ts';
import {
  defineRateLimit,
  enforceRateLimits,
  releaseRateLimit,
} from '../../http/route/rate-limit.ts';
import { hashToken } from '../../http/route/tokens.ts';
import { newId } from '../../db/ids.ts';
import { lockUserById, toAccountKey } from '../accounts/service.ts';
import {
  describeNetworks,
  hashNetwork,
  nameAppPassword,
  noteNetwork,
} from '../networks/service.ts';
import { nameAppDevice } from '../streams/service.ts';
import {
  deleteAppPasswordRow,
  findByHash,
  insertAppPassword,
  listAppPasswordRows,
  listByLogin,
  touchAppPassword,
  type AppPasswordRow,
  type FoundAppPassword,
} from './queries.ts';

export { endAppPasswords, exportAppPasswords } from './queries.ts';

const PURPOSE = 'app-passwords';

/** No letter is mistaken for a digit: someone may type it on a phone or a television. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Such as `k7m2q-9xw3d-0v8tr-e5c1n`: 100 random bits. */
function newAppPassword(): string {
  const letters = Array.from(randomBytes(20), (byte) => ALPHABET.charAt(byte % 32)).join('');
  return (letters.match(/.{5}/g) ?? []).join('-');
}

const presentAppPassword = async (deps: Deps, row: AppPasswordRow): Promise<AppPassword> => ({
  id: row.id,
  name: row.name,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  lastClient: row.last_client,
  ...(await describeNetworks(deps, toCredential(row.user_id, row.id))),
});

const toCredential = (userId: string, id: string) => ({
  userId,
  credential: nameAppPassword(id),
});

export const listAppPasswordsOf = async (deps: Deps, userId: string): Promise<AppPassword[]> =>
  Promise.all(
    (await listAppPasswordRows(deps.database.db, userId)).map((row) =>
      presentAppPassword(deps, row),
    ),
  );

export const listAppPasswords = async (
  deps: Deps,
  viewer: Viewer,
): Promise<ShortList<AppPassword>> => ({
  items: await listAppPasswordsOf(deps, viewer.user.id),
  nextCursor: null,
});

/** The password is returned here and never shown again. */
export async function createAppPassword(
  deps: Deps,
  viewer: Viewer,
  { name }: { name: string },
): Promise<{ appPassword: AppPassword; password: string }> {
  const { database, clock } = deps;
  const userId = viewer.user.id;
  const password = newAppPassword();
  const secret = await encryptText(database.db, PURPOSE, password);
  const now = clock.now();
  const row: AppPasswordRow = {
    id: newId(now),
    user_id: userId,
    name,
    secret_hash: hashToken(password),
    secret,
    created_at: now,
    last_used_at: null,
    last_client: null,
    last_ip: null,
  };
  await database.db.transaction().execute(async (tx) => {
    // Two simultaneous requests can't both create the last one.
    await lockUserById(tx, database.dialect, userId);
    const existing = await listAppPasswordRows(tx, userId);
    if (existing.length >= MAX_APP_PASSWORDS) throw new AppError('app_password_limit');
    await insertAppPassword(tx, row);
  });
  return { appPassword: await presentAppPassword(deps, row), password };
}

export async function deleteAppPassword({ database }: Deps, viewer: Viewer, id: string) {
  const existed = await deleteAppPasswordRow(database.db, viewer.user.id, id);
  if (!existed) throw new AppError('not_found');
}

/** How an app says who it is. A token is the MD5 of the password and a salt that the app chose. */
export type AppCredentials =
  | { apiKey: string }
  | { username: string; password: string }
  | { username: string; token: string; salt: string };

const isOwner = (row: FoundAppPassword, key: string): boolean =>
  row.username_key === key || row.email_key === key;

async function hasToken(
  { database }: Deps,
  row: FoundAppPassword,
  { token, salt }: { token: string; salt: string },
): Promise<boolean> {
  const password = await decryptText(database.db, PURPOSE, row.secret);
  const expected = Buffer.from(hash('md5', password + salt, 'hex'));
  const claimed = Buffer.from(token.toLowerCase());
  return expected.length === claimed.length && timingSafeEqual(expected, claimed);
}

async function findAppPassword(
  deps: Deps,
  credentials: AppCredentials,
): Promise<FoundAppPassword | undefined> {
  const { db } = deps.database;
  if ('apiKey' in credentials) return (await findByHash(db, hashToken(credentials.apiKey)))[0];
  const key = toAccountKey(credentials.username);
  if ('password' in credentials) {
    const [row] = await findByHash(db, hashToken(credentials.password));
    return row && isOwner(row, key) ? row : undefined;
  }
  for (const row of await listByLogin(db, key))
    if (await hasToken(deps, row, credentials)) return row;
  return undefined;
}

/** Failures only. A password that was used from the same network before is never kept out. */
const guessesByAddress = defineRateLimit({
  name: 'app-password-address',
  what: 'Wrong app passwords from one address',
  limit: 60,
  periodMs: 15 * MINUTE,
});

type AppRequest = { ip: string; client: string; requestId: string };

/** Noting each use would cost more than it's worth. */
function noteUse(
  { database, clock, log }: Deps,
  row: FoundAppPassword,
  { ip, client }: AppRequest,
): void {
  const now = clock.now();
  const isSame = row.last_client === client && row.last_ip === ip;
  const ms = Math.abs(now - (row.last_used_at ?? 0));
  if (ms < (isSame ? HOUR : MINUTE)) return;
  const use = { last_used_at: now, last_client: client, last_ip: ip };
  writeInBackground(log, 'note the use of an app password', () =>
    touchAppPassword(database.db, row.app_password_id, use),
  );
}

export type AppViewer = Viewer & {
  /** As a device of the account: this password, in the network that the request came from. */
  sessionHash: string;
  appPasswordId: string;
  /** Notes that audio goes to this network. Throws if the password is used from too many. */
  noteNetwork: () => Promise<void>;
};

const SHARED_PASSWORD =
  'This app password was used from too many places. Remove it under “Music apps” on the settings page, create another one, and don’t share it.';

/** Null if the password is wrong, or the account is disabled. Throws after too many wrong ones. */
export async function findAppViewer(
  deps: Deps,
  credentials: AppCredentials,
  request: AppRequest,
): Promise<AppViewer | null> {
  const { database, clock } = deps;
  const found = await findAppPassword(deps, credentials);
  const isUsable = found && found.disabled_id === null;
  const row = isUsable ? found : undefined;
  const address = toRateLimitAddress(request.ip);
  const isKnownHere = row?.last_ip && toRateLimitAddress(row.last_ip) === address;
  if (!isKnownHere) {
    const use = { rule: guessesByAddress, subject: address };
    await enforceRateLimits(database.db, [use], clock.now());
    if (row) await releaseRateLimit(database.db, use);
  }
  if (!row) return null;
  noteUse(deps, row, request);
  const name = 'apiKey' in credentials ? credentials.apiKey : credentials.username;
  noteVerified('app', hashApp(name, address));
  const { app_password_id: appPasswordId, secret, version, plays, ...user } = row;
  const catalogue = version === null || plays === null ? undefined : { version, plays };
  return {
    user: { ...user, ...(await readAccessPolicy(deps)) },
    sessionHash: nameAppDevice(appPasswordId, hashNetwork(secret, request.ip)),
    appPasswordId,
    requestId: request.requestId,
    facts: openFactsOf(database.db, catalogue),
    noteNetwork: () =>
      noteNetwork(deps, {
        ...toCredential(row.id, appPasswordId),
        secret,
        address: request.ip,
        advice: SHARED_PASSWORD,
      }),
  };
}
