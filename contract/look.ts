import { z } from 'zod';
import { DEFAULT_SLEEVE_STYLE, SLEEVE_FAMILIES, type SleeveStyle } from './art/sleeve-style.ts';
import { HEMISPHERES } from './rules/week-colour.ts';
import { defineRoutes } from './route.ts';
import { line } from './rules/text-fields.ts';

/** Pictures that make a site its owner's. */
export const LOOK_IMAGES = ['logo', 'picture', 'icon'] as const;
export type LookImageKind = (typeof LOOK_IMAGES)[number];

/** Says what is in the file and how large it is, so that a page can leave room for it. */
const imageName = (extensions: string) =>
  z
    .string()
    .regex(
      new RegExp(String.raw`^[0-9a-z]{20,40}-[1-9]\d{0,4}x[1-9]\d{0,4}\.(?:${extensions})$`),
      'Choose the picture again.',
    )
    .nullable();

export const MAX_LINKS = 8;

/** An address that was typed without `https://` gets it. */
const HttpsUrl = z
  .string()
  .trim()
  .max(300, 'Use at most 300 characters.')
  .overwrite((text) => (text === '' || /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`))
  .refine(
    (text) =>
      /^https:\/\/[^\s/?#@\\]+\.[^\s/?#@\\.]+(?:[/?#]\S*)?$/i.test(text) && URL.canParse(text),
    'Enter an address that starts with https://.',
  );

export const LookLink = z.strictObject({
  label: line(40).min(1, 'Enter what the link is called.'),
  url: HttpsUrl,
});
export type LookLink = z.infer<typeof LookLink>;

/** How many characters each of them may have. */
export const LOOK_LIMITS = {
  siteName: 60,
  senderName: 60,
  sentence: 160,
  headline: 60,
  lead: 240,
  aboutText: 10_000,
};

/** What an operator sets on the page Look. An empty text means the default. */
export const lookFields = {
  siteName: line(LOOK_LIMITS.siteName).min(1, 'Enter a name.'),
  /** In the From line of e-mails; the site's name if empty. */
  senderName: line(LOOK_LIMITS.senderName),
  /** One sentence about the show. */
  sentence: line(LOOK_LIMITS.sentence),
  /** Of the landing page. */
  headline: line(LOOK_LIMITS.headline),
  lead: line(LOOK_LIMITS.lead),
  /** Markdown of the About page. */
  aboutText: z
    .string()
    .trim()
    .overwrite((text) => text.replaceAll('\r\n', '\n'))
    .max(LOOK_LIMITS.aboutText, 'Use at most 10,000 characters.')
    .refine((text) => !text.includes('\0'), 'The text contains an invalid character.'),
  /** Everyone can read the About page, not only members. */
  isAboutPublic: z.boolean(),
  links: z.array(LookLink).max(MAX_LINKS, `Use at most ${MAX_LINKS} links.`),
  logo: imageName('svg|png'),
  picture: imageName('webp'),
  icon: imageName('png'),
  sleeveFamily: z.enum(SLEEVE_FAMILIES, { error: 'Choose a family.' }),
  hemisphere: z.enum(HEMISPHERES, { error: 'Choose a hemisphere.' }),
};
export type LookImage = { name: string; width: number; height: number };

/** A site's own look, as pages, mails, feeds and pictures use it. */
export type Look = {
  /** Something of it differs from the look that every site begins with. */
  isOwn: boolean;
  /** In the From line of e-mails. */
  senderName: string;
  /** One sentence about the show; empty if there is none. */
  sentence: string;
  /** Of the landing page; empty for the default. */
  headline: string;
  lead: string;
  links: readonly LookLink[];
  /** Drawn in one ink by its shape alone: `mask` is the address of a picture whose opacity is the logo. */
  logo: (LookImage & { mask: string }) | null;
  picture: LookImage | null;
  icon: LookImage | null;
  sleeves: SleeveStyle;
  /** Who can read the About page; null if it says nothing yet. */
  about: 'everyone' | 'members' | null;
};

export type SiteLook = Look & { siteName: string };

/** The look that every site begins with. */
export const DEFAULT_LOOK: Look = {
  isOwn: false,
  senderName: '',
  sentence: '',
  headline: '',
  lead: '',
  links: [],
  logo: null,
  picture: null,
  icon: null,
  sleeves: DEFAULT_SLEEVE_STYLE,
  about: null,
};

/** A picture of `Look`, or another version of it: `icon.192` of an icon’s name. */
export const lookImagePath = ({ name }: Pick<LookImage, 'name'>, version = ''): string =>
  `/media/look/${lookFileName(name, version)}`;

/** `e3b0…-320x80.svg` is 320 wide and 80 high. */
export function parseLookImage(name: string | null): LookImage | null {
  const [, width, height] = /-(\d+)x(\d+)\./.exec(name ?? '') ?? [];
  return name === null ? null : { name, width: Number(width), height: Number(height) };
}

/** `a.webp` and its version `small` is `a.small.webp`; all versions of a drawing are pixels. */
export const lookFileName = (name: string, version = ''): string =>
  version === ''
    ? name
    : name.replace(/\.(\w+)$/, (_, extension: string) =>
        ['', version, extension === 'svg' ? 'png' : extension].join('.'),
      );

/** The icon of the site or, without one, of the product. */
export const iconPath = (
  { icon }: Pick<Look, 'icon'>,
  size: '192' | '512' | 'maskable',
): string => {
  if (icon) return lookImagePath(icon, size === '512' ? '' : size);
  return size === 'maskable' ? '/icon-maskable-512.png' : `/icon-${size}.png`;
};

export const About = z.object({
  sentence: z.string(),
  /** Safe to insert: only headings, text, lists and links. */
  html: z.string(),
  links: z.array(z.object({ label: z.string(), url: z.string() })),
  picture: z
    .object({ path: z.string(), smallPath: z.string(), width: z.int(), height: z.int() })
    .nullable(),
});
export type About = z.infer<typeof About>;

export const lookRoutes = defineRoutes({
  'GET /api/about': {
    summary: 'Who is behind the site. For members only, unless the operator says otherwise.',
    response: About,
    errors: ['unauthenticated', 'not_found'],
  },
});
