import type { FastifyInstance, FastifyPluginCallback } from 'fastify';

/** Routes whose bodies are read in a way of their own: what they take no other route does. */
export function openOwnScope(app: FastifyInstance, fill: (scope: FastifyInstance) => void) {
  const plugin: FastifyPluginCallback = (scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    fill(scope);
    done();
  };
  // Without a name Fastify looks for one among all modules of the process, which takes long.
  app.register(Object.assign(plugin, { [Symbol.for('fastify.display-name')]: 'own scope' }));
}
