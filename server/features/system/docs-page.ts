import { errorStatus } from '#contract/errors.ts';
import type { RouteSpec } from '#contract/route.ts';
import { DISPLAY_FONT, pageFonts, TEXT_FONT } from '../../http/pages/page-fonts.ts';
import { escapeHtml } from '../../http/send/escape-html.ts';
import { hashSource } from '../../http/send/security-headers.ts';
import { buildOpenApi, listErrorCodes, type ApiSite } from './openapi.ts';

type Schema = {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minLength?: number;
  maxLength?: number;
};
type Operation = {
  parameters?: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
};

function describeType(schema: Schema): string {
  if (schema.enum) return schema.enum.map(String).join(' or ');
  if (schema.anyOf) return schema.anyOf.map(describeType).join(' or ');
  if (schema.items) return `list of ${describeType(schema.items)}`;
  const length = [
    schema.minLength === undefined ? '' : `at least ${schema.minLength}`,
    schema.maxLength === undefined ? '' : `at most ${schema.maxLength}`,
  ].filter(Boolean);
  const type = [schema.type ?? 'any'].flat().join(' or ');
  return length.length > 0 ? `${type}, ${length.join(', ')} characters` : type;
}

type Field = { name: string; type: string; note: string };

function listFields(schema: Schema, prefix = ''): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    {
      name: prefix + name,
      type: describeType(field),
      note: schema.required?.includes(name) ? '' : 'optional',
    },
    ...listFields(field.items ?? field, `${prefix}${name}${field.items ? '[]' : ''}.`),
  ]);
}

function renderFields(title: string, fields: readonly Field[]): string {
  if (fields.length === 0) return '';
  const rows = fields.map(
    ({ name, type, note }) =>
      `<tr><th scope="row"><code>${escapeHtml(name)}</code></th><td>${escapeHtml(type)}${note ? ` <em>${note}</em>` : ''}</td></tr>`,
  );
  return `<h3>${title}</h3><table>${rows.join('')}</table>`;
}

function renderRoute(key: string, spec: RouteSpec, operation: Operation): string {
  const [method = '', path = ''] = key.split(' ');
  const parameters = (operation.parameters ?? []).map((p) => ({
    name: p.name,
    type: describeType(p.schema),
    note: p.in === 'path' ? 'in the path' : p.required ? 'in the query' : 'optional, in the query',
  }));
  const body = operation.requestBody?.content['application/json']?.schema;
  const image = spec.body === 'image' ? '<p>The body is the bytes of the image.</p>' : '';
  const answer = operation.responses['200']?.content?.['application/json']?.schema;
  const codes = listErrorCodes(method, path, spec)
    .map((code) => `<li><code>${code}</code> ${errorStatus[code]}</li>`)
    .join('');
  return `<section aria-labelledby="${toAnchor(key)}">
<h2 id="${toAnchor(key)}"><span class="method">${method}</span> <code>${escapeHtml(path)}</code></h2>
<p>${escapeHtml(spec.summary)}</p>${image}
${renderFields('Parameters', parameters)}${renderFields('Body', body ? listFields(body) : [])}
${answer ? renderFields('Returns 200 with', listFields(answer)) : `<h3>${spec.response ? 'Returns 200 with a file' : 'Returns 204 without a body'}</h3>`}
<h3>Errors</h3><ul class="codes">${codes}</ul>
</section>`;
}

const toAnchor = (key: string) => key.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** Needs no scripts, fonts or other hosts. */
export function renderDocs(
  api: Record<string, RouteSpec>,
  info: ApiSite,
): { html: string; policy: string } {
  const { paths } = buildOpenApi(api, info) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const routes = Object.entries(api).map(([key, spec]) => {
    const [method = '', url = ''] = key.split(' ');
    const operation = paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
    return operation ? renderRoute(key, spec, operation) : '';
  });
  const contents = Object.keys(api).map(
    (key) => `<li><a href="#${toAnchor(key)}"><code>${escapeHtml(key)}</code></a></li>`,
  );
  const title = `${escapeHtml(info.title)} API`;
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark">
<title>${title}</title><style>${docsStyle}</style></head>
<body><header><h1>${title}</h1><p>Version ${escapeHtml(info.version)}. Also as <a href="/api/openapi.json">OpenAPI 3.1</a>.</p>
<p>Errors return <code>{ code, message, fields? }</code>: a code for programs and a message for people.</p></header>
<main><nav aria-label="Routes"><ul>${contents.join('')}</ul></nav>
${routes.join('\n')}
</main></body></html>`;
  const policy = `default-src 'none'; style-src ${hashSource(docsStyle)}; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { html, policy };
}

/** The product's colors and shapes; the page can't link the style sheet, whose name changes. */
const docsStyle = `
${pageFonts}
:root{color-scheme:dark;--bg:oklch(0.158 0.008 62);--surface:oklch(0.187 0.009 62);--line:oklch(0.292 0.012 62);--text:oklch(0.955 0.014 85);--text-2:oklch(0.815 0.014 80);--text-3:oklch(0.695 0.014 75)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:56rem;padding:24px 16px 96px;background:var(--bg);color:var(--text);font:16px/1.5 ${TEXT_FONT}}
h1{font:680 3rem/1 ${DISPLAY_FONT};font-stretch:60%;margin:16px 0}
h2{font-size:1.125rem;margin:0 0 8px;overflow-wrap:anywhere}
h3{font-size:.8125rem;font-weight:600;color:var(--text-3);margin:16px 0 4px}
p{margin:0 0 8px;color:var(--text-2)}
a{color:var(--text)}
a:focus-visible{outline:2px solid var(--text);outline-offset:3px}
code{font-family:ui-monospace,monospace;font-size:.9em;overflow-wrap:anywhere}
nav ul{list-style:none;margin:24px 0;padding:0}
nav a{display:block;padding:10px 0;border-bottom:1px solid var(--line)}
section{margin:24px 0;padding:16px;background:var(--surface);border:1px solid var(--line);border-radius:6px;scroll-margin-top:16px}
.method{display:inline-block;min-width:4em;color:var(--text-3);font-weight:600}
table{width:100%;border-collapse:collapse;font-size:.875rem}
th,td{text-align:left;vertical-align:top;padding:6px 12px 6px 0;border-top:1px solid var(--line)}
th{width:40%;font-weight:400}
td,em{color:var(--text-2)}
.codes{display:flex;flex-wrap:wrap;gap:4px 16px;list-style:none;margin:0;padding:0;font-size:.875rem;color:var(--text-2)}
`;
