import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY, MINUTE, HOUR } from '#contract/rules/time.ts';
import type { Config } from '../../config.ts';
import { readSecret } from '../../db/secrets.ts';
import type { Deps } from '../../deps.ts';
import type { RateLimit, RateLimitUse } from '../../http/rate-limit.ts';
import { clearCookie, readCookie, setCookie } from '../../http/cookies.ts';
import { DEVICE_COOKIE } from '../../http/sessions.ts';
import { noteVerified } from '../../http/load/verified.ts';
import { hashToken, newToken } from '../../http/tokens.ts';
import { findUserByLogin, toAccountKey } from './queries.ts';

const SECRET = 'known-devices';
const YEAR_SECONDS = (365 * DAY) / 1000;
/** On a device that several people use. */
const MAX_ACCOUNTS = 5;

export const loginLimits = {
  byAccount: { name: 'login-account', limit: 10, periodMs: 15 * MINUTE },
  byAddress: { name: 'login-address', limit: 50, periodMs: 15 * MINUTE },
  byDevice: { name: 'login-device', limit: 10, periodMs: 15 * MINUTE },
  resetByEmail: { name: 'reset-email', limit: 3, periodMs: HOUR },
  resetByAddress: { name: 'reset-address', limit: 20, periodMs: HOUR },
  resetByDevice: { name: 'reset-device', limit: 3, periodMs: HOUR },
} satisfies Record<string, RateLimit>;

/** The cookie is `id.signature.signature…`: a signature for each account that has logged in here. */
const sign = (secret: Buffer, id: string, userId: string): string =>
  createHmac('sha256', secret).update(`device\n${id}\n${userId}`).digest('base64url');

const parseCookie = (cookie: string | null): { id: string; signatures: string[] } | null => {
  const [id = '', ...signatures] = cookie?.split('.') ?? [];
  return /^[\w-]{43}$/.test(id) && signatures.length <= MAX_ACCOUNTS ? { id, signatures } : null;
};

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

export const readDeviceCookie = (config: Config, request: FastifyRequest): string | null =>
  readCookie(config, request, DEVICE_COOKIE);

/** The id of a device on which this account has logged in before; null for any other. */
export async function findKnownDevice(
  { database }: Deps,
  cookie: string | null,
  userId: string,
): Promise<string | null> {
  const device = parseCookie(cookie);
  if (!device) return null;
  const expected = sign(await readSecret(database.db, SECRET), device.id, userId);
  if (!device.signatures.some((signature) => isSame(signature, expected))) return null;
  noteVerified('device', hashToken(device.id));
  return device.id;
}

/** Call it after a login, or when a link that we mailed has shown who it is. */
export async function rememberDevice(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: string,
): Promise<void> {
  const known = parseCookie(readDeviceCookie(deps.config, request));
  const id = known?.id ?? newToken();
  const signature = sign(await readSecret(deps.database.db, SECRET), id, userId);
  const others = (known?.signatures ?? []).filter((other) => other !== signature);
  noteVerified('device', hashToken(id));
  setDeviceCookie(deps.config, reply, id, [signature, ...others]);
}

function setDeviceCookie(
  config: Config,
  reply: FastifyReply,
  id: string,
  signatures: readonly string[],
) {
  if (signatures.length === 0) return clearCookie(config, reply, DEVICE_COOKIE);
  const value = [id, ...signatures.slice(0, MAX_ACCOUNTS)].join('.');
  setCookie(config, reply, { name: DEVICE_COOKIE, value, maxAge: YEAR_SECONDS });
}

/** For an account that is deleted. */
export async function forgetDevice(
  { config, database }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: string,
): Promise<void> {
  const known = parseCookie(readDeviceCookie(config, request));
  if (!known) return;
  const signature = sign(await readSecret(database.db, SECRET), known.id, userId);
  const others = known.signatures.filter((other) => other !== signature);
  setDeviceCookie(config, reply, known.id, others);
}

/** The account and its device, or who else it may be: unknown names count too, so that nothing is revealed. */
async function identify(deps: Deps, name: string, request: FastifyRequest) {
  const key = toAccountKey(name);
  const user = await findUserByLogin(deps.database.db, key);
  const cookie = readDeviceCookie(deps.config, request);
  const device = user && (await findKnownDevice(deps, cookie, user.id));
  return {
    subject: user ? `account ${user.id}` : `name ${key}`,
    device: user && device ? `${user.id} ${device}` : null,
  };
}

type Attempt = { name: string; address: string; request: FastifyRequest };

/**
 * Only failures count. A known device has a budget of its own, so wrong guesses from elsewhere never
 * lock it out.
 */
export async function limitLogins(
  deps: Deps,
  { name, address, request }: Attempt,
): Promise<RateLimitUse[]> {
  const { subject, device } = await identify(deps, name, request);
  const isReleasedOnSuccess = true;
  if (device) return [{ rule: loginLimits.byDevice, subject: device, isReleasedOnSuccess }];
  const advice = 'To log in sooner, reset your password.';
  return [
    { rule: loginLimits.byAddress, subject: address, isReleasedOnSuccess },
    { rule: loginLimits.byAccount, subject, isReleasedOnSuccess, advice },
  ];
}

export async function limitResets(
  deps: Deps,
  { name, address, request }: Attempt,
): Promise<RateLimitUse[]> {
  const { device } = await identify(deps, name, request);
  if (device) return [{ rule: loginLimits.resetByDevice, subject: device }];
  return [
    { rule: loginLimits.resetByAddress, subject: address },
    { rule: loginLimits.resetByEmail, subject: toAccountKey(name) },
  ];
}
