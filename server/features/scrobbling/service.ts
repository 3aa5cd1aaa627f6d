import { createHmac, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import type {
  LastfmBody,
  ListenBrainzBody,
  ScrobbleAccount as ShownAccount,
  ScrobbleService,
  Scrobbling,
} from '#contract/clients/scrobbling.ts';
import { HOUR } from '#contract/rules/time.ts';
import type { Tx } from '../../db/connect.ts';
import { encryptText, readSecret } from '../../db/secrets.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { deleteIdleJobs } from '../../jobs/queue.ts';
import { findAddressProblem } from '../../ports/outgoing/send-request.ts';
import { requestSending, SECRET_PURPOSE, sendPlayingNow, sendScrobbles } from './jobs.ts';
import { buildAuthUrl, connectLastfm, nameService } from './lastfm.ts';
import { connectListenBrainz, toServerAddress } from './listenbrainz.ts';
import {
  countScrobbles,
  deleteAccount,
  hasScrobbles,
  listAccounts,
  saveAccount,
  setPaused,
  updateIsScrobbling,
  type ScrobbleAccount,
} from './queries.ts';
import type { Connection, ConnectResult } from './send-listens.ts';

export { disconnectAll, exportScrobbling } from './queries.ts';
export { recordListening, recordTrack } from './record-listening.ts';

function showAccount(account: ScrobbleAccount | undefined, queued: number): ShownAccount | null {
  if (!account) return null;
  const { username, server, refused_at, attempts, sent_at: sentAt } = account;
  const state = refused_at !== null ? 'refused' : attempts > 0 ? 'waiting' : 'connected';
  return { username, server, state, sentAt, queued };
}

export async function getScrobbling(
  { database, config }: Deps,
  { user }: Viewer,
): Promise<Scrobbling> {
  const accounts = await listAccounts(database.db, user.id);
  const queued = await countScrobbles(database.db, user.id);
  const show = (service: ScrobbleService) =>
    showAccount(
      accounts.find((account) => account.service === service),
      queued.get(service) ?? 0,
    );
  return {
    isPaused: accounts.some(({ is_paused }) => is_paused === 1),
    listenbrainz: show('listenbrainz'),
    lastfm: show('lastfm'),
    lastfmName: config.lastfm && nameService(config.lastfm),
  };
}

export async function pauseScrobbling(deps: Deps, viewer: Viewer, isPaused: boolean) {
  await deps.database.db.transaction().execute(async (tx) => {
    await setPaused(tx, viewer.user.id, isPaused);
    await updateIsScrobbling(tx, viewer.user.id);
  });
  return getScrobbling(deps, viewer);
}

/** What another service said, as an error of ours. */
function requireConnection(result: ConnectResult, name: string, field?: string): Connection {
  if (typeof result === 'object') return result;
  const sentences = {
    refused: `${name} doesn’t know this token. Copy it again from your profile there.`,
    unreachable: `${name} doesn’t answer as expected. Check the address, or try again later.`,
    'forbidden address': 'This address is in a private network, which this site can’t reach.',
  };
  const message = sentences[result];
  const code = result === 'unreachable' ? 'service_unreachable' : 'service_refused';
  const fields = field && { fields: { [result === 'refused' ? 'token' : field]: message } };
  throw new AppError(code, { message, ...fields });
}

async function connect(
  deps: Deps,
  viewer: Viewer,
  service: ScrobbleService,
  { username, secret, server }: Connection & { server: string | null },
): Promise<Scrobbling> {
  const { database, clock } = deps;
  const now = clock.now();
  const key = { userId: viewer.user.id, service };
  const encrypted = await encryptText(database.db, SECRET_PURPOSE, secret);
  await database.db.transaction().execute(async (tx) => {
    await saveAccount(tx, {
      user_id: viewer.user.id,
      service,
      server,
      username,
      secret: encrypted,
      is_paused: 0,
      connected_at: now,
      sent_at: null,
      refused_at: null,
      failed_at: null,
      attempts: 0,
    });
    await updateIsScrobbling(tx, viewer.user.id);
    if (await hasScrobbles(tx, key)) await requestSending(tx, key, { now });
  });
  return getScrobbling(deps, viewer);
}

export async function connectByToken(
  deps: Deps,
  viewer: Viewer,
  { token, server }: z.output<typeof ListenBrainzBody>,
): Promise<Scrobbling> {
  const { allowsPrivateServers: allowsPrivate, listenbrainzUrl } = deps.config;
  const problem = server ? findAddressProblem(server, allowsPrivate) : null;
  if (problem) throw new AppError('validation_failed', { fields: { server: problem } });
  const own = server ? toServerAddress(server) : null;
  const result = await connectListenBrainz(token, {
    server: own ?? listenbrainzUrl,
    allowsPrivate,
  });
  const connection = requireConnection(result, own ? 'This server' : 'ListenBrainz', 'server');
  return connect(deps, viewer, 'listenbrainz', { ...connection, server: own });
}

const STATE_SECRET = 'lastfm-states';
const STATE_MS = HOUR;

/** Only the device that started can finish: otherwise anyone could connect their own account to a user's. */
async function signState({ database }: Deps, viewer: Viewer, expires: string): Promise<string> {
  const secret = await readSecret(database.db, STATE_SECRET);
  const text = ['lastfm', viewer.user.id, viewer.sessionHash ?? '', expires].join('\n');
  return createHmac('sha256', secret).update(text).digest('base64url');
}

async function isOwnState(deps: Deps, viewer: Viewer, state: string): Promise<boolean> {
  const [expires = '', signature = ''] = state.split('.', 2);
  const expected = Buffer.from(await signState(deps, viewer, expires));
  const actual = Buffer.from(signature);
  const isSigned = actual.length === expected.length && timingSafeEqual(actual, expected);
  return isSigned && deps.clock.now() < Number(expires);
}

export async function startLastfm(deps: Deps, viewer: Viewer): Promise<{ url: string }> {
  const { config, clock, site } = deps;
  if (!config.lastfm) throw new AppError('not_found');
  const expires = String(clock.now() + STATE_MS);
  const state = `${expires}.${await signState(deps, viewer, expires)}`;
  return { url: buildAuthUrl(config.lastfm, `${site.origin}/settings?lastfm=${state}`) };
}

export async function finishLastfm(
  deps: Deps,
  viewer: Viewer,
  { token, state }: z.output<typeof LastfmBody>,
): Promise<Scrobbling> {
  const { config } = deps;
  if (!config.lastfm) throw new AppError('not_found');
  const name = nameService(config.lastfm);
  if (!(await isOwnState(deps, viewer, state)))
    throw new AppError('service_refused', {
      message: `Connecting to ${name} began on another device or took too long. Please start again.`,
    });
  const connection = requireConnection(await connectLastfm(config.lastfm, token), name);
  return connect(deps, viewer, 'lastfm', { ...connection, server: null });
}

export async function disconnect(
  deps: Deps,
  viewer: Viewer,
  service: ScrobbleService,
): Promise<Scrobbling> {
  await deps.database.db.transaction().execute(async (tx) => {
    await deleteAccount(tx, { userId: viewer.user.id, service });
    await updateIsScrobbling(tx, viewer.user.id);
  });
  return getScrobbling(deps, viewer);
}

/** Jobs name the user; everything else goes with the account. */
export const eraseScrobbling = (tx: Tx, userId: string) =>
  deleteIdleJobs(tx, [sendScrobbles, sendPlayingNow], (payload) =>
    payload.includes(JSON.stringify(userId)),
  );
