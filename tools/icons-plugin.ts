import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const PREFIX = 'virtual:icons/';
const CREATE_ICON = join(import.meta.dirname, '..', 'web', 'ui', 'create-icon.ts');

type IconSet = { icons: Record<string, { body: string }> };

/** These are set on the `<svg>` instead, where a component can change them. */
const SHARED_ATTRIBUTES =
  / (?:fill="none"|stroke="currentColor"|stroke-linecap="round"|stroke-linejoin="round"|stroke-width="2")/g;

/**
 * `import Play from 'virtual:icons/play'` gives a React component of that Lucide icon. Only the
 * icons that are imported reach the browser.
 */
export function icons(): Plugin {
  let set: IconSet | undefined;
  return {
    name: 'icons',
    resolveId: (id) => (id.startsWith(PREFIX) ? id : undefined),
    load(id) {
      if (!id.startsWith(PREFIX)) return undefined;
      set ??= createRequire(import.meta.url)('@iconify-json/lucide/icons.json') as IconSet;
      const name = id.slice(PREFIX.length);
      const icon = set.icons[name];
      if (!icon) throw new Error(`Lucide has no icon "${name}".`);
      const shapes = icon.body.replaceAll(SHARED_ATTRIBUTES, '');
      const code = `import { createIcon } from ${JSON.stringify(CREATE_ICON)};
export default /* #__PURE__ */ createIcon(${JSON.stringify(shapes)});`;
      return { code, moduleSideEffects: false };
    },
  };
}
