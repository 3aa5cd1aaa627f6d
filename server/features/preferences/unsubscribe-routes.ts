import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Deps } from '../../deps.ts';
import { limitAddress } from '../../http/address.ts';
import { AppError } from '../../http/app-error.ts';
import { openOwnScope } from '../../http/own-scope.ts';
import { enforceRateLimits, type RateLimit } from '../../http/rate-limit.ts';
import { readUnsubscription, unsubscribe } from './service.ts';
import { renderUnsubscribe, unsubscribePolicy } from './unsubscribe-page.ts';

/** One address can be a mail provider that acts for all of its people. */
const unsubscribeByAddress: RateLimit = {
  name: 'unsubscribe-address',
  limit: 600,
  periodMs: 60_000,
};
const PATH = '/api/unsubscribe/:token';
type Params = { Params: { token: string } };

/** Pages, not JSON: one address that a person opens and that a mail program posts to (RFC 8058). */
export function registerUnsubscribePages(app: FastifyInstance, deps: Deps) {
  const { config } = deps;
  const send = (reply: FastifyReply, page: Parameters<typeof renderUnsubscribe>[0]) =>
    reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': unsubscribePolicy,
      })
      .send(renderUnsubscribe(page));

  const answer = async (reply: FastifyReply, act: () => Promise<FastifyReply>) => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
      return send(reply.code(404), {
        siteName: config.siteName,
        state: 'unknown',
        message: error.message,
      });
    }
  };

  openOwnScope(app, (scope) => {
    // The body says only what the address says already.
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: 1024 },
      (_request, _body, ready) => ready(null, undefined),
    );
    scope.get<Params>(PATH, (request, reply) =>
      answer(reply, async () => {
        const { kind, isSubscribed } = await readUnsubscription(deps, request.params.token);
        return send(reply, {
          siteName: config.siteName,
          state: isSubscribed ? 'ask' : 'done',
          kind,
        });
      }),
    );
    scope.post<Params>(PATH, (request, reply) =>
      answer(reply, async () => {
        const use = { rule: unsubscribeByAddress, subject: limitAddress(request.ip) };
        await enforceRateLimits(deps.database.db, [use], deps.clock.now());
        const kind = await unsubscribe(deps, request.params.token);
        return send(reply, { siteName: config.siteName, state: 'done', kind });
      }),
    );
  });
}
