import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { isSecure, type Config } from '../../config.ts';

export const hashSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Inline scripts; data blocks and linked scripts need no hash. */
export function findInlineScripts(html: string): string[] {
  return [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)]
    .filter(([, attributes = '']) => !/\bsrc=|application\/(?:ld\+)?json/.test(attributes))
    .map(([, , text = '']) => text);
}

export function pagePolicy(
  html: string,
  config: Pick<Config, 'authOrigin' | 'mixpanel' | 's3' | 'cdnUrl'>,
): string {
  const scripts = ["'self'", ...findInlineScripts(html).map(hashSource)].join(' ');
  // Browsers follow our redirects to files in the store, and to the CDN.
  const store = config.s3 ? ` ${config.s3.endpoint}` : '';
  const audio = (config.cdnUrl ? ` ${config.cdnUrl}` : '') + store;
  const hosts = ["'self'", config.authOrigin, config.mixpanel?.isInstead && config.mixpanel.host];
  const calls = hosts.filter(Boolean).join(' ') + audio;
  return [
    "default-src 'self'",
    `script-src ${scripts}`,
    // Positions and colors that depend on data are style attributes.
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob:${store}`,
    `media-src 'self' blob:${audio}`,
    `connect-src ${calls}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

const YEAR = 'max-age=31536000';
/** Browsers keep it for a year, so nothing but a setting speaks for other names than our own. */
const HSTS = {
  on: { 'strict-transport-security': YEAR },
  subdomains: { 'strict-transport-security': `${YEAR}; includeSubDomains` },
  off: {},
};

/** Every answer has the strictest policy, unless a page sets its own. */
export function securityHeaders(config: Config): Record<string, string> {
  return {
    'content-security-policy': apiPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin',
    ...(isSecure(config) && HSTS[config.hsts]),
  };
}

export function addSecurityHeaders(app: FastifyInstance, config: Config) {
  const common = securityHeaders(config);
  // These two are about pages. A first page loads a dozen files, and every byte of them counts.
  const {
    'permissions-policy': _features,
    'cross-origin-opener-policy': _opener,
    ...ofFiles
  } = common;
  app.addHook('onRequest', (request, reply, done) => {
    const headers = request.url.startsWith('/assets/') ? ofFiles : common;
    reply.headers(headers).header('x-request-id', request.id);
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store');
    done();
  });
}
