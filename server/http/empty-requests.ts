import type { Server, ServerOptions } from 'node:http';

/** Most requests have no body. Without a stream for it, Node needs an eighth less time for a small one. */
export const noStreamForEmpty: ServerOptions = { optimizeEmptyRequests: true };

/**
 * What names the type of a body and sends none has no stream that could end, and the framework would
 * wait for that end without a limit. There is no body, so nothing is said of its type.
 */
export function ignoreTypesOfNothing(server: Server) {
  server.prependListener('request', ({ headers }) => {
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
      delete headers['content-type'];
  });
}
