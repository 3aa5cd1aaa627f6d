import { useState } from 'react';
import { ShortcutsHelp } from '#web/player/view/shortcuts-help.tsx';
import { describeKeyTarget, findShortcut } from '#web/player/session/shortcuts.ts';

const asksForHelp = (press: KeyboardEvent): boolean =>
  findShortcut(press, describeKeyTarget(press.target), false)?.command === 'help';

/** Lists the shortcuts, unless the last `?` was typed as text. */
export function OpenHelp({ press }: { press: KeyboardEvent }) {
  const [lastPress, setLastPress] = useState<KeyboardEvent | null>(null);
  const [isOpen, setOpen] = useState(false);
  if (press !== lastPress) {
    setLastPress(press);
    if (asksForHelp(press)) setOpen(true);
  }
  return <ShortcutsHelp open={isOpen} onOpenChange={setOpen} />;
}
