import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { enforceGuard } from '../../http/guards.ts';
import { allowSlowUpload } from '../../http/slow-request-timeout.ts';
import { registerIsolatedPlugin } from '../../http/body-parsers.ts';
import { PLAIN_UPLOAD_PATH, plainPolicy, renderPlainResult } from './plain-page.ts';
import { receiveForm } from './receive-form.ts';

/** A page answers a form: whoever has no scripting reads it. */
export function registerPlainUpload(app: FastifyInstance, deps: Deps) {
  const { siteName } = deps.config;
  const send = (reply: FastifyReply, title: string, sentences: readonly string[]) =>
    reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': plainPolicy,
      })
      .send(renderPlainResult({ siteName, title, sentences }));
  registerIsolatedPlugin(app, (scope) => {
    scope.addContentTypeParser('multipart/form-data', (_request, _payload, ready) => ready(null));
    scope.post(PLAIN_UPLOAD_PATH, {
      onRequest: async (request, reply) => {
        request.viewer = await enforceGuard('admin', deps, request, reply);
        allowSlowUpload(request.raw);
      },
      handler: async (request, reply) => {
        try {
          const { fileName } = await receiveForm(deps, request.viewer?.user.id ?? '', request.raw);
          const what = `${fileName} is safe on the server and is being made into a mix.`;
          return await send(reply, 'Upload complete', [what]);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          return send(reply.code(error.status), 'Not uploaded', [error.message]);
        }
      },
    });
  });
}
