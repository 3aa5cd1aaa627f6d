import { escapeHtml } from '../../http/send/escape-html.ts';
import type { PlainPage } from '../../http/pages/plain-page.ts';

type Problems = Record<string, string>;
export type SetupPage = {
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

export function buildSetupPage(page: SetupPage): PlainPage {
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
