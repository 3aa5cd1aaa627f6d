import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WebPage } from './web-page.ts';

/** A route such as `/track/:id`, `/admin/*?` or `*`. */
const toPattern = (route: string): RegExp =>
  new RegExp(`^${route.replaceAll(/\/?\*\??/g, '.*').replaceAll(/:\w+/g, '[^/]+')}/?$`);

/**
 * The build lists by route which scripts a page needs besides the first one. Named in the page's
 * HTML, they load at the same time as the first one.
 */
export function readPageFiles(webRoot: string): (path: string) => readonly string[] {
  let routes: [route: string, files: string[]][] = [];
  try {
    routes = JSON.parse(
      readFileSync(join(webRoot, '.vite', 'page-files.json'), 'utf8'),
    ) as typeof routes;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const patterns = routes.map(([route, files]) => ({ pattern: toPattern(route), files }));
  return (path) => patterns.find(({ pattern }) => pattern.test(path))?.files ?? [];
}

/** The same page with links to these files. */
export function addPreloads(page: WebPage, files: readonly string[]): WebPage {
  if (files.length === 0) return page;
  const links = files.map((file) => `<link rel="modulepreload" crossorigin href="/${file}" />`);
  const html = page.html.replace('</head>', () => `${links.join('\n')}\n</head>`);
  return { ...page, html };
}
