import { escapeHtml } from '../../http/escape-html.ts';
import { hashSource } from '../../http/security-headers.ts';

const style = `
:root{color-scheme:dark;--bg:oklch(0.158 0.008 62);--surface:oklch(0.187 0.009 62);--line-strong:oklch(0.535 0.014 70);--text:oklch(0.955 0.014 85);--text-2:oklch(0.815 0.014 80);--text-3:oklch(0.695 0.014 75);--action:oklch(0.945 0.020 85);--on-action:oklch(0.185 0.010 62);--danger:oklch(0.735 0.155 25)}
@media (prefers-color-scheme:light){:root{color-scheme:light;--bg:oklch(0.962 0.012 85);--surface:oklch(0.982 0.008 85);--line-strong:oklch(0.600 0.016 75);--text:oklch(0.205 0.012 62);--text-2:oklch(0.370 0.014 65);--text-3:oklch(0.465 0.014 68);--action:oklch(0.205 0.012 62);--on-action:oklch(0.975 0.010 85);--danger:oklch(0.500 0.180 27)}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-content:center;padding:24px 16px;background:var(--bg);color:var(--text);font:16px/1.5 "Instrument Sans Variable",system-ui,sans-serif}
main{width:min(420px,calc(100vw - 32px))}
h1{font:680 48px/0.95 "Anybody Variable","Arial Narrow",sans-serif;font-stretch:60%;margin:0 0 16px;overflow-wrap:anywhere}
p{margin:0 0 28px;color:var(--text-2)}
label{display:block;font-weight:500;margin:0 0 6px}
input{width:100%;min-height:48px;padding:0 14px;font:inherit;color:var(--text);background:var(--surface);border:1px solid var(--line-strong);border-radius:10px}
input[aria-invalid]{border-color:var(--danger)}
small{display:block;margin:6px 0 20px;font-size:13px;color:var(--text-3)}
small.problem{color:var(--danger);font-weight:600}
button{font:inherit;font-weight:600;width:100%;min-height:52px;border:0;border-radius:999px;background:var(--action);color:var(--on-action);cursor:pointer}
:focus-visible{outline:2px solid var(--action);outline-offset:3px}
`;

export const setupPolicy = `default-src 'none'; style-src ${hashSource(style)}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

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

/** Needs no scripts and no other files. */
export function renderSetup(page: SetupPage): string {
  const name = escapeHtml(page.siteName);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Set up · ${name}</title><style>${style}</style></head>
<body><main><h1>Set up ${name}</h1>
<p>This account will run the site. This page works once; the link expires when you’re done.</p>
<form method="post">${fields.map((field) => renderField(field, page)).join('\n')}
<button>Create account</button></form></main></body></html>`;
}
