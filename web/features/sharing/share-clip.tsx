import { useQuery } from '@tanstack/react-query';
import type { TrackClips } from '#contract/clips.ts';
import { MAX_CLIP_SECONDS } from '#contract/rules/clips.ts';
import type { Track } from '#contract/tracks.ts';
import { hasFullAccess, useCurrentUser } from '#web/lib/api/current-user.ts';
import { useRefreshOn } from '#web/lib/api/use-refresh-on.ts';
import { useUpgradePath } from '#web/lib/location/use-next.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { trackClipsQuery } from './clip-api.ts';
import { ClipEditor } from './clip-editor.tsx';
import { OwnClip } from './own-clip.tsx';

/** Marks a clip, and shows those that the user has of this mix. */
export function ShareClip({ track }: { track: Track }) {
  useRefreshOn('me/clips', `/api/tracks/${track.id}/clips`);
  return (
    <Loaded
      query={useQuery(trackClipsQuery(track.id))}
      look="line"
      failed="Couldn’t load the clips."
      skeleton={
        <p role="status" className="min-h-72 text-text-2">
          Loading clips…
        </p>
      }
    >
      {(clips) => <Clips track={track} clips={clips} />}
    </Loaded>
  );
}

function Clips({ track, clips }: { track: Track; clips: TrackClips }) {
  return (
    <>
      {clips.refusal === null ? (
        <ClipEditor track={track} clips={clips} />
      ) : (
        <Refusal text={clips.refusal} />
      )}
      {clips.items.length > 0 && (
        <section aria-labelledby="own-clips" className="mt-7">
          <h3 id="own-clips" className="mb-1 font-semibold">
            Your clips of this mix
          </h3>
          <ul>
            {clips.items.map((clip) => (
              <OwnClip key={clip.id} track={track} clip={clip} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Refusal({ text }: { text: string }) {
  const { user } = useCurrentUser();
  const upgradePath = useUpgradePath();
  return (
    <>
      <p className="text-text-2">{text}</p>
      {!hasFullAccess(user) && (
        <>
          <p className="mt-2 text-text-2">
            Mark up to {MAX_CLIP_SECONDS} seconds of a mix and send them to anyone, as a link or a
            video.
          </p>
          <LinkButton href={upgradePath} className="mt-4">
            Upgrade to Premium
          </LinkButton>
        </>
      )}
    </>
  );
}
