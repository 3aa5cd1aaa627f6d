import { escapeHtml } from '../../http/escape-html.ts';
import { hashSource } from '../../http/security-headers.ts';

export const BASIC_UPLOAD_PATH = '/api/admin/basic-upload';

const style = `
:root { color-scheme: dark light; --bg: oklch(0.158 0.008 62); --text: oklch(0.955 0.014 85); --quiet: oklch(0.815 0.014 80); --line: oklch(0.5 0.01 70); }
@media (prefers-color-scheme: light) { :root { --bg: oklch(0.962 0.012 85); --text: oklch(0.205 0.012 62); --quiet: oklch(0.37 0.014 65); } }
body { margin: 0; padding: 32px 24px; background: var(--bg); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
.basic { max-width: 34rem; margin: 0 auto; }
.basic h1 { font-size: 34px; line-height: 1.1; margin: 0 0 12px; }
.basic p { margin: 0 0 20px; color: var(--quiet); }
.basic a { color: inherit; text-underline-offset: 4px; }
.basic label { display: block; margin: 0 0 16px; font-weight: 600; }
.basic input, .basic textarea, .basic select { display: block; width: 100%; box-sizing: border-box; margin-top: 6px; padding: 10px 12px; font: inherit; font-weight: 400; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 6px; }
.basic option { color: #111; background: #fff; }
.basic button { font: inherit; font-weight: 600; min-height: 44px; padding: 0 22px; border: 0; border-radius: 999px; background: var(--text); color: var(--bg); cursor: pointer; }
`;

export const basicUploadPolicy = `default-src 'none'; style-src ${hashSource(style)}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

/** The file is the last field, so that invalid fields are refused before it is uploaded. */
const form = `<main class="basic"><h1>Basic upload</h1>
<p>A simple form for one file, for browsers without JavaScript. If the connection is lost, you have to start again. For large files use <a href="/admin/upload">Upload</a>, which can resume.</p>
<form method="post" action="${BASIC_UPLOAD_PATH}" enctype="multipart/form-data">
<label>Title <input name="title" maxlength="120"></label>
<label>Week <input name="week" inputmode="numeric"></label>
<label>Year <input name="year" inputmode="numeric"></label>
<label>Genre <input name="genre" maxlength="60"></label>
<label>Description <textarea name="description" rows="4"></textarea></label>
<label>Tracklist, one track with its time per line <textarea name="tracklist" rows="6"></textarea></label>
<label>Release <select name="release"><option value="draft">Keep as a draft</option><option value="now">Publish when ready</option></select></label>
<label>Audio file <input type="file" name="file" required></label>
<button>Upload</button>
</form></main>`;

/** For the page of the web app in browsers without JavaScript. It contains nothing secret. */
export const basicUploadForm = `<style>${style}</style>${form}`;

type UploadResult = { siteName: string; title: string; sentences: readonly string[] };

export function renderUploadResult({ siteName, title, sentences }: UploadResult): string {
  const lines = sentences.map((sentence) => `<p>${escapeHtml(sentence)}</p>`).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · ${escapeHtml(siteName)}</title><style>${style}</style></head>
<body><main class="basic"><h1>${escapeHtml(title)}</h1>
${lines}
<p><a href="/admin/upload-old">Upload another file</a></p></main></body></html>`;
}
