import { createHash } from 'node:crypto';
import type { Boot } from '#contract/boot.ts';
import type { Config } from '../config.ts';
import { escapeHtml } from './escape-html.ts';
import { toInlineJson, writeHead, type PageHead } from './page-head.ts';
import { pagePolicy } from './security-headers.ts';

export type WebPage = { status: number; html: string; etag: string; policy: string };

/** Shown when the web app was not built; development reads its boot data from here too. */
const missingPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>__SITE_NAME__</title><script type="application/json" id="boot">__BOOT__</script></head>
<body><h1>The web app is not built yet</h1>
<p>Run <code>npm run build</code> and start the server again. The API works already: see <a href="/api/docs">/api/docs</a>.</p>
</body></html>`;

export const bootOf = (config: Config): Boot => ({
  siteName: config.siteName,
  timeZone: config.timeZone,
  authOrigin: config.authOrigin,
  demo: config.demo,
  mixpanel: config.mixpanel?.isInstead
    ? { token: config.mixpanel.token, host: config.mixpanel.host }
    : null,
});

export const etagOf = (html: string): string =>
  `"${createHash('sha256').update(html).digest('base64url').slice(0, 27)}"`;

export function fillPage(template: string | null, config: Config): WebPage {
  const html = (template ?? missingPage)
    .replaceAll('__SITE_NAME__', () => escapeHtml(config.siteName))
    .replaceAll('__BOOT__', () => toInlineJson(bootOf(config)));
  return {
    status: template === null ? 503 : 200,
    html,
    etag: etagOf(html),
    policy: pagePolicy(html, config),
  };
}

/** The same page, saying what it is about. */
export function describePage(page: WebPage, head: PageHead): WebPage {
  const html = writeHead(page.html, head);
  return { ...page, html, etag: etagOf(html) };
}

/** The page as the settings have it now; written anew when they change. */
export function followPage(template: string | null, config: Config): () => WebPage {
  let kept: { name: string; zone: string; page: WebPage } | null = null;
  return () => {
    const { siteName: name, timeZone: zone } = config;
    if (kept?.name !== name || kept.zone !== zone)
      kept = { name, zone, page: fillPage(template, config) };
    return kept.page;
  };
}
