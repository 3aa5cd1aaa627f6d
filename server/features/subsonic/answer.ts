import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendJson } from '../../http/send/send-json.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import type { AppError } from '../../http/route/app-error.ts';
import { resetHeaders } from '../../http/route/error-handler.ts';
import { findStatus, findSubsonicCode } from './errors.ts';

type Scalar = string | number | boolean;
/** Part of an answer: attributes and elements. What is undefined is left out. */
export type Part = {
  readonly [name: string]: Scalar | Part | readonly (Scalar | Part)[] | undefined;
};

const ROOT = 'subsonic-response';

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

/** In XML these are elements with a text. */
const TEXTS = new Set(['biography', 'notes']);
/**
 * Elements that OpenSubsonic added to those of the original protocol. Some apps take every element for
 * what the original has in that place, as Clementine does with the songs of an album. The answers
 * `artists` and `genres` are the original's own.
 */
const ADDED = new Set(['artists', 'albumArtists', 'genres', 'releaseDate', 'roles']);

const listValues = (value: Part[string]): readonly (Scalar | Part)[] =>
  (Array.isArray(value) ? value : [value]) as readonly (Scalar | Part)[];

/** Values are attributes, `value` is the text, and everything else is an element; the added ones come last. */
function toElement(name: string, part: Scalar | Part, additions: 'last' | 'none'): string {
  if (typeof part !== 'object') return `<${name}>${escapeXml(part)}</${name}>`;
  let attributes = '';
  let content = '';
  let added = '';
  for (const [key, value] of Object.entries(part)) {
    if (value === undefined) continue;
    const isElement = typeof value === 'object' || TEXTS.has(key);
    if (!isElement && key === 'value') content += escapeXml(value);
    else if (!isElement) attributes += ` ${key}="${escapeXml(value)}"`;
    else {
      const elements = listValues(value).map((item) => toElement(key, item, additions));
      if (name === ROOT || !ADDED.has(key)) content += elements.join('');
      else if (additions === 'last') added += elements.join('');
    }
  }
  content += added;
  return content === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${content}</${name}>`;
}

const SERVER = {
  version: '1.16.1',
  type: 'weekender',
  serverVersion: packageJson.version,
  openSubsonic: true,
};

/** `old xml` is for apps that know no version with OpenSubsonic’s additions. */
export type Format = 'xml' | 'old xml' | 'json';

/** OpenSubsonic builds on 1.16, the last version of the original protocol. */
export const isOldVersion = (version = ''): boolean => {
  const [, major = '', minor = ''] = /^(\d{1,3})\.(\d{1,3})(?:\.|$)/.exec(version) ?? [];
  return major !== '' && (Number(major) < 1 || (major === '1' && Number(minor) < 16));
};

/** JSONP would run in other people's pages; those that want it get JSON. */
export function pickFormat(f: string | undefined, version?: string): Format {
  if (f === 'json' || f === 'jsonp') return 'json';
  return isOldVersion(version) ? 'old xml' : 'xml';
}

export function formatAnswer(format: Format, answer: Part): string {
  if (format === 'json') return JSON.stringify({ [ROOT]: answer });
  const root = { xmlns: 'http://subsonic.org/restapi', ...answer };
  const element = toElement(ROOT, root, format === 'xml' ? 'last' : 'none');
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element}`;
}

const mediaTypeOf = (format: Format): string =>
  format === 'json' ? 'application/json; charset=utf-8' : 'text/xml; charset=utf-8';

export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  format: Format,
  content: Part,
) {
  reply.header('cache-control', 'no-store');
  const text = formatAnswer(format, { status: 'ok', ...SERVER, ...content });
  return sendJson(request, reply, text, mediaTypeOf(format));
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
  return sendJson(request, reply, text, mediaTypeOf(format));
}
