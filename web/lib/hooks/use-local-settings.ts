import { useSyncExternalStore } from 'react';
import { boot } from '../boot.ts';
import { browserSettings, type LocalSettings } from '../format.ts';

const siteSettings: LocalSettings = {
  locale: 'en-ZA',
  get timeZone() {
    return boot.timeZone;
  },
};

const neverChanges = () => () => {};

/** The server doesn't know the browser's settings, so a page arrives with those of the site. */
export const useLocalSettings = (): LocalSettings =>
  useSyncExternalStore(
    neverChanges,
    () => browserSettings,
    () => siteSettings,
  );
