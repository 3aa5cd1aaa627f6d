import type { FastifyInstance, FastifyReply } from 'fastify';
import { RegisterBody } from '#contract/accounts.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { registerIsolatedPlugin } from '../../http/route/body-parsers.ts';
import { type PlainPage, sendPlainPage } from '../../http/pages/plain-page.ts';
import { setSessionCookie } from '../../http/route/sessions.ts';
import { parseRequest } from '../../http/route/validation.ts';
import { rememberDevice, toLoginContext } from '../accounts/service.ts';
import { completeSetup, isSetupOpen } from './service.ts';
import { escapeHtml } from '../../http/send/escape-html.ts';

type Problems = Record<string, string>;
type SetupPage = {
  siteName: string;
  values: { username: string; email: string };
  problems: Problems;
};

type Field = { name: string; label: string; hint: string; attributes: string };

const fields: Field[] = [
  {
    name: 'username',
    label: 'Username',
    hint: '3 to 30 letters, digits, dots, dashes or underscores.',
    attributes: 'autocomplete="username" autocapitalize="none" spellcheck="false"',
  },
  {
    name: 'email',
    label: 'E-mail',
    hint: 'Used to reset your password.',
    attributes: 'type="email" autocomplete="email"',
  },
  {
    name: 'password',
    label: 'Password',
    hint: '8 to 128 characters. Use a password you don’t use anywhere else.',
    attributes: 'type="password" autocomplete="new-password"',
  },
];

function renderField({ name, label, hint, attributes }: Field, page: SetupPage): string {
  const problem = page.problems[name];
  const value = name === 'password' ? '' : page.values[name as 'username' | 'email'];
  return `<label for="${name}">${label}</label>
<input id="${name}" name="${name}" required ${attributes} value="${escapeHtml(value)}" aria-describedby="${name}-hint"${problem ? ' aria-invalid="true"' : ''}>
<small id="${name}-hint"${problem ? ' class="problem" role="alert"' : ''}>${escapeHtml(problem ?? hint)}</small>`;
}

function buildSetupPage(page: SetupPage): PlainPage {
  const { siteName } = page;
  return {
    siteName,
    title: 'Set up',
    heading: `Set up ${siteName}`,
    body: `<p>This account will run the site. This page works once; the link expires when you’re done.</p>
<form method="post">${fields.map((field) => renderField(field, page)).join('\n')}
<button>Create account</button></form>`,
  };
}

const PATH = '/setup/:token';
type Params = { Params: { token: string } };

const readForm = (body: unknown): Record<string, string> =>
  typeof body === 'string' ? Object.fromEntries(new URLSearchParams(body)) : {};

/** Without a valid link, these paths look like any unknown path. */
export function registerSetupPages(app: FastifyInstance, deps: Deps) {
  const { config } = deps;
  const send = (reply: FastifyReply, page: Omit<SetupPage, 'siteName'>) =>
    sendPlainPage(
      // The address gives access, so no other site may see it. Browsers still say where the form is from.
      reply.header('referrer-policy', 'strict-origin'),
      buildSetupPage({ siteName: config.siteName, ...page }),
    );

  registerIsolatedPlugin(app, (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 4096 },
      (_request, body, ready) => ready(null, body),
    );

    scope.get<Params>(PATH, async (request, reply) => {
      if (!(await isSetupOpen(deps, request.params.token))) return reply.callNotFound();
      return send(reply, { values: { username: '', email: '' }, problems: {} });
    });

    scope.post<Params>(PATH, async (request, reply) => {
      const { token } = request.params;
      // Check first, so that no one else can make us hash passwords.
      if (!(await isSetupOpen(deps, token))) throw new AppError('not_found');
      const { username = '', email = '', password = '' } = readForm(request.body);
      try {
        const value = { username, email, password };
        const { body } = parseRequest([{ name: 'body', schema: RegisterBody, value }]);
        const input = body as Parameters<typeof completeSetup>[2];
        const visit = toLoginContext(config, request);
        const loggedIn = await completeSetup(deps, token, input, visit);
        setSessionCookie(config, reply, loggedIn.token);
        const { id: userId } = loggedIn.user;
        await rememberDevice(deps, request, reply, { userId, isTwoStep: false });
        return await reply.redirect('/admin', 303);
      } catch (error) {
        if (!(error instanceof AppError) || !error.fields) throw error;
        return send(reply.code(error.status), {
          values: { username, email },
          problems: error.fields,
        });
      }
    });
  });
}
