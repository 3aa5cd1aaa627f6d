import { expect, it } from 'vitest';
import { isLoopback, isLoopbackName } from './loopback.ts';

it.each([
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['10.0.0.1', false],
  ['127.evil.example', false],
  ['', false],
])('%s is a loopback address: %s', (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});

it.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['localhost.evil.example', false],
  ['127.evil.example', false],
  ['[::2]', false],
])('%s is a loopback name: %s', (host, expected) => {
  expect(isLoopbackName(host)).toBe(expected);
});
