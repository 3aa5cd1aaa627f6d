import { useState } from 'react';
import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { isClippable, isPublic } from './can-clip.ts';
import { ShareAddress } from './share-address.tsx';
import { ShareClip } from './share-clip.tsx';
import { nameTrack } from './share-sheet.ts';
import { ShareEmbed } from './share-embed.tsx';
import { SharePicture } from './share-picture.tsx';

type ShareDialogProps = {
  track: Track;
  /** What it shows first. */
  way?: Way;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

/** A link, a player for other sites, pictures of a track, and clips of it. */
export function ShareDialog({ track, way = 'link', open, onOpenChange }: ShareDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title="Share" description={nameTrack(track)} data-week={track.weekNumber}>
        <Ways track={track} first={way} />
      </DialogContent>
    </Dialog>
  );
}

const WAYS = [
  { value: 'link', label: 'Link' },
  { value: 'embed', label: 'Embed' },
  { value: 'picture', label: 'Picture' },
  { value: 'clip', label: 'Clip' },
] as const;
type Way = (typeof WAYS)[number]['value'];

/** The ways to share this mix that this user has. */
const listWays = (track: Track, user: User | null): Way[] => [
  'link',
  ...(isPublic(track) ? (['embed', 'picture'] as const) : []),
  ...(user && isClippable(track, user) ? (['clip'] as const) : []),
];

function Ways({ track, first }: { track: Track; first: Way }) {
  const { user } = useCurrentUser();
  const ways = listWays(track, user);
  const [chosen, setWay] = useState<Way>(first);
  const way = ways.includes(chosen) ? chosen : 'link';
  return (
    <>
      {ways.length > 1 && (
        <Segmented
          label="How to share"
          options={WAYS.filter(({ value }) => ways.includes(value))}
          value={way}
          onValueChange={setWay}
          className="mb-5"
        />
      )}
      {way === 'link' && <ShareAddress track={track} />}
      {way === 'link' && !isPublic(track) && (
        <p className="mt-4 text-13 text-text-2">
          {track.isSubscriberOnly
            ? 'Only Premium subscribers can open this mix.'
            : 'This mix isn’t public yet, so the link doesn’t work for everyone.'}
        </p>
      )}
      {way === 'embed' && <ShareEmbed track={track} />}
      {way === 'picture' && <SharePicture track={track} />}
      {way === 'clip' && <ShareClip track={track} />}
    </>
  );
}
