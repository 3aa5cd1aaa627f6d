import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { ForgedWebhook } from '../../ports/payments/payments.ts';
import { countUp } from './books.ts';
import { keepNotice } from './notices.ts';

/** Far more than any provider sends. */
const BODY_LIMIT = 512 * 1024;

/** That somebody tries is worth knowing; what they sent is not worth keeping. */
export const forgedCounter = (provider: string): string => `forged-webhooks:${provider}`;

export async function takeWebhook(
  deps: Deps,
  headers: Parameters<Deps['payments']['parseWebhook']>[0],
  body: Buffer,
) {
  try {
    const notice = await deps.payments.parseWebhook(headers, body);
    // What is nothing to us is taken, or it would be sent for days.
    if (notice && notice.subjects.length > 0) await keepNotice(deps, notice, body);
  } catch (error) {
    if (!(error instanceof ForgedWebhook)) throw error;
    deps.log.warn({ provider: deps.payments.name }, 'A webhook without a good signature came in.');
    await deps.database.db
      .transaction()
      .execute((tx) => countUp(tx, forgedCounter(deps.payments.name)));
    throw new AppError('unauthenticated', {
      message: 'The signature of this webhook is not right.',
    });
  }
}

/** The body stays as it was sent: its signature is over exactly these bytes. */
export function registerWebhooks(app: FastifyInstance, deps: Deps) {
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_r, body, end) =>
      end(null, body),
    );
    scope.post<{ Params: { provider: string }; Body: unknown }>(
      '/api/webhooks/:provider',
      { bodyLimit: BODY_LIMIT },
      async ({ params, headers, body }) => {
        if (params.provider !== deps.payments.name) throw new AppError('not_found');
        await takeWebhook(deps, headers, Buffer.isBuffer(body) ? body : Buffer.alloc(0));
        return { received: true };
      },
    );
    done();
  });
}
