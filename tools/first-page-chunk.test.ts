import { expect, test } from 'vitest';
import { findNamedIcons, findStaticImports } from './first-page-chunk.ts';

test('finds everything the first page imports, through cycles too', () => {
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

test('the first page contains only the icons it imports', () => {
  const list = '/web/ui/icons.ts';
  const code: Record<string, string> = {
    [list]: `export { default as Bell } from 'virtual:icons/bell';
export { default as Warning } from 'virtual:icons/warning';
export { default as Cut } from 'virtual:icons/cut';`,
    shell: `import { Bell, Warning as Sign } from "#web/ui/icons.ts";`,
  };
  const graph = { getModuleInfo: (id: string) => ({ importedIds: [], code: code[id] ?? null }) };
  expect([...findNamedIcons([list, 'shell'], graph)].toSorted()).toEqual(['bell', 'warning']);
});
