import type { Engine } from '#web/player/engine.ts';
import { sliderToVolume, volumeToSlider } from '#web/player/machine/volume.ts';

type Shortcut =
  | { command: 'toggle-play' | 'toggle-mute' | 'next' | 'previous' }
  | { command: 'favorite' | 'toggle-queue' | 'toggle-expanded' }
  | { command: 'help' }
  | { command: 'seek-by'; seconds: number }
  | { command: 'volume-by'; percent: number };

export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat' | 'defaultPrevented'
>;

/** Which keys the focused element uses itself. */
export type KeyTarget = { isTyping: boolean; usesSpace: boolean; usesArrows: boolean };

const LETTERS: Record<string, Shortcut> = {
  k: { command: 'toggle-play' },
  j: { command: 'seek-by', seconds: -10 },
  l: { command: 'seek-by', seconds: 10 },
  m: { command: 'toggle-mute' },
  n: { command: 'next' },
  p: { command: 'previous' },
  f: { command: 'favorite' },
  q: { command: 'toggle-queue' },
  e: { command: 'toggle-expanded' },
};
const ARROWS: Record<string, Shortcut> = {
  ArrowLeft: { command: 'seek-by', seconds: -5 },
  ArrowRight: { command: 'seek-by', seconds: 5 },
};
/** Up and down alone scroll the page. */
const SHIFTED_ARROWS: Record<string, Shortcut> = {
  ArrowUp: { command: 'volume-by', percent: 5 },
  ArrowDown: { command: 'volume-by', percent: -5 },
};

export const shortcutHelp: readonly { keys: readonly string[]; label: string }[] = [
  { keys: ['Space', 'K'], label: 'Play or pause' },
  { keys: ['J', 'L'], label: 'Back or forward 10 seconds' },
  { keys: ['←', '→'], label: 'Back or forward 5 seconds' },
  { keys: ['Shift ↑', 'Shift ↓'], label: 'Volume up or down' },
  { keys: ['M'], label: 'Mute or unmute' },
  { keys: ['N', 'P'], label: 'Next or previous mix' },
  { keys: ['F'], label: 'Add to or remove from favorites' },
  { keys: ['Q'], label: 'Show or hide the queue' },
  { keys: ['E'], label: 'Expand or minimise the player' },
  { keys: ['Ctrl Z', '⌘ Z'], label: 'Undo, while a message offers it' },
  { keys: ['/'], label: 'Search' },
  { keys: ['?'], label: 'Show this help' },
];

/** Null leaves the key to the page. Without a current track only the help works. */
export function findShortcut(
  press: KeyPress,
  target: KeyTarget,
  hasTrack: boolean,
): Shortcut | null {
  const isChord = press.ctrlKey || press.metaKey || press.altKey;
  if (press.defaultPrevented || target.isTyping || isChord) return null;
  if (press.key === '?') return { command: 'help' };
  const shortcut = hasTrack ? findPlayerShortcut(press, target) : null;
  const isStep = shortcut?.command === 'seek-by' || shortcut?.command === 'volume-by';
  return press.repeat && !isStep ? null : shortcut;
}

function findPlayerShortcut(press: KeyPress, target: KeyTarget): Shortcut | null {
  const { key, shiftKey } = press;
  if (key.startsWith('Arrow')) {
    const arrows = shiftKey ? SHIFTED_ARROWS : ARROWS;
    return target.usesArrows ? null : (arrows[key] ?? null);
  }
  if (shiftKey) return null;
  if (key === ' ') return target.usesSpace ? null : { command: 'toggle-play' };
  return Object.hasOwn(LETTERS, key.toLowerCase()) ? (LETTERS[key.toLowerCase()] ?? null) : null;
}

/** In a menu or a list, letters jump to the entry that begins with them. */
const TYPING =
  'input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable=""], [contenteditable=true], [role=textbox], [role=combobox], [role=menu], [role^=menuitem], [role=listbox], [role=option]';
const SPACE =
  'button, a[href], summary, input, audio, video, [role=button], [role=link], [role=switch], [role=checkbox], [role=menuitem], [role=option], [role=tab], [role=slider]';
const ARROW =
  'input, audio, video, [role=slider], [role=tab], [role=menu], [role=menuitem], [role=listbox], [role=option], [role=radio], [role=radiogroup], [role=tree], [role=grid], [role=separator]';

export function describeKeyTarget(target: EventTarget | null): KeyTarget {
  const isWithin = (selector: string) =>
    target instanceof Element && target.closest(selector) !== null;
  return { isTyping: isWithin(TYPING), usesSpace: isWithin(SPACE), usesArrows: isWithin(ARROW) };
}

/** What the player can't do itself. */
type ShortcutActions = { toggleFavorite(): void };

/** All but the help, which also works without a player. */
type PlayerShortcut = Exclude<Shortcut, { command: 'help' }>;

export function runShortcut(
  engine: Engine,
  actions: ShortcutActions,
  shortcut: PlayerShortcut,
): void {
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
    case 'seek-by':
      return engine.seek(currentTime + shortcut.seconds);
    case 'volume-by':
      return engine.setVolume(sliderToVolume(volumeToSlider(volume) + shortcut.percent));
  }
}

export function watchShortcuts(
  page: Pick<Window, 'addEventListener' | 'removeEventListener'>,
  engine: Engine,
  actions: ShortcutActions,
): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const hasTrack = engine.store.get().currentTrack !== null;
    const shortcut = findShortcut(event, describeKeyTarget(event.target), hasTrack);
    if (!shortcut || shortcut.command === 'help') return;
    event.preventDefault();
    runShortcut(engine, actions, shortcut);
  };
  page.addEventListener('keydown', onKeyDown);
  return () => page.removeEventListener('keydown', onKeyDown);
}
