import {
  ArrowDownToLine,
  AudioLines,
  CalendarClock,
  Disc3,
  type IconComponent,
} from '#web/ui/icons.ts';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Dialog, DialogClose, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { PosterBars, yearShape } from '#web/ui/art/poster-bars.tsx';

const benefits: readonly { icon: IconComponent; text: string }[] = [
  { icon: ArrowDownToLine, text: 'Unlimited downloads of all tracks' },
  { icon: CalendarClock, text: 'Early access to new weekly releases' },
  { icon: AudioLines, text: 'High-quality lossless audio formats' },
  { icon: Disc3, text: 'Exclusive subscriber-only tracks' },
];

type PremiumDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  isLoggedIn: boolean;
  /** Where a guest logs in; afterwards they return to this page. */
  loginPath: string;
};

export function PremiumDialog({ open, onOpenChange, isLoggedIn, loginPath }: PremiumDialogProps) {
  const [location] = useLocation();
  useEffect(
    () => () => onOpenChange(false),
    // Following a link closes the dialog; only the location decides.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [location],
  );
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        size="wide"
        title={isLoggedIn ? 'Unlock Premium Downloads' : 'Register and Subscribe to Premium'}
        description="Keep every week of the year, in full."
        art={<PosterBars bars={yearShape()} />}
        footer={<Actions isLoggedIn={isLoggedIn} loginPath={loginPath} />}
      >
        <ul>
          {benefits.map(({ icon: Icon, text }) => (
            <li key={text} className="flex items-center gap-3.5 border-t border-line py-2.5">
              <Icon className="size-[18px] shrink-0 text-text-2" />
              {text}
            </li>
          ))}
        </ul>
      </DialogContent>
    </Dialog>
  );
}

function Actions({ isLoggedIn, loginPath }: Pick<PremiumDialogProps, 'isLoggedIn' | 'loginPath'>) {
  return (
    <>
      <LinkButton href={isLoggedIn ? '/subscription' : '/register'} size="lg">
        {isLoggedIn ? 'Upgrade to Premium' : 'Create Account'}
      </LinkButton>
      {!isLoggedIn && (
        <LinkButton href={loginPath} variant="line" size="lg">
          Login
        </LinkButton>
      )}
      <DialogClose asChild>
        <Button variant="quiet" size="lg">
          {isLoggedIn ? 'Maybe Later' : 'Continue as Guest'}
        </Button>
      </DialogClose>
    </>
  );
}
