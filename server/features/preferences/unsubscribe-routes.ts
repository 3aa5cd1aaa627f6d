import type { FastifyInstance, FastifyReply } from 'fastify';
import { MINUTE } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { toRateLimitAddress } from '../../http/address.ts';
import { AppError } from '../../http/app-error.ts';
import { registerIsolatedPlugin } from '../../http/body-parsers.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import { enforceRateLimits, type RateLimit } from '../../http/rate-limit.ts';
import { hashSource } from '../../http/security-headers.ts';
import { type MailKind, getMailSubscription, unsubscribe } from './service.ts';

const style = `
:root { color-scheme: dark light; --bg: oklch(0.158 0.008 62); --text: oklch(0.955 0.014 85); --quiet: oklch(0.815 0.014 80); }
@media (prefers-color-scheme: light) { :root { --bg: oklch(0.962 0.012 85); --text: oklch(0.205 0.012 62); --quiet: oklch(0.37 0.014 65); } }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 24px; box-sizing: border-box; background: var(--bg); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 44ch; }
h1 { font-size: 34px; line-height: 1.1; margin: 0 0 12px; }
p { margin: 0 0 20px; color: var(--quiet); }
a { color: inherit; text-underline-offset: 4px; }
button { font: inherit; font-weight: 600; min-height: 44px; padding: 0 22px; border: 0; border-radius: 999px; background: var(--text); color: var(--bg); cursor: pointer; }
`;

const unsubscribePolicy = `default-src 'none'; style-src ${hashSource(style)}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

const kinds: Record<MailKind, string> = {
  releases: 'e-mails about new releases',
  news: 'e-mails with product news',
};

type Page = { siteName: string } & (
  | { state: 'ask' | 'done'; kind: MailKind }
  | { state: 'unknown'; message: string }
);

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

/** Needs no script, login or other file, because people open it from their mail program. */
function renderUnsubscribe(page: Page): string {
  const { title, body } = buildMain(page);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · ${escapeHtml(page.siteName)}</title><style>${style}</style></head>
<body><main><h1>${title}</h1>${body}</main></body></html>`;
}

/** High, because one address can be a mail provider acting for all its users. */
const unsubscribeByAddress: RateLimit = {
  name: 'unsubscribe-address',
  limit: 600,
  periodMs: MINUTE,
};
const PATH = '/api/unsubscribe/:token';
type Params = { Params: { token: string } };

/** HTML pages: people open the address, and mail programs post to it (RFC 8058). */
export function registerUnsubscribePages(app: FastifyInstance, deps: Deps) {
  const { config } = deps;
  const send = (reply: FastifyReply, page: Parameters<typeof renderUnsubscribe>[0]) =>
    reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': unsubscribePolicy,
      })
      .send(renderUnsubscribe(page));

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
        const kind = await unsubscribe(deps, request.params.token);
        return send(reply, { siteName: config.siteName, state: 'done', kind });
      }),
    );
  });
}
