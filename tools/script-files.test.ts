import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assignFiles, chooseFile, findFile, findIcons } from './script-files.ts';

const web = (path: string) => join(import.meta.dirname, '..', 'web', path);

describe('the file of a module', () => {
  const modules: Record<string, { imports?: string[]; lazy?: string[] }> = {
    'boot/main.tsx': {
      imports: ['ui/button.tsx', '../node_modules/react/index.js'],
      lazy: ['pages/home/home.tsx', 'shell/player.ts', 'pages/settings/settings.tsx'],
    },
    'pages/home/home.tsx': {
      imports: ['ui/button.tsx', 'ui/sleeve.tsx'],
      lazy: ['pages/home/shelves.tsx', 'boot/main.tsx'],
    },
    'pages/home/shelves.tsx': { imports: ['ui/shelf.tsx', '../node_modules/shelves/index.js'] },
    'shell/player.ts': { imports: ['ui/sleeve.tsx', 'ui/bar.tsx'] },
    'pages/settings/settings.tsx': { imports: ['ui/shelf.tsx'] },
  };
  const graph = {
    getModuleInfo: (id: string) => {
      const found = Object.entries(modules).find(([path]) => web(path) === id)?.[1];
      return {
        importedIds: (found?.imports ?? []).map(web),
        dynamicallyImportedIds: (found?.lazy ?? []).map(web),
      };
    },
  };
  const files = assignFiles(web('boot/main.tsx'), graph);

  it.each([
    ['the entry', 'boot/main.tsx', 'app'],
    ['what the entry imports', 'ui/button.tsx', 'app'],
    ['a library of every page', '../node_modules/react/index.js', 'libraries'],
    ['a library of one page', '../node_modules/shelves/index.js', 'home'],
    ['a page', 'pages/home/home.tsx', 'home'],
    ['a lazy part of a page', 'pages/home/shelves.tsx', 'home'],
    ['what another page imports, too', 'ui/shelf.tsx', undefined],
    ['another page', 'pages/settings/settings.tsx', undefined],
    ['what loads after the page', 'shell/player.ts', 'later'],
    ['what only that imports', 'ui/bar.tsx', 'later'],
    ['what a page and something later import', 'ui/sleeve.tsx', 'app'],
  ])('%s: %s is in %s', (_what, path, file) => {
    expect(files.get(web(path))).toBe(file);
  });
});

it.each([
  [['home'], 'home'],
  [['app', 'settings.tsx'], 'app'],
  [['home', 'track'], 'app'],
  [['later', 'settings.tsx'], 'app'],
  [['landing', 'settings.tsx'], undefined],
  [['landing', 'track'], undefined],
  [['settings.tsx'], undefined],
])('what %j share is in %s', (users, file) => {
  expect(chooseFile(new Set(users))).toBe(file);
});

it.each([
  ['pages/pricing/pricing.tsx', 'landing'],
  ['pages/top-20/explain-rank-dialog.tsx', undefined],
  ['pages/gift/gift.tsx', undefined],
  ['features/accounts/api.ts', 'forms'],
  ['boot/background-tasks.ts', 'later'],
])('%s is in %s', (path, file) => {
  expect(findFile(path)).toBe(file);
});

it('a file contains only the icons that its modules import', () => {
  const list = `export { default as Bell } from 'virtual:icons/bell';
export { default as Warning, default as Sign } from 'virtual:icons/warning';
export { default as Cut } from 'virtual:icons/cut';`;
  const code = `import { Bell, Sign as Board } from "#web/ui/icons.ts";`;
  expect(findIcons(code, list)).toEqual(['virtual:icons/bell', 'virtual:icons/warning']);
});
