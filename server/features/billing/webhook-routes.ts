import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { limitAddress } from '../../http/address.ts';
import { AppError } from '../../http/app-error.ts';
import { openOwnScope } from '../../http/own-scope.ts';
import { enforceRateLimits } from '../../http/rate-limit.ts';
import { ForgedWebhook } from '../../ports/payments/payments.ts';
import { createForgedTally, forgedByAddress, type ForgedTally } from './forged-webhooks.ts';
import { keepNotice } from './notices.ts';

/** Far more than any provider sends. */
const BODY_LIMIT = 512 * 1024;

export async function takeWebhook(
  deps: Deps,
  headers: Parameters<Deps['payments']['parseWebhook']>[0],
  body: Buffer,
) {
  const notice = await deps.payments.parseWebhook(headers, body);
  // What is nothing to us is taken, or it would be sent for days.
  if (notice && notice.subjects.length > 0) await keepNotice(deps, notice, body);
}

async function refuseForged({ database, clock }: Deps, tally: ForgedTally, ip: string) {
  await tally.count();
  const use = { rule: forgedByAddress, subject: limitAddress(ip) };
  await enforceRateLimits(database.db, [use], clock.now());
  throw new AppError('unauthenticated', { message: 'The signature of this webhook is not right.' });
}

/** The body stays as it was sent: its signature is over exactly these bytes. */
export function registerWebhooks(app: FastifyInstance, deps: Deps) {
  const tally = createForgedTally(deps);
  app.addHook('onClose', () => tally.write());
  openOwnScope(app, (scope) => {
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_r, body, end) =>
      end(null, body),
    );
    scope.post<{ Params: { provider: string }; Body: unknown }>(
      '/api/webhooks/:provider',
      { bodyLimit: BODY_LIMIT },
      async ({ params, headers, body, ip }) => {
        if (params.provider !== deps.payments.name) throw new AppError('not_found');
        try {
          await takeWebhook(deps, headers, Buffer.isBuffer(body) ? body : Buffer.alloc(0));
        } catch (error) {
          if (!(error instanceof ForgedWebhook)) throw error;
          await refuseForged(deps, tally, ip);
        }
        return { received: true };
      },
    );
  });
}
