import { MEMBER_PATHS } from '#contract/page-paths.ts';

/** What isn't for search engines: addresses of programs, files for members, and their pages. */
const SERVER_PATHS = [
  '/admin',
  '/api/',
  '/feed/',
  '/media/downloads/',
  '/rest/',
  '/sandbox/',
  '/setup/',
  '/shared/',
];

/** A path covers everything that starts with it. `/playlist` covers the playlists, too. */
function listDisallowed(): string[] {
  const starts = MEMBER_PATHS.map((path) => path.replace(/:.*$/, ''));
  const all = [...SERVER_PATHS, ...starts].toSorted();
  return all.filter((path) => !all.some((other) => other !== path && path.startsWith(other)));
}

export const buildRobots = (origin: string): string =>
  [
    'User-agent: *',
    'Allow: /',
    ...listDisallowed().map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n');
