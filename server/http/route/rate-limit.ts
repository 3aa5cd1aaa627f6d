import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { toWideNetwork } from './address.ts';
import { AppError } from './app-error.ts';
import type { Viewer } from './guards.ts';

/** Allows `limit` uses per period, at once or spread out; each one returns after `periodMs / limit`. */
export type RateLimit = { name: string; limit: number; periodMs: number };

/** A rule, and what it counts in the words of docs/api.md. */
export type DescribedRateLimit = RateLimit & { what: string };

/** Every rule of the modules that are loaded. */
export const rateLimits: DescribedRateLimit[] = [];

/** `node tools/settings-docs.ts` lists it in docs/api.md. */
export function defineRateLimit(rule: DescribedRateLimit): RateLimit {
  rateLimits.push(rule);
  return rule;
}

export type RateLimitUse = {
  rule: RateLimit;
  /** An address or an account. Stored as a hash. */
  subject: string;
  /** Only failures count. */
  isReleasedOnSuccess?: boolean;
  /** What else one can do than wait. */
  advice?: string;
};

export const limitPerUser =
  (rule: RateLimit) =>
  ({ viewer }: { viewer: Viewer }): RateLimitUse[] => [{ rule, subject: viewer.user.id }];

export const limitPerAddress =
  (rule: RateLimit) =>
  ({ address }: { address: string }): RateLimitUse[] => [{ rule, subject: address }];

export type Decision = { isAllowed: true } | { isAllowed: false; retryAfterMs: number };

const intervalOf = (rule: RateLimit) => Math.ceil(rule.periodMs / rule.limit);
const keyOf = ({ rule, subject }: RateLimitUse) =>
  `${rule.name}:${createHash('sha256').update(subject).digest('base64url')}`;

/**
 * Generic cell rate algorithm in one atomic statement, so that simultaneous requests on several
 * servers can't share one use.
 */
export async function consumeRateLimit(db: Db, use: RateLimitUse, now: number): Promise<Decision> {
  const key = keyOf(use);
  const interval = intervalOf(use.rule);
  const latest = now + use.rule.periodMs - interval;
  const at = sql<number>`cast(${now} as bigint)`;
  const start = sql<number>`case when rate_limits.tat > ${at} then rate_limits.tat else ${at} end`;
  const allowed = await db
    .insertInto('rate_limits')
    .values({ key, tat: now + interval })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ tat: sql<number>`${start} + cast(${interval} as bigint)` })
        .where('rate_limits.tat', '<=', latest),
    )
    .returning('tat')
    .executeTakeFirst();
  if (allowed) return { isAllowed: true };
  // A clock that was fast leaves a time that no use can reach: then all uses are taken as of now.
  const full = sql<number>`cast(${now + use.rule.periodMs} as bigint)`;
  const row = await db
    .updateTable('rate_limits')
    .set({ tat: sql<number>`case when tat > ${full} then ${full} else tat end` })
    .where('key', '=', key)
    .returning('tat')
    .executeTakeFirst();
  return { isAllowed: false, retryAfterMs: Math.max(1, (row?.tat ?? now) - latest) };
}

/** How much more a /48 of IPv6 may do than each of its 65,536 networks. */
const WIDE_FACTOR = 10;

/** Someone with a /48 of their own could else use each of its networks in turn. */
function withWideNetwork(use: RateLimitUse): RateLimitUse[] {
  const subject = toWideNetwork(use.subject);
  if (subject === null) return [use];
  const { name, limit, periodMs } = use.rule;
  const rule = { name: `${name}-wide`, limit: limit * WIDE_FACTOR, periodMs };
  return [use, { ...use, rule, subject }];
}

export async function releaseRateLimit(db: Db, released: RateLimitUse) {
  for (const use of withWideNetwork(released)) {
    const interval = intervalOf(use.rule);
    await db
      .updateTable('rate_limits')
      .set({ tat: sql<number>`rate_limits.tat - cast(${interval} as bigint)` })
      .where('key', '=', keyOf(use))
      .execute();
  }
}

export async function clearRateLimit(db: Db, use: RateLimitUse): Promise<void> {
  await db.deleteFrom('rate_limits').where('key', '=', keyOf(use)).execute();
}

function describeWait(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  if (minutes > 120) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}

export async function enforceRateLimits(db: Db, uses: readonly RateLimitUse[], now: number) {
  for (const use of uses.flatMap(withWideNetwork)) {
    const decision = await consumeRateLimit(db, use, now);
    if (decision.isAllowed) continue;
    throw new AppError('rate_limited', {
      message: [
        `Too many attempts. Try again in ${describeWait(decision.retryAfterMs)}.`,
        use.advice,
      ]
        .filter(Boolean)
        .join(' '),
      headers: { 'retry-after': String(Math.ceil(decision.retryAfterMs / 1000)) },
      logged: { limit: use.rule.name },
    });
  }
}
