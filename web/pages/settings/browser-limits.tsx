import { useBrowserFact } from '#web/lib/store/use-browser-fact.ts';
import { SettingRow } from '#web/ui/forms/settings.tsx';

type Abilities = { remotePlayback: boolean; airPlay: boolean; viewTransitions: boolean };

const findAbilities = (): Abilities => ({
  remotePlayback: 'remote' in HTMLMediaElement.prototype,
  airPlay: 'webkitShowPlaybackTargetPicker' in HTMLMediaElement.prototype,
  viewTransitions: 'startViewTransition' in Document.prototype,
});

/** What has no place on the site where its absence would be noticed and explained. */
export function listLimits({ remotePlayback, airPlay, viewTransitions }: Abilities): string[] {
  return [
    ...(remotePlayback || airPlay
      ? []
      : ['It can’t play on a speaker or TV. Chrome, Edge and Safari can.']),
    ...(viewTransitions ? [] : ['Pages change at once, without a transition.']),
  ];
}

/** Nothing in a browser that can do everything. */
export function BrowserLimits() {
  const limits = useBrowserFact(() => listLimits(findAbilities()).join(' '), '');
  return limits && <SettingRow label="This browser" hint={limits} />;
}
