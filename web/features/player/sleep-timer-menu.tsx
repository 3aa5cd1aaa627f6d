import { Moon } from '#web/ui/icons.ts';
import { useState } from 'react';
import { usePlayer, usePlayerState } from '#web/player/use-player.ts';
import type { SleepTimer } from '#web/player/machine/state.ts';
import { iconButtonClass } from '#web/ui/icon-button.tsx';
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuLabel,
  MenuSeparator,
  MenuTrigger,
} from '#web/ui/overlays/menu.tsx';

const MINUTES = [15, 30, 45, 60];

export function describeSleepTimer(timer: SleepTimer | null, now: number): string {
  if (!timer) return 'Sleep timer';
  if (timer.kind === 'end-of-track') return 'Stops at the end of this mix';
  const minutes = Math.max(1, Math.ceil((timer.endsAt - now) / 60_000));
  return `Stops in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}

export function SleepTimerMenu() {
  const player = usePlayer();
  const timer = usePlayerState((state) => state.sleepTimer);
  // The text is set when the menu opens: screen readers would announce a countdown again and again.
  const [openedAt, setOpenedAt] = useState(0);
  return (
    <Menu onOpenChange={(isOpen) => isOpen && setOpenedAt(Date.now())}>
      <MenuTrigger
        aria-label={timer ? 'Sleep timer (on)' : 'Sleep timer'}
        className={iconButtonClass({ className: timer ? 'text-week [&_svg]:fill-current' : '' })}
      >
        <Moon />
      </MenuTrigger>
      <MenuContent align="center">
        <MenuLabel>{describeSleepTimer(timer, openedAt)}</MenuLabel>
        {MINUTES.map((minutes) => (
          <MenuItem key={minutes} onSelect={() => player.setSleepTimer({ minutes })}>
            {minutes} minutes
          </MenuItem>
        ))}
        <MenuItem onSelect={() => player.setSleepTimer('end-of-track')}>End of this mix</MenuItem>
        {timer && (
          <>
            <MenuSeparator />
            <MenuItem onSelect={() => player.setSleepTimer(null)}>Turn off</MenuItem>
          </>
        )}
      </MenuContent>
    </Menu>
  );
}
