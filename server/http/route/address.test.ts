import { expect, it } from 'vitest';
import { toNetworks, toOrigin, toRateLimitAddress } from './address.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('counts %s as %s', (address, counted) => {
  expect(toRateLimitAddress(address)).toBe(counted);
});

it.each([
  ['203.0.113.7', '203.0.113.0/24', null],
  ['::ffff:203.0.113.7', '203.0.113.0/24', null],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
])('%s is in the network %s', (address, network, wideNetwork) => {
  expect(toNetworks(address)).toEqual({ network, wideNetwork });
});

it.each([
  ['127.0.0.1', 'http://127.0.0.1:3000'],
  ['192.0.2.7', 'http://192.0.2.7:3000'],
  ['::1', 'http://[::1]:3000'],
  ['localhost', 'http://localhost:3000'],
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['::', 'http://127.0.0.1:3000'],
])('a server bound to %s is at %s', (address, origin) => {
  expect(toOrigin(address, 3000)).toBe(origin);
});
