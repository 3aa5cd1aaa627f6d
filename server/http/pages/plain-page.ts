import type { FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from '../send/escape-html.ts';
import { DISPLAY_FONT, pageFonts, TEXT_FONT } from './page-fonts.ts';
import { hashSource } from '../send/security-headers.ts';

const style = `
:root{color-scheme:dark;--bg:oklch(0.158 0.008 62);--surface:oklch(0.187 0.009 62);--line-strong:oklch(0.535 0.014 70);--text:oklch(0.955 0.014 85);--text-2:oklch(0.815 0.014 80);--text-3:oklch(0.695 0.014 75);--action:oklch(0.945 0.020 85);--on-action:oklch(0.185 0.010 62);--danger:oklch(0.735 0.155 25)}
@media (prefers-color-scheme:light){:root{color-scheme:light;--bg:oklch(0.962 0.012 85);--surface:oklch(0.982 0.008 85);--line-strong:oklch(0.600 0.016 75);--text:oklch(0.205 0.012 62);--text-2:oklch(0.370 0.014 65);--text-3:oklch(0.465 0.014 68);--action:oklch(0.205 0.012 62);--on-action:oklch(0.975 0.010 85);--danger:oklch(0.500 0.180 27)}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-content:center;padding:24px 16px;background:var(--bg);color:var(--text);font:16px/1.5 ${TEXT_FONT}}
main{width:min(420px,calc(100vw - 32px))}
h1{font:680 48px/0.95 ${DISPLAY_FONT};font-stretch:60%;margin:0 0 16px;overflow-wrap:anywhere}
p{margin:0 0 28px;color:var(--text-2);overflow-wrap:anywhere}
p+p{margin-top:-12px}
a{color:inherit;text-underline-offset:4px}
label{display:block;font-weight:500;margin:0 0 6px}
input{width:100%;min-height:48px;padding:0 14px;font:inherit;color:var(--text);background:var(--surface);border:1px solid var(--line-strong);border-radius:10px}
input[aria-invalid]{border-color:var(--danger)}
small{display:block;margin:6px 0 20px;font-size:13px;color:var(--text-3)}
small.problem{color:var(--danger);font-weight:600}
button{font:inherit;font-weight:600;width:100%;min-height:52px;border:0;border-radius:999px;background:var(--action);color:var(--on-action);cursor:pointer}
ul{list-style:none;margin:0 0 28px;padding:0;display:grid;gap:10px}
li a{display:grid;place-content:center;min-height:48px;border:1px solid var(--line-strong);border-radius:999px;font-weight:600;text-decoration:none}
code{display:block;overflow-wrap:anywhere;user-select:all;font-size:14px;color:var(--text-2)}
:focus-visible{outline:2px solid var(--action);outline-offset:3px}
`;

const policy = `default-src 'none'; style-src ${hashSource(pageFonts)} ${hashSource(style)}; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

export type PlainPage = {
  siteName: string;
  title: string;
  /** Instead of the title. */
  heading?: string;
  /** HTML below the heading. */
  body: string;
  /** It opens again after this time, also without scripts, and until then asks for no other file. */
  retryAfterSeconds?: number;
};

const render = ({
  siteName,
  title,
  heading = title,
  body,
  retryAfterSeconds,
}: PlainPage): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${retryAfterSeconds === undefined ? `<style>${pageFonts}</style>` : `<meta http-equiv="refresh" content="${retryAfterSeconds}">`}
<title>${escapeHtml(title)} · ${escapeHtml(siteName)}</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(heading)}</h1>
${body}</main></body></html>`;

/** A page outside the web app, which needs no script, and of files only fonts and the site’s icon. */
export const sendPlainPage = (reply: FastifyReply, page: PlainPage) =>
  reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
    })
    .send(render(page));

/** A browser will show the answer as a page: someone opened an address, or sent a form without scripts. */
export function isShownAsPage({ method, headers }: FastifyRequest): boolean {
  const mode = headers['sec-fetch-mode'];
  if (mode !== undefined) return mode === 'navigate';
  // An old browser. Programs that read addresses may say the same, but they send no forms.
  return method === 'POST' && (headers.accept?.includes('text/html') ?? false);
}
