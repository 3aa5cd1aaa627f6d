import { expect, test } from 'vitest';
import { findStaticImports } from './first-page-chunk.ts';

test('what runs before the first page is found through every import, circles included', () => {
  const imports: Record<string, string[]> = {
    entry: ['shell', 'react'],
    shell: ['button', 'entry'],
    page: ['button', 'sleeve'],
    lazy: ['menu'],
  };
  const graph = { getModuleInfo: (id: string) => ({ importedIds: imports[id] ?? [] }) };
  const found = findStaticImports(['entry', 'page'], graph);
  expect([...found].toSorted()).toEqual(['button', 'entry', 'page', 'react', 'shell', 'sleeve']);
});
