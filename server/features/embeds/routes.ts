import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { EMBED_THEMES } from '#contract/rules/embed.ts';
import type { Deps } from '../../deps.ts';
import { etagOf } from '../../http/pages/sent-page.ts';
import { matchesEtag } from '../../http/send/send-file.ts';
import { acceptsGzip } from '../../http/send/send-json.ts';
import type { SentEmbed } from './service.ts';

const loadEmbeds = () => import('./service.ts');

/** A mix that is taken down stays this long in the frames of other sites, without its audio. */
const EMBED_AGE_SECONDS = 300;

function sendEmbed(
  { html, gzipped, etag, policy }: SentEmbed,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  reply.headers({
    'content-security-policy': policy,
    // Pages that are isolated from other sites may show it, too.
    'cross-origin-resource-policy': 'cross-origin',
    etag,
    vary: 'accept-encoding',
  });
  if (reply.statusCode === 200 && matchesEtag(request.headers['if-none-match'], etag))
    return reply.code(304).send();
  reply.type('text/html; charset=utf-8');
  if (!acceptsGzip(request.headers['accept-encoding']?.toString())) return reply.send(html);
  return reply.header('content-encoding', 'gzip').send(gzipped);
}

/** Nothing here depends on who asks: no cookie is read or set. */
export function registerEmbeds(app: FastifyInstance, deps: Deps) {
  app.get<{ Params: { id: string }; Querystring: { theme?: unknown } }>(
    '/embed/track/:id',
    async (request, reply) => {
      const theme = EMBED_THEMES.find((name) => name === request.query.theme) ?? 'auto';
      const { findEmbed, getMissingEmbed } = await loadEmbeds();
      const embed = await findEmbed(deps, request.params.id, theme);
      if (!embed) {
        reply.code(404).header('cache-control', 'no-store');
        return sendEmbed(await getMissingEmbed(deps), request, reply);
      }
      reply.header('cache-control', `public, max-age=${EMBED_AGE_SECONDS}`);
      return sendEmbed(embed, request, reply);
    },
  );

  app.get<{ Querystring: Record<string, unknown> }>('/oembed', async (request, reply) => {
    // Scripts of other sites may ask, too: the answer is the same for everyone.
    reply.header('access-control-allow-origin', '*');
    const { formatOembedXml, OEMBED_AGE_SECONDS, parseOembedQuery } = await import('./oembed.ts');
    const query = parseOembedQuery(request.query);
    const { getOembed } = await loadEmbeds();
    const oembed = await getOembed(deps, query);
    const body = query.format === 'xml' ? formatOembedXml(oembed) : JSON.stringify(oembed);
    const etag = etagOf(body);
    reply.headers({ 'cache-control': `public, max-age=${OEMBED_AGE_SECONDS}`, etag });
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    const type = query.format === 'xml' ? 'text/xml' : 'application/json';
    return reply.type(`${type}; charset=utf-8`).send(body);
  });
}
