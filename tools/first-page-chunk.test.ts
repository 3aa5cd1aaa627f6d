import { expect, test } from 'vitest';
import { findNamedIcons, findStaticImports } from './first-page-chunk.ts';

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

test('of the icons only those are the first page’s that it names, by whichever of their names', () => {
  const list = '/lucide-react/dist/esm/lucide-react.mjs';
  const code: Record<string, string> = {
    [list]: `export { default as Bell, default as BellIcon } from './icons/bell.mjs';
export { default as Alert, default as Warning } from './icons/warning.mjs';
export { default as Cut } from './icons/cut.mjs';`,
    shell: `import { Bell, Warning as Sign } from "lucide-react";`,
  };
  const graph = { getModuleInfo: (id: string) => ({ importedIds: [], code: code[id] ?? null }) };
  expect([...findNamedIcons([list, 'shell'], graph)].toSorted()).toEqual([
    'icons/bell.mjs',
    'icons/warning.mjs',
  ]);
});
