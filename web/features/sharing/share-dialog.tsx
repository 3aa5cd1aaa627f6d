import { useState } from 'react';
import type { Track } from '#contract/tracks.ts';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { ShareAddress } from './share-address.tsx';
import { ShareEmbed } from './share-embed.tsx';
import { SharePicture } from './share-picture.tsx';

type ShareDialogProps = { track: Track; open: boolean; onOpenChange: (open: boolean) => void };

/** A link, a player for other sites, and pictures of a track. */
export function ShareDialog({ track, open, onOpenChange }: ShareDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title="Share"
        description={`${track.title}, week ${track.weekNumber}`}
        data-week={track.weekNumber}
      >
        <Ways track={track} />
      </DialogContent>
    </Dialog>
  );
}

const WAYS = [
  { value: 'link', label: 'Link' },
  { value: 'embed', label: 'Embed' },
  { value: 'picture', label: 'Picture' },
] as const;
type Way = (typeof WAYS)[number]['value'];

/** Embeds and pictures show what visitors may hear. */
const isPublic = ({ unreleased, isSubscriberOnly, publishedAt }: Track): boolean =>
  !unreleased && !isSubscriberOnly && publishedAt <= Date.now();

function Ways({ track }: { track: Track }) {
  const [way, setWay] = useState<Way>('link');
  if (!isPublic(track))
    return (
      <>
        <ShareAddress track={track} />
        <p className="mt-4 text-13 text-text-2">
          {track.isSubscriberOnly
            ? 'Only Premium subscribers can open this mix.'
            : 'This mix isn’t public yet, so the link doesn’t work for everyone.'}
        </p>
      </>
    );
  return (
    <>
      <Segmented
        label="How to share"
        options={WAYS}
        value={way}
        onValueChange={setWay}
        className="mb-5"
      />
      {way === 'link' && <ShareAddress track={track} />}
      {way === 'embed' && <ShareEmbed track={track} />}
      {way === 'picture' && <SharePicture track={track} />}
    </>
  );
}
