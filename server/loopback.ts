import { isIPv4 } from 'node:net';

/** Turns an IPv4-mapped IPv6 address into plain IPv4. */
export const unmapAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

export function isLoopback(address: string): boolean {
  const plain = unmapAddress(address);
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
}

/** For a host as in a URL: a name or an address, IPv6 in brackets. */
export const isLoopbackName = (host: string): boolean =>
  host === 'localhost' || isLoopback(host.replace(/^\[|\]$/g, ''));
