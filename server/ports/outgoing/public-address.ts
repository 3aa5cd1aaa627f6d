import { BlockList, isIPv6 } from 'node:net';
import { unmapAddress } from '../../loopback.ts';

/** What isn't on the internet, from the registries of special addresses (RFC 6890 and later). */
const SPECIAL_V4: readonly [network: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** Everything outside the addresses that are given out (2000::/3), and parts of those. */
const SPECIAL_V6: readonly [network: string, bits: number][] = [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  // Tunnels and translation: the real address is inside.
  ['2002::', 16],
  ['3fff::', 20],
];

/** Two lists, because one compares IPv4 addresses with its IPv6 networks too. */
const specialV4 = new BlockList();
const specialV6 = new BlockList();
for (const [network, bits] of SPECIAL_V4) specialV4.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of SPECIAL_V6) specialV6.addSubnet(network, bits, 'ipv6');

/** Whether an address is on the internet, and not in a network that only this server reaches. */
export function isPublicAddress(address: string): boolean {
  const plain = unmapAddress(address);
  return isIPv6(plain) ? !specialV6.check(plain, 'ipv6') : !specialV4.check(plain, 'ipv4');
}
