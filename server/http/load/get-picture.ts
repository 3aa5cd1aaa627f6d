import type { FastifyRequest } from 'fastify';
import { MINUTE } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import type { KeptPictures } from '../../ports/media/drawn-pictures.ts';
import { toRateLimitAddress } from '../route/address.ts';
import { defineRateLimit, enforceRateLimits, type RateLimit } from '../route/rate-limit.ts';

/** Only pictures that have to be drawn count. An app that shows a whole library asks for hundreds. */
export const drawnByUser = defineRateLimit({
  name: 'drawn-pictures-user',
  what: 'Pictures drawn for one user',
  limit: 300,
  periodMs: 10 * MINUTE,
});
const drawnByAddress = defineRateLimit({
  name: 'drawn-pictures-address',
  what: 'Pictures drawn for one address',
  limit: 600,
  periodMs: 10 * MINUTE,
});

/** A kept picture, or one that is drawn now, within the limits of who asks for it. */
export async function getPicture<T extends Buffer | null>(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  { ip, viewer }: FastifyRequest,
  pictures: KeptPictures,
  { key, draw, limit = drawnByAddress }: { key: string; draw: () => Promise<T>; limit?: RateLimit },
): Promise<T> {
  const address = toRateLimitAddress(ip);
  const userId = viewer?.user.id;
  if (!pictures.isKnown(key)) {
    const uses = [
      { rule: limit, subject: address },
      ...(userId === undefined ? [] : [{ rule: drawnByUser, subject: userId }]),
    ];
    await enforceRateLimits(database.db, uses, clock.now());
  }
  return pictures.get(key, draw, userId === undefined ? [address] : [address, userId]);
}
