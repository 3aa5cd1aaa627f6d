import { describe, expect, it } from 'vitest';
import {
  findShortcut,
  runShortcut,
  shortcutHelp,
  type KeyPress,
  type KeyTarget,
} from './shortcuts.ts';
import { createEngineBench } from '#web/player/testing/engine-bench.ts';
import { buildTrack } from '#web/testing/build-track.ts';

const PAGE: KeyTarget = { isTyping: false, usesSpace: false, usesArrows: false };
const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  defaultPrevented: false,
  ...more,
});
const find = (key: string, more?: Partial<KeyPress>, target: Partial<KeyTarget> = {}) =>
  findShortcut(press(key, more), { ...PAGE, ...target }, true);

describe('shortcuts', () => {
  it.each([
    [' ', { command: 'toggle-play' }],
    ['k', { command: 'toggle-play' }],
    ['j', { command: 'seek-by', seconds: -10 }],
    ['l', { command: 'seek-by', seconds: 10 }],
    ['ArrowLeft', { command: 'seek-by', seconds: -5 }],
    ['ArrowRight', { command: 'seek-by', seconds: 5 }],
    ['m', { command: 'toggle-mute' }],
    ['n', { command: 'next' }],
    ['p', { command: 'previous' }],
    ['f', { command: 'favorite' }],
    ['q', { command: 'toggle-queue' }],
    ['e', { command: 'toggle-expanded' }],
    ['?', { command: 'help' }],
  ])('%s', (key, shortcut) => expect(find(key)).toEqual(shortcut));

  it('change the volume with Shift, since the arrows alone scroll', () => {
    expect(find('ArrowUp')).toBeNull();
    expect(find('ArrowUp', { shiftKey: true })).toEqual({ command: 'volume-by', percent: 5 });
    expect(find('ArrowDown', { shiftKey: true })).toEqual({ command: 'volume-by', percent: -5 });
  });

  it('work with caps lock', () => {
    expect(find('K')).toEqual({ command: 'toggle-play' });
  });

  it.each(['ctrlKey', 'metaKey', 'altKey', 'defaultPrevented'] as const)(
    'leave a key with %s to the browser',
    (flag) => expect(find('k', { [flag]: true })).toBeNull(),
  );

  it('leave keys to inputs, buttons and sliders', () => {
    expect(find('k', {}, { isTyping: true })).toBeNull();
    expect(find('?', {}, { isTyping: true })).toBeNull();
    expect(find(' ', {}, { usesSpace: true })).toBeNull();
    expect(find('ArrowLeft', {}, { usesArrows: true })).toBeNull();
    expect(find('k', {}, { usesSpace: true, usesArrows: true })).not.toBeNull();
  });

  it('repeat only for steps', () => {
    expect(find('m', { repeat: true })).toBeNull();
    expect(find('l', { repeat: true })).not.toBeNull();
  });

  it('offer only the help without a current track', () => {
    expect(findShortcut(press(' '), PAGE, false)).toBeNull();
    expect(findShortcut(press('?'), PAGE, false)).toEqual({ command: 'help' });
  });

  it.each(['constructor', '__proto__', 'Tab', 'é'])('ignore %s', (key) =>
    expect(find(key)).toBeNull(),
  );

  it('are all in the help', () => {
    const listed = shortcutHelp.flatMap(({ keys }) => keys);
    expect(listed).toEqual(
      expect.arrayContaining(['Space', 'K', 'J', 'L', 'M', 'N', 'P', 'F', 'Q', 'E', '/', '?']),
    );
  });

  it('run the player', () => {
    const { engine, state, sound } = createEngineBench();
    const asked: string[] = [];
    const actions = {
      toggleFavorite: () => void asked.push('favorite'),
    };
    engine.setSubscriber(true);
    engine.playTracks([buildTrack('a')]);
    sound();
    for (const key of ['l', 'j', 'l', 'e', 'q', 'f', '?', 'm']) {
      const shortcut = find(key);
      if (shortcut && shortcut.command !== 'help') runShortcut(engine, actions, shortcut);
    }
    expect(state()).toMatchObject({
      currentTime: 10,
      isExpanded: true,
      isQueueVisible: true,
      volume: 0,
    });
    expect(asked).toEqual(['favorite']);
    runShortcut(engine, actions, { command: 'volume-by', percent: 5 });
    expect(state().volume).toBe(0.05);
  });
});
