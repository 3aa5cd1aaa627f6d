import { buffer } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import {
  lookFields,
  lookImagePath,
  parseLookImage,
  type Look,
  type LookImage,
  type SiteLook,
} from '#contract/look.ts';
import { defaultSettings, type Settings } from '../../db/settings.ts';
import type { Deps } from '../../deps.ts';
import { keyOf, toDataUrl } from './images.ts';

export { getAbout } from './about.ts';
export {
  addLetterPicture,
  deleteLetterPicture,
  keyOf as lookKeyOf,
  publishImages,
} from './images.ts';

/**
 * What everything that shows the site needs: its name and its look. Without a promise: the settings
 * are in memory, at most five seconds old.
 */
export const readLook = ({ config }: Pick<Deps, 'config'>): SiteLook => ({
  ...config.look,
  siteName: config.siteName,
  senderName: config.look.senderName || config.siteName,
});

const names = Object.keys(lookFields).filter((name) => name !== 'siteName') as Exclude<
  keyof typeof lookFields,
  'siteName'
>[];

const hasOwnLook = (settings: Settings): boolean =>
  names.some((name) => !isDeepStrictEqual(settings[name], defaultSettings[name]));

const describesShow = ({ aboutText, sentence, picture, links }: Settings): boolean =>
  aboutText !== '' || sentence !== '' || picture !== null || links.length > 0;

/** The look as it is stored. What the logo looks like is read once. */
export async function loadLook(
  { storage, config, log }: Pick<Deps, 'storage' | 'config' | 'log'>,
  settings: Settings,
): Promise<Look> {
  const logo = parseLookImage(settings.logo);
  const known = config.look.logo;
  return {
    isOwn: hasOwnLook(settings),
    senderName: settings.senderName,
    sentence: settings.sentence,
    headline: settings.headline,
    lead: settings.lead,
    links: settings.links,
    logo: logo && {
      ...logo,
      mask:
        known?.name === logo.name && known.mask.startsWith('data:')
          ? known.mask
          : await readMask(storage, logo).catch((error: unknown) => {
              log.warn({ err: error }, 'Reading the logo failed.');
              return lookImagePath(logo);
            }),
    },
    picture: parseLookImage(settings.picture),
    icon: parseLookImage(settings.icon),
    sleeves: { family: settings.sleeveFamily, hemisphere: settings.hemisphere },
    about: describesShow(settings) ? (settings.isAboutPublic ? 'everyone' : 'members') : null,
  };
}

/** A logo up to this size is part of the page: it costs no request and is there from the first moment. */
const MAX_INLINE_BYTES = 4 * 1024;

async function readMask(storage: Deps['storage'], logo: LookImage): Promise<string> {
  const file = await storage.open(keyOf(logo.name));
  if (file && file.size <= MAX_INLINE_BYTES) return toDataUrl(logo.name, await buffer(file.stream));
  file?.stream.destroy();
  return lookImagePath(logo);
}
