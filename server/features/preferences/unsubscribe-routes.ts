import type { FastifyInstance, FastifyReply } from 'fastify';
import { MINUTE } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { toRateLimitAddress } from '../../http/route/address.ts';
import { AppError } from '../../http/route/app-error.ts';
import { registerIsolatedPlugin } from '../../http/route/body-parsers.ts';
import { escapeHtml } from '../../http/send/escape-html.ts';
import { sendPlainPage } from '../../http/pages/plain-page.ts';
import { defineRateLimit, enforceRateLimits } from '../../http/route/rate-limit.ts';
import { countUnsubscribed } from '../letters/service.ts';
import { type MailKind, getMailSubscription, unsubscribe } from './service.ts';

const kinds: Record<MailKind, string> = {
  releases: 'e-mails about new releases',
  news: 'letters with product news',
};

type Page = { siteName: string } & (
  | { state: 'ask' | 'done'; kind: MailKind }
  | { state: 'unknown'; message: string }
);

/** Needs no login, because people open it from their mail program. */
function buildMain(page: Page): { title: string; body: string } {
  const settings = '<a href="/settings">Settings</a>';
  if (page.state === 'unknown')
    return {
      title: 'Link not found',
      body: `<p>${escapeHtml(page.message)} You can choose what we send you in ${settings}.</p>`,
    };
  const what = kinds[page.kind];
  if (page.state === 'done')
    return {
      title: 'You’re unsubscribed',
      body: `<p>You won’t get ${what} any more. You can turn them back on in ${settings}.</p>`,
    };
  return {
    title: 'Unsubscribe?',
    body: `<p>We’ll stop sending you ${what}. You’ll still get messages about payments and account security.</p>
<form method="post"><button>Unsubscribe</button></form>`,
  };
}

/** High, because one address can be a mail provider acting for all its users. */
const unsubscribeByAddress = defineRateLimit({
  name: 'unsubscribe-address',
  what: 'Unsubscribe requests from one address',
  limit: 600,
  periodMs: MINUTE,
});
const PATH = '/api/unsubscribe/:token';
type Params = { Params: { token: string }; Querystring: { letter?: unknown } };

/** HTML pages: people open the address, and mail programs post to it (RFC 8058). */
export function registerUnsubscribePages(app: FastifyInstance, deps: Deps) {
  const { config } = deps;
  const send = (reply: FastifyReply, page: Page) =>
    sendPlainPage(reply, { siteName: page.siteName, ...buildMain(page) });

  const respond = async (reply: FastifyReply, build: () => Promise<FastifyReply>) => {
    try {
      return await build();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
      return send(reply.code(404), {
        siteName: config.siteName,
        state: 'unknown',
        message: error.message,
      });
    }
  };

  registerIsolatedPlugin(app, (scope) => {
    // The body repeats what the address already says.
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: 1024 },
      (_request, _body, ready) => ready(null, undefined),
    );
    scope.get<Params>(PATH, (request, reply) =>
      respond(reply, async () => {
        const { kind, isSubscribed } = await getMailSubscription(deps, request.params.token);
        return send(reply, {
          siteName: config.siteName,
          state: isSubscribed ? 'ask' : 'done',
          kind,
        });
      }),
    );
    scope.post<Params>(PATH, (request, reply) =>
      respond(reply, async () => {
        const use = { rule: unsubscribeByAddress, subject: toRateLimitAddress(request.ip) };
        await enforceRateLimits(deps.database.db, [use], deps.clock.now());
        const { letter } = request.query;
        const kind = await unsubscribe(deps, request.params.token, async (tx, { userId }) => {
          if (typeof letter === 'string' && /^\w{1,64}$/.test(letter))
            await countUnsubscribed(tx, { letterId: letter, userId }, deps.clock.now());
        });
        return send(reply, { siteName: config.siteName, state: 'done', kind });
      }),
    );
  });
}
