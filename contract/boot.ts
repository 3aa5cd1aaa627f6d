import type { FileEnds } from './rules/allowed-files.ts';
import type { Look } from './look.ts';

/** What the page knows before its first request; the server puts it into the HTML. */
export type Boot = {
  siteName: string;
  timeZone: string;
  /** The day of the week that mixes come out on, 0 for Monday. */
  releaseDay: number;
  /** The price of a gigabyte of mobile data in cents; null if the operator set none. */
  dataPrice: number | null;
  /** The origin for reset-password calls; empty for the same origin. */
  authOrigin: string;
  demo: boolean;
  look: BootLook;
  /** Members can leave moments, unless a mix has them off. */
  hasMoments: boolean;
  /** Clips of mixes can be made. */
  hasClips: boolean;
  /** From when members may keep no files. */
  fileEnds: FileEnds;
  /** Browsers tie passkeys to the name of a site, so a site at a bare address has none. */
  hasPasskeys: boolean;
  /** The analytics service to which browsers send events instead of to us; null if they send them to us. */
  mixpanel: { token: string; host: string } | null;
};

/** The logo itself is a style of the page: `--logo`. */
export type BootLook = Pick<Look, 'sleeves' | 'headline' | 'lead' | 'about'> & {
  logo: { width: number; height: number } | null;
};
