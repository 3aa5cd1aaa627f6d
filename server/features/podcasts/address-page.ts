import { listPodcastApps } from '#contract/clients/podcast-apps.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import { hashSource } from '../../http/security-headers.ts';

const style = `
:root { color-scheme: dark light; --bg: oklch(0.158 0.008 62); --line: oklch(0.535 0.014 70); --text: oklch(0.955 0.014 85); --quiet: oklch(0.815 0.014 80); }
@media (prefers-color-scheme: light) { :root { --bg: oklch(0.962 0.012 85); --line: oklch(0.6 0.016 75); --text: oklch(0.205 0.012 62); --quiet: oklch(0.37 0.014 65); } }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 24px 16px; box-sizing: border-box; background: var(--bg); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { width: min(44ch, calc(100vw - 32px)); }
h1 { font-size: 34px; line-height: 1.1; margin: 0 0 12px; overflow-wrap: anywhere; }
p { margin: 0 0 20px; color: var(--quiet); }
ul { list-style: none; margin: 0 0 28px; padding: 0; display: grid; gap: 10px; }
li a { display: grid; place-content: center; min-height: 48px; border: 1px solid var(--line); border-radius: 999px; color: inherit; font-weight: 600; text-decoration: none; }
code { display: block; overflow-wrap: anywhere; user-select: all; font-size: 14px; color: var(--quiet); }
:focus-visible { outline: 2px solid var(--text); outline-offset: 3px; }
`;

export const addressPolicy = `default-src 'none'; style-src ${hashSource(style)}; base-uri 'none'; frame-ancestors 'none'`;

/** What a person sees who opens the address of a feed in a browser: most do with a phone's camera. */
export function renderAddressPage({ url, siteName }: { url: string; siteName: string }): string {
  const apps = listPodcastApps(url)
    .map(({ name, href }) => `<li><a href="${escapeHtml(href)}">Open in ${name}</a></li>`)
    .join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Podcast feed · ${escapeHtml(siteName)}</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(siteName)} in your podcast app</h1>
<p>This is the address of a podcast feed. Choose your app, or paste the address where it adds a podcast by URL.</p>
<ul>
${apps}
</ul>
<code>${escapeHtml(url)}</code></main></body></html>`;
}
