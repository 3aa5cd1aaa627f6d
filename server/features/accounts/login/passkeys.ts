import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import {
  MAX_PASSKEYS,
  type NewPasskeyBody,
  type Passkey,
  type PasskeyLoginBody,
} from '#contract/security.ts';
import type { ShortList } from '#contract/paging.ts';
import { MINUTE } from '#contract/rules/time.ts';
import type { Deps } from '../../../deps.ts';
import { isNamedOrigin } from '../../../http/route/address.ts';
import { AppError } from '../../../http/route/app-error.ts';
import { type Viewer } from '../../../http/route/guards.ts';
import { hashToken } from '../../../http/route/tokens.ts';
import { newId } from '../../../db/ids.ts';
import { notifyUser } from '../jobs.ts';
import {
  consumeChallenge,
  deletePasskeyRow,
  findPasskey,
  insertChallenge,
  insertPasskey,
  listPasskeyRows,
  markPasskeyUsed,
  renamePasskeyRow,
  type PasskeyRow,
} from './passkey-queries.ts';
import { findDisabledAccount, lockUserById, type UserRow } from '../queries.ts';
import { describeDevice, noteUsedPasskey, startSession } from '../../sessions/service.ts';
import type { LoginContext } from './login-context.ts';

const CHALLENGE_MS = 5 * MINUTE;
/** Ed25519, ES256 and RS256: every authenticator has one of them. */
const ALGORITHMS = [-8, -7, -257];

/** On first use: it takes longer to load than the rest of the accounts. */
const loadLibrary = () => import('@simplewebauthn/server');

/** Browsers tie a passkey to the name of the site, which an address such as 127.0.0.1 isn't. */
function getRelyingParty({ site }: Deps) {
  if (!isNamedOrigin(site.origin)) throw new AppError('passkeys_unavailable');
  const { hostname, origin } = new URL(site.origin);
  return { rpID: hostname, origin };
}

const presentPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  isSynced: row.is_synced === 1,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
});

const readTransports = (row: PasskeyRow): string[] =>
  z.array(z.string()).parse(JSON.parse(row.transports));

const toUserHandle = (userId: string): string => Buffer.from(userId).toString('base64url');

async function storeChallenge({ database, clock }: Deps, challenge: string, userId: string | null) {
  await insertChallenge(database.db, {
    challenge_hash: hashToken(challenge),
    user_id: userId,
    expires_at: clock.now() + CHALLENGE_MS,
  });
}

/** What the browser signed; the library checks the rest of it. */
const ClientData = z.object({ challenge: z.string() });

/** The challenge that was answered. It can't be answered again, whatever follows. */
async function consumeAnsweredChallenge(
  { database, clock }: Deps,
  clientDataJSON: string,
  userId: string | null,
): Promise<string> {
  let data: unknown = null;
  try {
    data = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
  } catch {
    // Not JSON, so there is no challenge in it.
  }
  const challenge = ClientData.safeParse(data).data?.challenge ?? '';
  const hash = hashToken(challenge);
  const isOpen = await consumeChallenge(database.db, { hash, userId, now: clock.now() });
  if (!isOpen) throw new AppError('passkey_refused');
  return challenge;
}

/** The library throws if anything is wrong. */
async function verify<T extends { verified: boolean }>(
  { log }: Deps,
  check: () => Promise<T>,
): Promise<T & { verified: true }> {
  const result = await check().catch((error: unknown) => {
    log.warn({ reason: error instanceof Error ? error.message : '' }, 'A passkey was refused.');
    return null;
  });
  if (!result?.verified) throw new AppError('passkey_refused');
  return result as T & { verified: true };
}

export const listPasskeys = async (
  { database }: Deps,
  viewer: Viewer,
): Promise<ShortList<Passkey>> => ({
  items: (await listPasskeyRows(database.db, viewer.user.id)).map(presentPasskey),
  nextCursor: null,
});

export async function startPasskey(deps: Deps, viewer: Viewer) {
  const { rpID } = getRelyingParty(deps);
  const { id, username } = viewer.user;
  const known = await listPasskeyRows(deps.database.db, id);
  if (known.length >= MAX_PASSKEYS) throw new AppError('passkey_limit');
  const { generateRegistrationOptions } = await loadLibrary();
  const options = await generateRegistrationOptions({
    rpName: deps.config.siteName,
    rpID,
    userID: new TextEncoder().encode(id),
    userName: username,
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: known.map((row) => ({
      id: row.credential_id,
      transports: readTransports(row),
    })),
    // The device checks the user, so a passkey counts as two steps, and knows whose it is.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  await storeChallenge(deps, options.challenge, id);
  return { ...options };
}

export async function addPasskey(
  deps: Deps,
  viewer: Viewer,
  { credential }: z.output<typeof NewPasskeyBody>,
  userAgent: string,
): Promise<Passkey> {
  const { database, clock, jobs } = deps;
  const { id: userId } = viewer.user;
  const { rpID, origin } = getRelyingParty(deps);
  const challenge = await consumeAnsweredChallenge(
    deps,
    credential.response.clientDataJSON,
    userId,
  );
  const { verifyRegistrationResponse } = await loadLibrary();
  const { registrationInfo } = await verify(deps, () =>
    verifyRegistrationResponse({
      response: { ...credential, clientExtensionResults: {} } as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (!registrationInfo) throw new AppError('passkey_refused');
  const { id, publicKey, counter } = registrationInfo.credential;
  const now = clock.now();
  const added = await database.db.transaction().execute(async (tx) => {
    await lockUserById(tx, database.dialect, userId);
    const known = await listPasskeyRows(tx, userId);
    if (known.length >= MAX_PASSKEYS) throw new AppError('passkey_limit');
    const row = await insertPasskey(tx, {
      id: newId(now),
      user_id: userId,
      credential_id: id,
      public_key: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: JSON.stringify(credential.response.transports ?? []),
      is_synced: registrationInfo.credentialBackedUp ? 1 : 0,
      name: describeDevice(userAgent),
      created_at: now,
      last_used_at: null,
    });
    if (!row) throw new AppError('passkey_refused');
    await noteUsedPasskey(tx, viewer.sessionHash ?? '');
    await notifyUser(tx, { userId, event: 'passkey-added' }, now);
    return row;
  });
  jobs.wake();
  return presentPasskey(added);
}

export async function renamePasskey(
  { database }: Deps,
  viewer: Viewer,
  id: string,
  { name }: { name: string },
): Promise<Passkey> {
  const row = await renamePasskeyRow(database.db, viewer.user.id, id, name);
  if (!row) throw new AppError('not_found');
  return presentPasskey(row);
}

export async function removePasskey({ database, clock, jobs }: Deps, viewer: Viewer, id: string) {
  const { id: userId } = viewer.user;
  await database.db.transaction().execute(async (tx) => {
    if (!(await deletePasskeyRow(tx, userId, id))) throw new AppError('not_found');
    await notifyUser(tx, { userId, event: 'passkey-removed' }, clock.now());
  });
  jobs.wake();
}

/** Without a name: the user chooses among the passkeys that the device has for this site. */
export async function startPasskeyLogin(deps: Deps) {
  const { rpID } = getRelyingParty(deps);
  const { generateAuthenticationOptions } = await loadLibrary();
  const options = await generateAuthenticationOptions({
    rpID,
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  });
  await storeChallenge(deps, options.challenge, null);
  return { ...options };
}

/** Needs neither password nor code: the user has the device, and the device has checked the user. */
export async function logInWithPasskey(
  deps: Deps,
  { credential }: z.output<typeof PasskeyLoginBody>,
  context: LoginContext,
): Promise<{ user: UserRow; token: string }> {
  const { database, clock } = deps;
  const { rpID, origin } = getRelyingParty(deps);
  const { clientDataJSON, userHandle, ...signed } = credential.response;
  const challenge = await consumeAnsweredChallenge(deps, clientDataJSON, null);
  const passkey = await findPasskey(database.db, credential.id);
  if (!passkey || (userHandle && userHandle !== toUserHandle(passkey.user_id)))
    throw new AppError('passkey_refused');
  const { verifyAuthenticationResponse } = await loadLibrary();
  const { authenticationInfo } = await verify(deps, () =>
    verifyAuthenticationResponse({
      response: {
        ...credential,
        response: { clientDataJSON, ...signed },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
      },
    }),
  );
  const now = clock.now();
  return database.db.transaction().execute(async (tx) => {
    const user = await lockUserById(tx, database.dialect, passkey.user_id);
    const use = { counter: authenticationInfo.newCounter, now };
    if (!user || !(await markPasskeyUsed(tx, passkey, use))) throw new AppError('passkey_refused');
    if (await findDisabledAccount(tx, user.id))
      throw new AppError('account_disabled', { logged: { account: user.id } });
    return { user, token: await startSession(tx, user, context, now, 'passkey') };
  });
}
