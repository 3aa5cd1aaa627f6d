import type { Engine } from './engine.ts';
import { describeKeyTarget, findShortcut, type Shortcut } from './shortcuts.ts';
import { sliderToVolume, volumeToSlider } from './volume.ts';

/** What the player cannot do itself. */
export type ShortcutActions = { toggleFavorite(): void; showHelp(): void };

export function runShortcut(engine: Engine, actions: ShortcutActions, shortcut: Shortcut): void {
  const { currentTime, volume } = engine.store.get();
  switch (shortcut.command) {
    case 'toggle-play':
      return engine.togglePlay();
    case 'toggle-mute':
      return engine.toggleMute();
    case 'next':
      return engine.skipToNext();
    case 'previous':
      return engine.skipToPrevious();
    case 'favorite':
      return actions.toggleFavorite();
    case 'toggle-queue':
      return engine.toggleQueue();
    case 'toggle-expanded':
      return engine.toggleExpanded();
    case 'help':
      return actions.showHelp();
    case 'seek-by':
      return engine.seek(currentTime + shortcut.seconds);
    case 'volume-by':
      return engine.setVolume(sliderToVolume(volumeToSlider(volume) + shortcut.percent));
  }
}

export function listenForShortcuts(
  page: Pick<Window, 'addEventListener' | 'removeEventListener'>,
  engine: Engine,
  actions: ShortcutActions,
): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const hasTrack = engine.store.get().currentTrack !== null;
    const shortcut = findShortcut(event, describeKeyTarget(event.target), hasTrack);
    if (!shortcut) return;
    event.preventDefault();
    runShortcut(engine, actions, shortcut);
  };
  page.addEventListener('keydown', onKeyDown);
  return () => page.removeEventListener('keydown', onKeyDown);
}
