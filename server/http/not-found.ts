import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { AppError } from './app-error.ts';

type Known = { method: string; segments: readonly string[] };

const split = (path: string) => path.split('/').filter(Boolean);

const listKnown = ({ method, url }: Pick<RouteOptions, 'method' | 'url'>): Known[] =>
  [method].flat().map((name) => ({ method: name, segments: split(url) }));

const matches = (pattern: readonly string[], path: readonly string[]) =>
  pattern.length === path.length &&
  pattern.every((segment, index) => segment.startsWith(':') || segment === path[index]);

/** The methods that a path allows. */
export function findAllowedMethods(known: readonly Known[], path: string): string[] {
  const segments = split(path);
  return [...new Set(known.filter((k) => matches(k.segments, segments)).map((k) => k.method))];
}

/** Returns true if it has answered. */
export type Fallback = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;

/** Answers 405 for a known path, the web app's page for a browser, and 404 for the rest. */
export function handleUnknownPaths(app: FastifyInstance) {
  const routes: Pick<RouteOptions, 'method' | 'url'>[] = [];
  app.addHook('onRoute', ({ method, url }) => void routes.push({ method, url }));
  let known: Known[] | null = null;
  return (fallback: Fallback) => {
    app.setNotFoundHandler(async (request, reply) => {
      const path = request.url.split('?', 1)[0] ?? '';
      known ??= routes.flatMap(listKnown);
      const allowed = findAllowedMethods(known, path);
      // A route that wants to look like an unknown path calls this handler itself.
      if (allowed.length > 0 && !allowed.includes(request.method))
        throw new AppError('method_not_allowed', { headers: { allow: allowed.join(', ') } });
      if (await fallback(request, reply)) return reply;
      throw new AppError('not_found');
    });
  };
}
