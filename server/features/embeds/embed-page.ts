import type { EmbedTheme } from '#contract/rules/embed.ts';
import { sleeveName, sleevePath } from '#contract/art/sleeve-names.ts';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { formatDuration } from '#contract/rules/time.ts';
import { drawBars, frameBars, placePreview, resamplePeaks } from '#contract/art/waveform.ts';
import type { SiteLook } from '#contract/look.ts';
import { oklchToHex, weekColor, weekHue, type Hemisphere } from '#contract/rules/week-colour.ts';
import type { TrackDetail } from '#contract/tracks.ts';
import { DISPLAY_FONT, pageFonts, TEXT_FONT } from '../../http/pages/page-fonts.ts';
import { escapeHtml } from '../../http/send/escape-html.ts';
import { hashSource } from '../../http/send/security-headers.ts';
import { drawNumeral } from '../public-pages/service.ts';
import { embedScript } from './embed-script.ts';

/** The colours of the track page’s stage, in both themes. */
function buildColors(
  week: number,
  hemisphere: Hemisphere,
  theme: Exclude<EmbedTheme, 'auto'>,
): string {
  const hue = weekHue(week, hemisphere);
  const { hex: signal } = weekColor(week, hemisphere);
  const ink = oklchToHex(0.18, 0.03, hue);
  const colors =
    theme === 'dark'
      ? {
          bg: oklchToHex(0.2, 0.019, hue),
          text: oklchToHex(0.955, 0.014, 85),
          quiet: oklchToHex(0.8, 0.014, 80),
          mark: signal,
          rest: oklchToHex(0.54, 0.062, hue),
          play: signal,
          'on-play': ink,
        }
      : {
          bg: signal,
          text: ink,
          quiet: oklchToHex(0.27, 0.045, hue),
          mark: ink,
          rest: oklchToHex(0.4, 0.075, hue),
          play: oklchToHex(0.205, 0.012, 62),
          'on-play': signal,
        };
  const list = Object.entries(colors).map(([name, color]) => `--${name}:${color}`);
  return `color-scheme:${theme};${list.join(';')}`;
}

function buildThemes(week: number, hemisphere: Hemisphere, theme: EmbedTheme): string {
  if (theme !== 'auto') return `:root{${buildColors(week, hemisphere, theme)}}`;
  const light = `@media(prefers-color-scheme:light){:root{${buildColors(week, hemisphere, 'light')}}}`;
  return `:root{${buildColors(week, hemisphere, 'dark')}}${light}`;
}

const shared = `
${pageFonts}
*{box-sizing:border-box;margin:0}
[hidden]{display:none!important}
html,body{height:100%}
body{display:flex;overflow:hidden;background:var(--bg);color:var(--text);font:13px/1.3 ${TEXT_FONT}}
a{color:inherit;text-underline-offset:3px}
:focus-visible{outline:2px solid var(--text);outline-offset:2px}
h1,.line{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
h1{font:680 18px/1.15 ${DISPLAY_FONT};font-stretch:62%}
`;

const playerStyle = `
.cover{flex:none;height:100%;width:auto;aspect-ratio:1;max-width:36vw;object-fit:cover}
main{flex:1;min-width:0;display:flex;flex-direction:column;gap:4px;padding:8px 12px}
header,footer{display:flex;align-items:center;gap:10px}
header div{min-width:0}
footer{justify-content:space-between;font-size:12px}
.line,.time{color:var(--quiet)}
.time{white-space:nowrap;font-variant-numeric:tabular-nums}
footer a{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;font-weight:600}
[data-ended] footer a{text-decoration-thickness:2px}
button{flex:none;width:44px;height:44px;padding:0;border:0;border-radius:50%;background:var(--play);color:var(--on-play);cursor:pointer}
button svg{display:block;width:20px;margin:auto;fill:currentColor}
.off,[data-playing] .on{display:none}
[data-playing] .off{display:block}
.wave{flex:1;min-height:0;position:relative}
.wave svg{position:absolute;width:100%;height:100%;fill:none;stroke:var(--rest);stroke-width:3}
.wave .heard{stroke:var(--mark)}
.wide,.numeral{display:none}
.numeral{flex:none;align-self:center;height:min(72%,110px);margin-right:18px;fill:var(--mark)}
input{appearance:none;width:100%;height:16px;margin:0;background:none;cursor:pointer}
input::-webkit-slider-runnable-track{height:4px;border-radius:2px;background:linear-gradient(90deg,var(--mark) var(--played,0%),var(--rest) 0)}
input::-moz-range-track{height:4px;border-radius:2px;background:linear-gradient(90deg,var(--mark) var(--played,0%),var(--rest) 0)}
input::-webkit-slider-thumb{appearance:none;width:12px;height:12px;margin-top:-4px;border-radius:50%;background:var(--text)}
input::-moz-range-thumb{width:12px;height:12px;border:0;border-radius:50%;background:var(--text)}
noscript audio{width:100%;height:32px}
@media(min-height:150px){main{gap:7px;padding:12px 16px}h1{font-size:21px}footer{font-size:13px}}
@media(max-width:419px){.cover{max-width:26vw}.time{display:none}main h1{font-size:17px}main footer{font-size:12px}}
@media(max-width:419px) and (min-height:150px){main h1{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;white-space:normal}}
@media(max-width:239px){.cover{display:none}}
@media(max-height:99px){input{display:none}}
@media(min-width:520px){.wide{display:block}.narrow{display:none}}
@media(min-width:640px){.numeral{display:block}h1{font-size:25px}}
`;

/** A mix of an hour has so many bars that they are still apart on the screen. */
const BARS = { narrow: 56, wide: 150 };

/** The whole mix, with the part that can be heard here. */
function drawWave(
  { duration, previewStart }: TrackDetail,
  peaks: readonly number[],
  kind: keyof typeof BARS,
): string {
  const count = BARS[kind];
  const bars = resamplePeaks(peaks, count);
  const seconds = Math.min(duration, PREVIEW_SECONDS);
  const { from, to } = placePreview({ from: previewStart, seconds }, duration || 1, count);
  const rest = drawBars(bars, 0, from) + drawBars(bars, to, count);
  return `<svg class="${kind}" viewBox="${frameBars(count)}" preserveAspectRatio="none"><path d="${rest}"/><path class="heard" d="${drawBars(bars, from, to)}"/></svg>`;
}

export type EmbedPage = { html: string; policy: string };

type Site = SiteLook & {
  origin: string;
  /** Where the preview is, if we redirect to it. */
  store: string | undefined;
};

function buildDocument(title: string, style: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style></head>
<body>${body}</body></html>
`;
}

/**
 * Any page may frame this, so it can do nothing: its origin is nobody's, so it has no cookies and no
 * storage, and it can load a cover and a preview. The origin is named because some browsers don't
 * take `self` for ours in a sandbox. No `frame-ancestors`: even `*` would keep out pages without an
 * origin, such as local files and sandboxed ones.
 */
function buildPolicy(style: string, { origin, store }: Pick<Site, 'origin' | 'store'>): string {
  return [
    "default-src 'none'",
    `script-src ${hashSource(embedScript)}`,
    `style-src ${hashSource(style)}`,
    `font-src 'self' ${origin}`,
    `img-src 'self' ${origin}`,
    `media-src 'self' ${[origin, ...(store ? [store] : [])].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
  ].join('; ');
}

/** The player of a track's preview, as visitors may hear it. */
export function buildEmbedPage(
  track: TrackDetail,
  peaks: readonly number[],
  site: Site,
  theme: EmbedTheme,
): EmbedPage {
  if (track.access !== 'preview') throw new Error('An embed plays what visitors may hear.');
  const { id, title, weekNumber: week, year, genre, duration, coverUrl, fileUrl } = track;
  const style = buildThemes(week, site.sleeves.hemisphere, theme) + shared + playerStyle;
  const cover = escapeHtml(coverUrl ?? sleevePath(sleeveName(site.sleeves, week, id)));
  const audio = escapeHtml(fileUrl);
  const artists = (track.artists ?? []).map(({ name }) => name).join(', ');
  const facts = [artists, `Week ${week}, ${year}`, genre, formatDuration(duration)].filter(Boolean);
  const seconds = Math.min(duration, PREVIEW_SECONDS);
  const body = `
<img class="cover" src="${cover}" alt="" width="160" height="160">
<main>
<header><button id="play" type="button" aria-label="Play preview" hidden><svg viewBox="0 0 24 24" aria-hidden="true"><path class="on" d="M7 4v16l13-8z"/><path class="off" d="M6 4h4v16H6zm8 0h4v16h-4z"/></svg></button>
<div><h1>${escapeHtml(title)}</h1><p class="line" id="note" role="status">${escapeHtml(facts.join(' · '))}</p></div></header>
<div class="wave" aria-hidden="true">${drawWave(track, peaks, 'narrow')}${drawWave(track, peaks, 'wide')}</div>
<input id="seek" type="range" min="0" max="${seconds}" step="0.1" value="0" aria-label="Position in the preview" hidden>
<footer><a href="/track/${escapeHtml(encodeURIComponent(id))}" target="_blank" rel="noopener">Hear it all on ${escapeHtml(site.siteName)}</a><span class="time" id="time" aria-hidden="true" hidden></span></footer>
<audio id="audio" preload="none" src="${audio}"></audio>
<noscript><audio controls preload="none" src="${audio}"></audio></noscript>
</main>
${drawNumeral(week, 'numeral')}
<script>${embedScript}</script>`;
  const html = buildDocument(`${title} · ${site.siteName}`, style, body);
  return { html, policy: buildPolicy(style, site) };
}

const missingStyle = `
:root{color-scheme:dark;--bg:#120e0a;--text:#f4eee4}
@media(prefers-color-scheme:light){:root{color-scheme:light;--bg:#f5f1e9;--text:#1b1613}}
${shared}
main{margin:auto;padding:12px 16px;text-align:center}
h1{margin-bottom:6px;white-space:normal}
`;

/** The same for every track that visitors may not hear, whether it exists or not. */
export function buildMissingEmbed(site: Site): EmbedPage {
  const link = `<a href="/" target="_blank" rel="noopener">Go to ${escapeHtml(site.siteName)}</a>`;
  const body = `<main><h1>This mix isn’t available</h1><p>${link}</p></main>`;
  const html = buildDocument(`Not found · ${site.siteName}`, missingStyle, body);
  return { html, policy: buildPolicy(missingStyle, site) };
}
