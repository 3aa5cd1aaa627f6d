import { expect, it } from 'vitest';
import { formatFileSize } from './file-size.ts';

it.each([
  [0, '0 KB'],
  [-5, '0 KB'],
  [640_000, '640 KB'],
  [999_499, '999 KB'],
  [999_500, '1 MB'],
  [2_340_000, '2.3 MB'],
  [84_300_000, '84 MB'],
  [999_900_000, '1 GB'],
  [1_240_000_000, '1.2 GB'],
  [40_000_000_000, '40 GB'],
  [4_000_000_000_000, '4000 GB'],
])('%d bytes are formatted as %s', (bytes, text) => {
  expect(formatFileSize(bytes)).toBe(text);
});
