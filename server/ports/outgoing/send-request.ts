import { PRODUCT_NAME } from '../../env-settings.ts';
import { lookup as lookUpName, type LookupAddress } from 'node:dns';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** The answers that we ask for have a few hundred bytes. */
const MAX_ANSWER_BYTES = 256 * 1024;

export type OutgoingRequest = {
  method: 'GET' | 'POST';
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  timeoutMs: number;
  signal?: AbortSignal;
  /** Lets the request into private networks, also without encryption. Only for addresses we trust. */
  allowsPrivate: boolean;
};

export type OutgoingAnswer = { status: number; headers: IncomingHttpHeaders; text: string };

/** The address is one that this server doesn't send requests to. */
export class ForbiddenAddressError extends Error {
  override name = 'ForbiddenAddressError';
}

/** The problem with an address that someone typed in, or null. Where its name leads is checked later. */
export function findAddressProblem(url: string, allowsPrivate: boolean): string | null {
  const parsed = URL.parse(url);
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol))
    return 'Enter an address that starts with https://.';
  if (parsed.protocol === 'http:' && !allowsPrivate)
    return 'The address must start with https://, so that nobody can read your token.';
  if (parsed.username || parsed.password) return 'Enter the address without a user name.';
  const host = parsed.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) && !isPublicAddress(host) && !allowsPrivate)
    return 'This address is in a private network, which this site can’t reach.';
  return null;
}

/**
 * Checks the address that the connection really uses: a name could lead somewhere else a moment after
 * it was checked.
 */
const lookUpPublic: LookupFunction = (name, options, callback) => {
  lookUpName(name, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error) return callback(error, '');
    const addresses = found.filter(({ address }) => isPublicAddress(address));
    const [first] = addresses;
    if (!first) return callback(new ForbiddenAddressError(`${name} is in a private network.`), '');
    if (options.all) return callback(null, addresses);
    return callback(null, first.address, first.family);
  });
};

/**
 * Sends a request to an address that a user chose. It can't be made to reach this server's own network
 * or to follow a redirect into it. Rejects if there is no answer in time.
 */
export async function sendRequest(request: OutgoingRequest): Promise<OutgoingAnswer> {
  const { method, url, headers, body, timeoutMs, signal, allowsPrivate } = request;
  const problem = findAddressProblem(url, allowsPrivate);
  if (problem) throw new ForbiddenAddressError(problem);
  const timeout = AbortSignal.timeout(timeoutMs);
  const options = {
    method,
    headers: {
      'user-agent': PRODUCT_NAME,
      ...headers,
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    },
    // No connection is kept: the next one goes to another server, or much later.
    agent: false as const,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    ...(!allowsPrivate && { lookup: lookUpPublic }),
  };
  // Loaded when it is used: importing `node:http` also loads the large client behind `fetch`.
  const { request: send } = url.startsWith('https:')
    ? await import('node:https')
    : await import('node:http');
  return new Promise((resolve, reject) => {
    const outgoing = send(url, options, (response) => {
      const parts: Buffer[] = [];
      let size = 0;
      response.on('data', (part: Buffer) => {
        size += part.length;
        if (size > MAX_ANSWER_BYTES) response.destroy(new Error('The answer is too long.'));
        else parts.push(part);
      });
      response.once('error', reject);
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString('utf8'),
        }),
      );
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
