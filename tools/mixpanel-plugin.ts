import { join } from 'node:path';
import type { Plugin } from 'vite';

const STAND_IN = join(import.meta.dirname, '..', 'web/features/analytics/mixpanel-unused.ts');
const UNUSED =
  /^\.\.?\/(?:autocapture|flags|recorder-manager|mixpanel-people|mixpanel-group|dom-trackers|promise-polyfill)$/;

/** Leaves out the parts of Mixpanel's client that we never use: half of its code. */
export const slimMixpanel = (): Plugin => ({
  name: 'slim-mixpanel',
  enforce: 'pre',
  resolveId: (source, importer) =>
    importer?.includes('/mixpanel-browser/src/') && UNUSED.test(source) ? STAND_IN : undefined,
});
