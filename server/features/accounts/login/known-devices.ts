import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY, MINUTE, HOUR } from '#contract/rules/time.ts';
import type { Config } from '../../../config.ts';
import { readSecret } from '../../../db/secrets.ts';
import type { Deps } from '../../../deps.ts';
import {
  clearRateLimit,
  defineRateLimit,
  type RateLimit,
  type RateLimitUse,
} from '../../../http/route/rate-limit.ts';
import { clearCookie, readCookie, setCookie } from '../../../http/route/cookies.ts';
import { DEVICE_COOKIE } from '../../../http/route/sessions.ts';
import { noteVerified } from '../../../http/load/verified.ts';
import { hashToken, newToken } from '../../../http/route/tokens.ts';
import { findUserByLogin, toAccountKey } from '../queries.ts';

const SECRET = 'known-devices';
const YEAR_SECONDS = (365 * DAY) / 1000;
/** Of at least five accounts, on a device that several people use. */
const MAX_SIGNATURES = 10;

export const loginLimits = {
  byAccount: defineRateLimit({
    name: 'login-account',
    what: 'Failed logins to one account, by username or e-mail',
    limit: 10,
    periodMs: 15 * MINUTE,
  }),
  byAddress: defineRateLimit({
    name: 'login-address',
    what: 'Failed logins from one address',
    limit: 50,
    periodMs: 15 * MINUTE,
  }),
  byDevice: defineRateLimit({
    name: 'login-device',
    what: 'Failed logins on a device that the account knows, instead of the two others',
    limit: 10,
    periodMs: 15 * MINUTE,
  }),
  resetByEmail: defineRateLimit({
    name: 'reset-email',
    what: 'Reset links for one e-mail address, with or without an account',
    limit: 3,
    periodMs: HOUR,
  }),
  resetByAddress: defineRateLimit({
    name: 'reset-address',
    what: 'Reset requests from one address',
    limit: 20,
    periodMs: HOUR,
  }),
  resetByDevice: defineRateLimit({
    name: 'reset-device',
    what: 'Reset requests on a device that the account knows, instead of the two others',
    limit: 3,
    periodMs: HOUR,
  }),
} satisfies Record<string, RateLimit>;

/** What the device has shown about an account: the password, or the code of two-step login as well. */
type Step = 'device' | 'two-step device';

/** The cookie is `id.signature.signature…`: one or two for each account that has logged in here. */
const sign = (secret: Buffer, step: Step, id: string, userId: string): string =>
  createHmac('sha256', secret).update(`${step}\n${id}\n${userId}`).digest('base64url');

const parseCookie = (cookie: string | null): { id: string; signatures: string[] } | null => {
  const [id = '', ...signatures] = cookie?.split('.') ?? [];
  return /^[\w-]{43}$/.test(id) && signatures.length <= MAX_SIGNATURES ? { id, signatures } : null;
};

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

export const readDeviceCookie = (config: Config, request: FastifyRequest): string | null =>
  readCookie(config, request, DEVICE_COOKIE);

async function findDevice(
  { database }: Deps,
  step: Step,
  cookie: string | null,
  userId: string,
): Promise<string | null> {
  const device = parseCookie(cookie);
  if (!device) return null;
  const expected = sign(await readSecret(database.db, SECRET), step, device.id, userId);
  if (!device.signatures.some((signature) => isSame(signature, expected))) return null;
  noteVerified('device', hashToken(device.id));
  return device.id;
}

/** The id of a device on which this account has logged in before; null for any other. */
export const findKnownDevice = (deps: Deps, cookie: string | null, userId: string) =>
  findDevice(deps, 'device', cookie, userId);

/** The same for a login with both steps, which nobody completes with the password or the mailbox alone. */
export const findTwoStepDevice = (deps: Deps, cookie: string | null, userId: string) =>
  findDevice(deps, 'two-step device', cookie, userId);

/**
 * Call it after a login, or when a link that we mailed has shown who it is. `isTwoStep` says that the
 * device has also shown a code or a passkey.
 */
export async function rememberDevice(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { userId, isTwoStep }: { userId: string; isTwoStep: boolean },
): Promise<void> {
  const known = parseCookie(readDeviceCookie(deps.config, request));
  const id = known?.id ?? newToken();
  const secret = await readSecret(deps.database.db, SECRET);
  const steps: readonly Step[] = isTwoStep ? ['device', 'two-step device'] : ['device'];
  const signatures = steps.map((step) => sign(secret, step, id, userId));
  const others = (known?.signatures ?? []).filter((other) => !signatures.includes(other));
  noteVerified('device', hashToken(id));
  setDeviceCookie(deps.config, reply, id, [...signatures, ...others]);
}

function setDeviceCookie(
  config: Config,
  reply: FastifyReply,
  id: string,
  signatures: readonly string[],
) {
  if (signatures.length === 0) return clearCookie(config, reply, DEVICE_COOKIE);
  const value = [id, ...signatures.slice(0, MAX_SIGNATURES)].join('.');
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
  const secret = await readSecret(database.db, SECRET);
  const own = (['device', 'two-step device'] as const).map((step) =>
    sign(secret, step, known.id, userId),
  );
  const others = known.signatures.filter((other) => !own.includes(other));
  setDeviceCookie(config, reply, known.id, others);
}

/** The account and its known device. Unknown names count as well, so that nothing is revealed. */
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

/**
 * After a reset by e-mail: earlier guesses were at another password. Where two-step login is on, this
 * is all that a reset does for a new device.
 */
export const forgetFailedLogins = ({ database }: Deps, userId: string): Promise<void> =>
  clearRateLimit(database.db, { rule: loginLimits.byAccount, subject: `account ${userId}` });

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
