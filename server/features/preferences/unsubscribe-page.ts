import { escapeHtml } from '../../http/escape-html.ts';
import { hashSource } from '../../http/security-headers.ts';
import type { MailKind } from './unsubscribe-link.ts';

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

export const unsubscribePolicy = `default-src 'none'; style-src ${hashSource(style)}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

const kinds: Record<MailKind, string> = {
  releases: 'e-mails about new releases',
  news: 'product news',
};

type Page = { siteName: string } & (
  | { state: 'ask' | 'done'; kind: MailKind }
  | { state: 'unknown'; message: string }
);

function writeMain(page: Page): { title: string; body: string } {
  const settings = '<a href="/settings">Settings</a>';
  if (page.state === 'unknown')
    return {
      title: 'Link not found',
      body: `<p>${escapeHtml(page.message)} You can change what we send you under ${settings}.</p>`,
    };
  const what = kinds[page.kind];
  if (page.state === 'done')
    return {
      title: 'You are unsubscribed',
      body: `<p>We no longer send you ${what}. You can change your mind under ${settings}.</p>`,
    };
  return {
    title: 'Unsubscribe?',
    body: `<p>We stop sending you ${what}. Messages about payments and the safety of your account still arrive.</p>
<form method="post"><button>Unsubscribe</button></form>`,
  };
}

/** Needs no script, no login and no other file: it is opened from inside mail programs. */
export function renderUnsubscribe(page: Page): string {
  const { title, body } = writeMain(page);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · ${escapeHtml(page.siteName)}</title><style>${style}</style></head>
<body><main><h1>${title}</h1>${body}</main></body></html>`;
}
