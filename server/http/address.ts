import { isIPv4, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

const withoutMapping = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');

export function isLoopback(address: string): boolean {
  const plain = withoutMapping(address);
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
}

/** One household holds a whole /64 of IPv6 addresses, so limits count that as one. */
export function limitAddress(address: string): string {
  const plain = withoutMapping(address);
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.toLowerCase().replace(/%.*$/, '').split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const left = groups(head);
  const right = groups(tail ?? '');
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const all = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

const forwardingHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * From this very machine, without a proxy in between, and under a loopback name: a page on the
 * internet that points its own name at 127.0.0.1 does not count.
 */
export function isLocalRequest(request: FastifyRequest): boolean {
  const name = (request.headers.host ?? '').replace(/:\d+$/, '');
  return (
    isLoopback(request.socket.remoteAddress ?? '') &&
    forwardingHeaders.every((header) => request.headers[header] === undefined) &&
    (name === 'localhost' || isLoopback(name.replace(/^\[|\]$/g, '')))
  );
}
