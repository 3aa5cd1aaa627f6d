import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { FileKind } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { handToNginx } from '../../http/send-file.ts';
import { cookieName } from '../../http/session-cookie.ts';
import { mediaRules } from './media-rules.ts';
import { openTrackFile } from './service.ts';

type Wish = { id: string; kind: Extract<FileKind, 'stream' | 'saver' | 'preview'> };
type Asked = { request: IncomingMessage; response: ServerResponse; wish: Wish };

const ADDRESS = /^\/media\/tracks\/([\w-]{1,64})\/(stream|saver|preview)(?:\?|$)/;

/** Null for everything that is not the plainest of questions; the routes answer that. */
function readWish({ method, url = '', headers }: IncomingMessage): Wish | null {
  if (method !== 'GET' || headers['if-none-match'] !== undefined) return null;
  const [, id, kind] = ADDRESS.exec(url) ?? [];
  return id && kind ? { id, kind: kind as Wish['kind'] } : null;
}

/**
 * Where a web server in front sends the bytes, a player's question for the next part of a mix is
 * answered before the framework: its way in and out takes longer than the answer. Who may have the
 * file is decided where it always is, and whoever may not is told so by the route. The web server
 * writes the log of these.
 */
export function openAccelDoor(app: FastifyInstance, deps: Deps) {
  const { config } = deps;
  const name = cookieName(config);

  const readToken = ({ headers: { cookie } }: IncomingMessage): string | null =>
    (cookie && app.parseCookie(cookie)[name]) || null;

  const routes = app.server.listeners('request') as RequestListener[];
  const answerByRoute = (request: IncomingMessage, response: ServerResponse) =>
    routes.forEach((route) => route(request, response));

  // A server that closes ends its connections, which the routes see to.
  let isOpen = true;
  app.addHook('preClose', async () => {
    isOpen = false;
  });

  function answer({ request, response, wish }: Asked) {
    openTrackFile(deps, readToken(request), wish).then(
      (file) =>
        isOpen
          ? handToNginx(response, config.accelPrefix, file, mediaRules[file.keptBy])
          : answerByRoute(request, response),
      () => answerByRoute(request, response),
    );
  }

  /**
   * What came in one turn of the loop is answered together: with every request for itself, parsing,
   * checking and writing push each other out of the processor's caches, and the check takes double.
   */
  let asked: Asked[] = [];
  function answerAll() {
    const together = asked;
    asked = [];
    together.forEach(answer);
  }

  app.server.removeAllListeners('request').on('request', (request, response) => {
    const wish = readWish(request);
    if (!wish) return answerByRoute(request, response);
    if (asked.push({ request, response, wish }) === 1) setImmediate(answerAll);
  });
}
