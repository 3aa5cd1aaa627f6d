import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assignFiles, chooseFile, findFile, findIcons } from './script-files.ts';

const web = (path: string) => join(import.meta.dirname, '..', 'web', path);

describe('the file of a module', () => {
  const modules: Record<string, { imports?: string[]; lazy?: string[] }> = {
    'app/main.tsx': {
      imports: ['ui/button.tsx', '../node_modules/react/index.js'],
      lazy: ['app/pages/home/home.tsx', 'app/dock.ts'],
    },
    'app/pages/home/home.tsx': {
      imports: ['ui/button.tsx', 'ui/sleeve.tsx'],
      lazy: ['app/pages/home/shelves.tsx', 'app/main.tsx'],
    },
    'app/pages/home/shelves.tsx': { imports: ['ui/shelf.tsx', '../node_modules/shelves/index.js'] },
    'app/dock.ts': { imports: ['ui/sleeve.tsx', 'ui/bar.tsx'] },
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
  const files = assignFiles(web('app/main.tsx'), graph);

  it.each([
    ['the entry', 'app/main.tsx', 'app'],
    ['what the entry imports', 'ui/button.tsx', 'app'],
    ['a library of every page', '../node_modules/react/index.js', 'libraries'],
    ['a library of one page', '../node_modules/shelves/index.js', 'home'],
    ['a page', 'app/pages/home/home.tsx', 'home'],
    ['a lazy part of a page', 'app/pages/home/shelves.tsx', 'home'],
    ['what only that part imports', 'ui/shelf.tsx', 'home'],
    ['what loads after the page', 'app/dock.ts', 'later'],
    ['what only that imports', 'ui/bar.tsx', 'later'],
    ['what a page and something later import', 'ui/sleeve.tsx', 'app'],
  ])('%s: %s is in %s', (_what, path, file) => {
    expect(files.get(web(path))).toBe(file);
  });
});

it.each([
  [['dialogs', 'admin'], 'common'],
  [['menus', 'dialogs'], 'menus'],
  [['settings', 'admin'], 'common'],
  [['forms', 'settings'], 'forms'],
  [['forms', 'lists'], 'app'],
])('what %j share is in %s', (users, file) => {
  expect(chooseFile(new Set(users))).toBe(file);
});

it.each([
  ['app/pages/subscription/pricing.tsx', 'landing'],
  ['app/pages/subscription/gift.tsx', 'paying'],
  ['features/tracks/track-menu.tsx', 'menus'],
  ['features/billing/subscription/cancel-dialog.tsx', 'paying'],
  ['features/player/queue-sheet.tsx', 'dialogs'],
  ['features/accounts/api.ts', 'forms'],
  ['lib/toast-queue.ts', 'menus'],
  ['app/background-tasks.ts', 'later'],
])('%s is loaded with %s', (path, file) => {
  expect(findFile(path)).toBe(file);
});

it('a file contains only the icons that its modules import', () => {
  const list = `export { default as Bell } from 'virtual:icons/bell';
export { default as Warning, default as Sign } from 'virtual:icons/warning';
export { default as Cut } from 'virtual:icons/cut';`;
  const code = `import { Bell, Sign as Board } from "#web/ui/icons.ts";`;
  expect(findIcons(code, list)).toEqual(['virtual:icons/bell', 'virtual:icons/warning']);
});
