import type { Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { enforceRateLimits, releaseRateLimit, type RateLimit } from '../../http/rate-limit.ts';
import { hashToken } from '../../http/tokens.ts';
import { findTotpStep } from './totp-code.ts';
import { findTotp, isConfirmed, takeRecoveryCode, takeStep } from './totp-queries.ts';
import { DAY } from '#contract/rules/time.ts';

/** Guesses at a code by somebody who has the password: three in a million each. */
export const codeByAccount: RateLimit = {
  name: 'code-account',
  limit: 20,
  periodMs: DAY,
};

const refuseCode = (): AppError => {
  const { message } = new AppError('totp_invalid');
  return new AppError('totp_invalid', { fields: { code: message } });
};

/** Uses up one code of the member's app, or throws. */
export async function takeTotpCode(tx: Tx, userId: string, code: string, now: number) {
  const totp = await findTotp(tx, userId);
  const step = totp ? findTotpStep(totp.secret, code, now) : null;
  if (step === null || !(await takeStep(tx, userId, step))) throw refuseCode();
}

type Proof = { userId: string; code: string | undefined };

/**
 * Runs a change that needs the member's second step, in one transaction with the code it uses up.
 * Whoever has turned two-step login on cannot be entered without it, by any way in.
 */
export async function withCode<T>(
  { database, clock }: Deps,
  { userId, code }: Proof,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { db } = database;
  if (!isConfirmed(await findTotp(db, userId))) return db.transaction().execute(work);
  if (code === undefined) throw new AppError('totp_required');
  const now = clock.now();
  const use = { rule: codeByAccount, subject: userId };
  // Outside the transaction: a refused code must count, and a refusal undoes the transaction.
  await enforceRateLimits(db, [use], now);
  const answer = await db.transaction().execute(async (tx) => {
    if (code.length > 6) {
      if (!(await takeRecoveryCode(tx, userId, hashToken(code)))) throw refuseCode();
    } else await takeTotpCode(tx, userId, code, now);
    return work(tx);
  });
  await releaseRateLimit(db, use);
  return answer;
}
