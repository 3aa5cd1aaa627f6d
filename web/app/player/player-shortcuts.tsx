import { Suspense, useEffect, useRef, useState } from 'react';
import { describeKeyTarget, findShortcut, watchShortcuts } from '#web/player/shortcuts.ts';
import { usePlayer } from '#web/player/use-player.ts';
import { lazyComponent } from '#web/lib/lazy-component.ts';

const ShortcutsHelp = lazyComponent(
  () => import('#web/features/player/shortcuts-help.tsx'),
  'ShortcutsHelp',
);

type PlayerShortcutsProps = {
  onFavorite?: () => void;
  /** The key press that loaded this code; it is handled as if the code had been there. */
  firstPress?: KeyboardEvent;
};

const asksForHelp = (press: KeyboardEvent): boolean =>
  findShortcut(press, describeKeyTarget(press.target), false)?.command === 'help';

/** The shortcuts work on every page; `?` lists them. */
export function PlayerShortcuts({ onFavorite, firstPress }: PlayerShortcutsProps) {
  const player = usePlayer();
  const [isOpen, setOpen] = useState(() => firstPress !== undefined && asksForHelp(firstPress));
  const [hasOpened, setHasOpened] = useState(isOpen);
  const toggleFavorite = useRef(onFavorite);
  useEffect(() => {
    toggleFavorite.current = onFavorite;
  });
  useEffect(
    () =>
      watchShortcuts(window, player, {
        toggleFavorite: () => toggleFavorite.current?.(),
        showHelp: () => {
          setHasOpened(true);
          setOpen(true);
        },
      }),
    [player],
  );
  if (!hasOpened) return null;
  return (
    <Suspense fallback={null}>
      <ShortcutsHelp open={isOpen} onOpenChange={setOpen} />
    </Suspense>
  );
}
