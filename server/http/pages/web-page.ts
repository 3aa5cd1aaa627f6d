import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Boot, BootLook } from '#contract/boot.ts';
import { lookImagePath, type Look, type LookImage } from '#contract/look.ts';
import type { Config } from '../../config.ts';
import { findInlineScripts, pagePolicy } from '../send/security-headers.ts';
import { isNamedOrigin } from '../route/address.ts';
import { escapeHtml } from '../send/escape-html.ts';
import { toInlineJson } from './page-head.ts';
import type { PageContent } from './render-page.ts';

export type WebPage = {
  status: number;
  html: string;
  policy: string;
};

/** Shown when the web app is not built. In development, its boot data comes from here too. */
const missingPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>__SITE_NAME__</title><script type="application/json" id="boot">__BOOT__</script></head>
<body><h1>The web app is not built yet</h1>
<p>Run <code>npm run build</code> and start the server again. The API already works: see <a href="/api/docs">/api/docs</a>.</p>
</body></html>`;

const bootLookOf = ({ sleeves, headline, lead, about, logo }: Look): BootLook => ({
  sleeves,
  headline,
  lead,
  about,
  logo: logo && { width: logo.width, height: logo.height },
});

export const bootOf = (config: Config): Boot => ({
  siteName: config.siteName,
  timeZone: config.timeZone,
  releaseDay: config.releaseDay,
  dataPrice: config.dataPrice,
  authOrigin: config.authOrigin,
  demo: config.demo,
  look: bootLookOf(config.look),
  hasMoments: config.areMomentsOn,
  hasClips: config.clipSeconds > 0,
  fileEnds: config.fileEnds,
  hasPasskeys: config.appOrigin !== null && isNamedOrigin(config.appOrigin),
  mixpanel: config.mixpanel?.isInstead
    ? { token: config.mixpanel.token, host: config.mixpanel.host }
    : null,
});

/** What the stylesheet needs to know of the look. */
const buildRootTag = ({ sleeves, logo }: Look): string =>
  [
    '<html lang="en"',
    sleeves.hemisphere === 'north' ? ' data-hemisphere="north"' : '',
    logo ? ` style="--logo:url(${logo.mask})"` : '',
    '>',
  ].join('');

const ICONS = /<link rel="icon"[^>]*>\s*<link rel="apple-touch-icon"[^>]*>/;

/** A logo that isn’t in the page itself is loaded with it. */
const buildLogoLink = ({ logo }: Look): string =>
  logo?.mask.startsWith('/')
    ? `<link rel="preload" href="${logo.mask}" as="image" crossorigin />\n</head>`
    : '</head>';

const buildIconLinks = (icon: LookImage): string =>
  `<link rel="icon" href="${lookImagePath(icon, '32')}" type="image/png" sizes="32x32" />
<link rel="icon" href="${lookImagePath(icon, '192')}" type="image/png" sizes="192x192" />
<link rel="apple-touch-icon" href="${lookImagePath(icon, '180')}" />`;

function buildPage(template: string | null, config: Config): WebPage {
  const html = (template ?? missingPage)
    .replace('<html lang="en">', () => buildRootTag(config.look))
    .replace('</head>', () => buildLogoLink(config.look))
    .replace(ICONS, (links) => (config.look.icon ? buildIconLinks(config.look.icon) : links))
    .replaceAll('__SITE_NAME__', () => escapeHtml(config.siteName))
    .replaceAll('__BOOT__', () => toInlineJson(bootOf(config)));
  return {
    status: template === null ? 503 : 200,
    html,
    policy: pagePolicy(html, config),
  };
}

/** Elements that load a script, or something that only scripts need. */
const LATER =
  /<script type="module"[^>]*\ssrc="([^"]+)"[^>]*><\/script>|<link rel="(modulepreload|manifest)"[^>]*\shref="([^"]+)"[^>]*>/g;

/** A script in the page's head loads these once the page has shown what it came with. */
function delayFiles(html: string): string {
  const files: object[] = [];
  const rest = html.replaceAll(LATER, (_tag, src?: string, rel?: string, href?: string) => {
    files.push(src ? { src } : { rel, href });
    return '';
  });
  const list = `<script type="application/json" id="after-paint">${toInlineJson(files)}</script>`;
  return rest.replace('</body>', () => `${list}\n</body>`);
}

/** What an empty page shows until its scripts run. */
const LOADER = /<div id="root">[\s\S]*?<!-- loader -->\s*<\/div>/;

/** The same page with what it shows, and the data that this was rendered from. */
export function addContent(
  page: WebPage,
  { html: root, redirectedTo, answers, rendered }: PageContent,
): WebPage {
  const address = redirectedTo ? ` data-redirected-to="${escapeHtml(redirectedTo)}"` : '';
  const data = `<script type="application/json" id="answers"${address} data-rendered-at="${rendered.at}" data-today="${rendered.today}" data-day-ends-at="${rendered.dayEndsAt}">${toInlineJson(answers)}</script>`;
  const shown = root
    ? delayFiles(page.html).replace(LOADER, () => `<div id="root">${root}</div>`)
    : page.html;
  const html = shown.replace('</body>', () => `${data}\n</body>`);
  return { ...page, html };
}

/** Builds the page again when the settings change. */
export function watchPage(template: string | null, config: Config): () => WebPage {
  let cached: { shown: readonly unknown[]; page: WebPage } | null = null;
  return () => {
    const { siteName, timeZone, releaseDay, dataPrice, areMomentsOn, clipSeconds, look } = config;
    const ends = Object.values(config.fileEnds);
    const shown = [siteName, timeZone, releaseDay, dataPrice, areMomentsOn, clipSeconds, look];
    const all = [...shown, ...ends];
    const isSame = cached?.shown.every((value, index) => value === all[index]) ?? false;
    if (!cached || !isSame) cached = { shown: all, page: buildPage(template, config) };
    return cached.page;
  };
}

/** What makes a page outside the web app look like it. Empty if the web app is not built. */
export type SiteLook = { stylesheets: string[]; themeScripts: string[] };

export function readSiteLook(webRoot: string): SiteLook {
  let template = '';
  try {
    template = readFileSync(join(webRoot, 'index.html'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const links = template.matchAll(/<link rel="stylesheet"[^>]* href="([^"]+)"/g);
  return {
    stylesheets: [...links].map(([, href = '']) => href),
    themeScripts: findInlineScripts(template).filter((script) => script.includes('dataset.theme')),
  };
}
