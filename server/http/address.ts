import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { isLoopback, isLoopbackName, unmapAddress } from '../loopback.ts';

/** One household has a whole /64 of IPv6 addresses, so rate limits count it as one address. */
export function toRateLimitAddress(address: string): string {
  const plain = unmapAddress(address);
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
 * Whether a request comes from this machine, without a proxy, and under a loopback name: a website
 * could point its own name at 127.0.0.1.
 */
export function isLocalRequest(request: FastifyRequest): boolean {
  const name = (request.headers.host ?? '').replace(/:\d+$/, '');
  return (
    isLoopback(request.socket.remoteAddress ?? '') &&
    forwardingHeaders.every((header) => request.headers[header] === undefined) &&
    isLoopbackName(name)
  );
}

/** The origin under which this machine reaches a server bound to this address. */
export function toOrigin(address: string, port: number): string {
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}`;
}
