import { randomBytes } from 'node:crypto';
import { DAY, MINUTE } from '#contract/rules/time.ts';
import type { TotpState } from '#contract/security.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/route/app-error.ts';
import type { Viewer } from '../../../http/route/guards.ts';
import {
  defineRateLimit,
  enforceRateLimits,
  type RateLimit,
  type RateLimitUse,
  releaseRateLimit,
} from '../../../http/route/rate-limit.ts';
import { hashToken } from '../../../http/route/tokens.ts';
import { notifyUser } from '../jobs.ts';
import { verifyCurrentPassword } from './refused-passwords.ts';
import { lockUserById, type UserRow } from '../queries.ts';
import {
  findTotp,
  isConfirmed,
  consumeRecoveryCode,
  consumeTotpStep,
  savePendingTotp,
  confirmTotp,
  countRecoveryCodes,
  deleteTotp,
  replaceRecoveryCodes,
} from './totp-queries.ts';

/**
 * Guesses by someone who has the password, each with a chance of three in a million. They count for the
 * account, whatever device and network they come from.
 */
const codesByAccount: readonly RateLimit[] = [
  defineRateLimit({
    name: 'code-account',
    what: 'Wrong login codes for one account, from devices that never used one',
    limit: 20,
    periodMs: DAY,
  }),
  defineRateLimit({
    name: 'code-account-month',
    what: 'Wrong login codes for one account, from such devices, over a month',
    limit: 60,
    periodMs: 30 * DAY,
  }),
];
/**
 * The same for all devices together that have completed both steps before, and for what is asked of
 * someone who is logged in: others can't use these up. One device can't use them up for the rest.
 */
const codesByOwnDevices: readonly RateLimit[] = [
  defineRateLimit({
    name: 'code-devices',
    what: 'Wrong login codes for one account, from all devices together that used one before',
    limit: 20,
    periodMs: DAY,
  }),
  defineRateLimit({
    name: 'code-devices-month',
    what: 'Wrong login codes for one account, from all such devices, over a month',
    limit: 60,
    periodMs: 30 * DAY,
  }),
];
const codesByDevice = defineRateLimit({
  name: 'code-device',
  what: 'Wrong login codes for one account, from one device that used one before',
  limit: 10,
  periodMs: DAY,
});
/**
 * Nobody guesses a recovery code, so this only bounds the work. Logins from unknown devices may fail
 * less often than this, so others can't use it up.
 */
const recoveryCodeByAccount = defineRateLimit({
  name: 'recovery-code-account',
  what: 'Recovery codes tried for one account',
  limit: 50,
  periodMs: 15 * MINUTE,
});

const isRecoveryCode = (code: string): boolean => code.length > 6;

const limitCode = (code: string, userId: string, device: string | null): RateLimitUse[] => {
  if (isRecoveryCode(code)) return [{ rule: recoveryCodeByAccount, subject: userId }];
  const advice = 'Or use a recovery code.';
  const forAccount = (rule: RateLimit) => ({ rule, subject: userId, advice });
  if (device === null) return codesByAccount.map(forAccount);
  const byDevice = { rule: codesByDevice, subject: `${userId} ${device}`, advice };
  return [byDevice, ...codesByOwnDevices.map(forAccount)];
};

/** On first use: few users have an authenticator app. */
const loadTotpCodes = () => import('./totp-codes.ts');

const buildCodeError = (userId: string): AppError => {
  const { message } = new AppError('totp_invalid');
  return new AppError('totp_invalid', { fields: { code: message }, logged: { account: userId } });
};

/** Throws if the code is wrong or already used. */
async function consumeTotpCode(tx: Tx, userId: string, code: string, now: number) {
  const totp = await findTotp(tx, userId);
  const { findTotpStep } = await loadTotpCodes();
  const step = totp ? findTotpStep(totp.secret, code, now) : null;
  if (step === null || !(await consumeTotpStep(tx, userId, step))) throw buildCodeError(userId);
}

type LoginCode = {
  userId: string;
  code: string | undefined;
  /** A session of the user, or a device that has completed both steps before. */
  device?: string | null | undefined;
};

/** Runs `work` in one transaction with the code it consumes, if the user has two-step login on. */
export async function withLoginCode<T>(
  { database, clock }: Deps,
  { userId, code, device = null }: LoginCode,
  work: (tx: Tx, isTwoStep: boolean) => Promise<T>,
): Promise<T> {
  const { db } = database;
  if (!isConfirmed(await findTotp(db, userId)))
    return db.transaction().execute((tx) => work(tx, false));
  if (code === undefined) throw new AppError('totp_required');
  const now = clock.now();
  const uses = limitCode(code, userId, device);
  // Outside the transaction: a wrong code must count although it rolls the transaction back.
  await enforceRateLimits(db, uses, now);
  const result = await db.transaction().execute(async (tx) => {
    if (isRecoveryCode(code)) {
      if (!(await consumeRecoveryCode(tx, userId, hashToken(code)))) throw buildCodeError(userId);
    } else await consumeTotpCode(tx, userId, code, now);
    return work(tx, true);
  });
  for (const use of uses) await releaseRateLimit(db, use);
  return result;
}

export async function getTotpState({ database }: Deps, viewer: Viewer): Promise<TotpState> {
  const { id, email_verified_at } = viewer.user;
  const isOn = isConfirmed(await findTotp(database.db, id));
  const recoveryCodesLeft = isOn ? await countRecoveryCodes(database.db, id) : 0;
  return { isOn, recoveryCodesLeft, isEmailConfirmed: email_verified_at !== null };
}

/**
 * Someone else may own an address that nobody has confirmed. A reset by e-mail would then have to
 * choose between locking that person out and removing what protects the account.
 */
function requireConfirmedAddress(user: Pick<UserRow, 'email_verified_at'>) {
  if (user.email_verified_at === null) throw new AppError('email_unconfirmed');
}

/** Login stays as it is until a code shows that the app has the secret. */
export async function startTotpSetup(
  deps: Deps,
  viewer: Viewer,
  { password }: { password: string },
): Promise<{ secret: string; uri: string }> {
  requireConfirmedAddress(viewer.user);
  await verifyCurrentPassword(deps, viewer, { password, field: 'password' });
  const { database, clock, config } = deps;
  const { id, username } = viewer.user;
  const { buildTotpUri, createTotpSecret } = await loadTotpCodes();
  const secret = createTotpSecret();
  await database.db.transaction().execute(async (tx) => {
    await lockUserById(tx, database.dialect, id);
    if (isConfirmed(await findTotp(tx, id))) throw new AppError('totp_on');
    await savePendingTotp(tx, { user_id: id, secret, created_at: clock.now() });
  });
  return { secret, uri: buildTotpUri(secret, { issuer: config.siteName, label: username }) };
}

export async function enableTotp(
  deps: Deps,
  viewer: Viewer,
  { code }: { code: string },
): Promise<{ recoveryCodes: string[] }> {
  const { database, clock, jobs } = deps;
  const { id } = viewer.user;
  const now = clock.now();
  const codes = createRecoveryCodes();
  await database.db.transaction().execute(async (tx) => {
    const user = await lockUserById(tx, database.dialect, id);
    if (user) requireConfirmedAddress(user);
    const totp = await findTotp(tx, id);
    if (!totp) throw new AppError('totp_not_started');
    if (isConfirmed(totp)) throw new AppError('totp_on');
    await consumeTotpCode(tx, id, code, now);
    await confirmTotp(tx, id, now);
    await replaceRecoveryCodes(tx, id, codes.map(hashToken));
    await notifyUser(tx, { userId: id, event: 'totp-on' }, now);
  });
  jobs.wake();
  return { recoveryCodes: codes.map(formatRecoveryCode) };
}

type PasswordAndCode = { password: string; code: string };

export async function regenerateRecoveryCodes(
  deps: Deps,
  viewer: Viewer,
  { password, code }: PasswordAndCode,
): Promise<{ recoveryCodes: string[] }> {
  const { database, clock, jobs } = deps;
  const { id } = viewer.user;
  await verifyCurrentPassword(deps, viewer, { password, field: 'password' });
  const codes = createRecoveryCodes();
  await withLoginCode(deps, { userId: id, code, device: viewer.sessionHash }, async (tx) => {
    await lockUserById(tx, database.dialect, id);
    if (!isConfirmed(await findTotp(tx, id))) throw new AppError('not_found');
    await replaceRecoveryCodes(tx, id, codes.map(hashToken));
    await notifyUser(tx, { userId: id, event: 'recovery-codes' }, clock.now());
  });
  jobs.wake();
  return { recoveryCodes: codes.map(formatRecoveryCode) };
}

export async function disableTotp(deps: Deps, viewer: Viewer, { password, code }: PasswordAndCode) {
  const { id } = viewer.user;
  await verifyCurrentPassword(deps, viewer, { password, field: 'password' });
  await withLoginCode(deps, { userId: id, code, device: viewer.sessionHash }, async (tx) => {
    if (!(await findTotp(tx, id))) throw new AppError('not_found');
    await deleteTotp(tx, id);
    await notifyUser(tx, { userId: id, event: 'totp-off' }, deps.clock.now());
  });
  deps.jobs.wake();
}

const RECOVERY_CODES = 10;
/** Without letters that look like digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 24;

/** 120 random bits: a plain hash is safe to store. */
const createRecoveryCode = (): string =>
  Array.from(randomBytes(LENGTH), (byte) => ALPHABET.charAt(byte % 32)).join('');

const createRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, createRecoveryCode);

/** In groups of four, which are easier to type. */
export const formatRecoveryCode = (code: string): string => code.replace(/.{4}(?=.)/g, '$&-');
