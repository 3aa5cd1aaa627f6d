import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const PREFIX = 'virtual:icons/';
const CREATE_ICON = join(import.meta.dirname, '..', 'web', 'ui', 'create-icon.ts');

type IconSet = { icons: Record<string, { body: string }> };

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
      const code = `import { createIcon } from ${JSON.stringify(CREATE_ICON)};
export default /* #__PURE__ */ createIcon(${JSON.stringify(toOnePath(icon.body))});`;
      return { code, moduleSideEffects: false };
    },
  };
}

/** All shapes of an icon as the data of one path, because a browser works for every element. */
export function toOnePath(body: string): string {
  const shapes = [...body.matchAll(/<(?!g\b|\/)(\w+)([^>]*)>/g)];
  return shapes.map(([, tag = '', attributes = '']) => toPath(tag, attributes)).join('');
}

function toPath(tag: string, attributes: string): string {
  const read = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1];
  const number = (name: string) => Number(read(name) ?? 0);
  switch (tag) {
    case 'path': {
      const data = read('d') ?? '';
      // The first move of a path is from the corner, even if it is written as a relative one.
      return data.startsWith('m') ? `M0 0${data}` : data;
    }
    case 'circle': {
      const r = number('r');
      const arc = (x: number) => `a${r} ${r} 0 1 0 ${x} 0`;
      return `M${number('cx') - r} ${number('cy')}${arc(2 * r)}${arc(-2 * r)}z`;
    }
    case 'rect': {
      const r = number('rx');
      const [width, height] = [number('width') - 2 * r, number('height') - 2 * r];
      const corner = (x: number, y: number) => `a${r} ${r} 0 0 1 ${x} ${y}`;
      return `M${number('x') + r} ${number('y')}h${width}${corner(r, r)}v${height}${corner(-r, r)}h${-width}${corner(-r, -r)}v${-height}${corner(r, -r)}z`;
    }
    default:
      throw new Error(`Icons with a <${tag}> can't be drawn yet: write it as a path here.`);
  }
}
