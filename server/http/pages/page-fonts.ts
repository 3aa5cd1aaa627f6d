import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../route/app-error.ts';
import { hashContent } from './web-files.ts';

/** The letters of English; other letters come from the system. The web app has files of its own. */
const FONTS = { anybody: 'anybody-basic', 'instrument-sans': 'instrument-sans-basic' };
type FontName = keyof typeof FONTS;

const FOLDER = join(import.meta.dirname, '../../../web/styles/fonts');

const face = (family: string, name: FontName, weights: string, widths: string) =>
  `@font-face{font-family:"${family}";font-weight:${weights};font-stretch:${widths};font-display:swap;src:url(/fonts/${name}.woff2) format("woff2")}`;

export const DISPLAY_FONT = '"Anybody Variable","Arial Narrow",sans-serif';
export const TEXT_FONT = '"Instrument Sans Variable",system-ui,sans-serif';

/** For the pages outside the web app, whose style sheet has another name with each build. */
export const pageFonts = [
  face('Anybody Variable', 'anybody', '100 900', '50% 150%'),
  face('Instrument Sans Variable', 'instrument-sans', '400 700', '100%'),
].join('\n');

const AGE_SECONDS = 7 * 24 * 60 * 60;

type Font = { bytes: Buffer; etag: string };

const isFontName = (name: string): name is FontName => Object.hasOwn(FONTS, name);

export function registerPageFonts(app: FastifyInstance) {
  const fonts = new Map<FontName, Promise<Font>>();
  const read = async (name: FontName): Promise<Font> => {
    const bytes = await readFile(join(FOLDER, `${FONTS[name]}.woff2`));
    return { bytes, etag: `"${hashContent(bytes)}"` };
  };
  app.get<{ Params: { file: string } }>('/fonts/:file', async (request, reply) => {
    const name = request.params.file.replace(/\.woff2$/, '');
    if (!isFontName(name)) throw new AppError('not_found');
    const loading = fonts.get(name) ?? read(name);
    fonts.set(name, loading);
    const { bytes, etag } = await loading;
    reply.headers({
      etag,
      'cache-control': `public, max-age=${AGE_SECONDS}`,
      // An embed has no origin, and the font is nobody's secret.
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    return reply.type('font/woff2').send(bytes);
  });
}
