import { isIPv4 } from 'node:net';

/** An IPv4 address as a socket that speaks both families writes it. */
export const unmapAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

export function isLoopback(address: string): boolean {
  const plain = unmapAddress(address);
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
}

/** A host as an address bar has it: a name or an address, IPv6 in brackets. */
export const isLoopbackName = (host: string): boolean =>
  host === 'localhost' || isLoopback(host.replace(/^\[|\]$/g, ''));
