import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendJson } from '../../http/send-json.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import type { AppError } from '../../http/app-error.ts';
import { resetHeaders } from '../../http/error-handler.ts';
import { findStatus, findSubsonicCode } from './errors.ts';

type Scalar = string | number | boolean;
/** Part of an answer: attributes and elements. What is undefined is left out. */
export type Part = {
  readonly [name: string]: Scalar | Part | readonly (Scalar | Part)[] | undefined;
};

/** XML can't contain these, not even escaped. */
const INVALID = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu;
const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

const escapeXml = (value: Scalar): string =>
  String(value)
    .toWellFormed()
    .replaceAll(INVALID, '')
    .replaceAll(/[&<>"'\n\r\t]/g, (letter) => ESCAPES[letter] ?? '');

/** Values are attributes, `value` is the text, and everything else is an element. */
function toElement(name: string, part: Scalar | Part): string {
  if (typeof part !== 'object') return `<${name}>${escapeXml(part)}</${name}>`;
  let attributes = '';
  let content = '';
  for (const [key, value] of Object.entries(part)) {
    if (value === undefined) continue;
    if (Array.isArray(value))
      for (const item of value as readonly (Scalar | Part)[]) content += toElement(key, item);
    else if (typeof value === 'object') content += toElement(key, value as Part);
    else if (key === 'value') content += escapeXml(value);
    else attributes += ` ${key}="${escapeXml(value)}"`;
  }
  return content === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${content}</${name}>`;
}

const ROOT = 'subsonic-response';

const SERVER = {
  version: '1.16.1',
  type: 'weekender',
  serverVersion: packageJson.version,
  openSubsonic: true,
};

export type Format = 'xml' | 'json';

/** JSONP would run in other people's pages; those that want it get JSON. */
export const pickFormat = (f: string | undefined): Format =>
  f === 'json' || f === 'jsonp' ? 'json' : 'xml';

export function formatAnswer(format: Format, answer: Part): string {
  if (format === 'json') return JSON.stringify({ [ROOT]: answer });
  const root = { xmlns: 'http://subsonic.org/restapi', ...answer };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${toElement(ROOT, root)}`;
}

const mediaTypes: Record<Format, string> = {
  json: 'application/json; charset=utf-8',
  xml: 'text/xml; charset=utf-8',
};

export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  format: Format,
  content: Part,
) {
  reply.header('cache-control', 'no-store');
  const text = formatAnswer(format, { status: 'ok', ...SERVER, ...content });
  return sendJson(request, reply, text, mediaTypes[format]);
}

export function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  format: Format,
  error: AppError,
) {
  const failure = { code: findSubsonicCode(error), message: error.message };
  const text = formatAnswer(format, { status: 'failed', ...SERVER, error: failure });
  resetHeaders(reply, error);
  reply.code(findStatus(error));
  return sendJson(request, reply, text, mediaTypes[format]);
}
