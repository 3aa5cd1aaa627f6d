import { expect, it } from 'vitest';
import { LruCache } from './lru-cache.ts';

const keysOf = (cache: LruCache<string, number>, keys: string) =>
  [...keys].filter((key) => cache.has(key)).join('');

it('keeps as many as it may, and those last used', () => {
  const cache = new LruCache<string, number>(3);
  for (const key of 'abc') cache.set(key, 1);
  expect(cache.get('a')).toBe(1);
  cache.set('d', 1);
  expect(keysOf(cache, 'abcd')).toBe('acd');
  expect(cache.get('b')).toBeUndefined();
});

it('takes a new entry also when all others are in use', () => {
  const cache = new LruCache<string, number>(3);
  for (const key of 'abc') cache.set(key, 1);
  for (const key of 'abc') cache.get(key);
  cache.set('d', 1);
  expect(keysOf(cache, 'abcd')).toBe('bcd');
  cache.set('e', 1);
  expect(cache.has('e')).toBe(true);
});

it('counts the size of each entry once, also when it is replaced or deleted', () => {
  const cache = new LruCache<string, number>(10, (size) => size);
  cache.set('a', 4);
  for (let count = 0; count < 5; count += 1) cache.set('b', 4);
  expect(keysOf(cache, 'ab')).toBe('ab');
  cache.delete('b');
  cache.delete('b');
  cache.set('c', 6);
  expect(keysOf(cache, 'ac')).toBe('ac');
  cache.set('d', 1);
  expect(keysOf(cache, 'acd')).toBe('cd');
});

it('keeps nothing that is larger than all of it', () => {
  const cache = new LruCache<string, number>(10, (size) => size);
  cache.set('a', 11);
  expect(cache.has('a')).toBe(false);
  cache.set('b', 10);
  expect(cache.has('b')).toBe(true);
});
