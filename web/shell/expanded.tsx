import type { ComponentProps } from 'react';
import type { User } from '#contract/accounts.ts';
import { Moments } from '#web/features/moments/moments.tsx';
import { ClipButton, ShareButton } from '#web/features/sharing/share-buttons.tsx';
import { ExpandedPlayer } from '#web/player/view/expanded-player.tsx';

type ExpandedProps = { user: User | null } & Omit<
  ComponentProps<typeof ExpandedPlayer>,
  'share' | 'clip' | 'marks' | 'row'
>;

/** The expanded player with what members share, and what they leave at its seconds. */
export function Expanded({ user, ...props }: ExpandedProps) {
  const { track } = props;
  return (
    <ExpandedPlayer
      {...props}
      share={<ShareButton track={track} />}
      clip={<ClipButton track={track} user={user} />}
      marks={<Moments part="marks" track={track} />}
      row={<Moments part="row" track={track} />}
    />
  );
}
