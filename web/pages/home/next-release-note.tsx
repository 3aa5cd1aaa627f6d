import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';
import { useNextRelease } from '#web/features/tracks/next-release.ts';
import { refreshPaths } from '#web/lib/api/api-query.ts';
import { hasFullAccess } from '#web/lib/api/current-user.ts';
import { useUpgradePath } from '#web/lib/location/use-next.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';

type NextReleaseNoteProps = { tracks: readonly Track[]; user: User | null };

/** When the next mix comes out, and what subscribers can already hear. */
export function NextReleaseNote({ tracks, user }: NextReleaseNoteProps) {
  const next = useNextRelease(hasFullAccess(user));
  const upgradePath = useUpgradePath();
  if (!next) return null;
  const { year, weekNumber, title, text, isOut } = next;
  const { length } = tracks.filter(
    (track) => track.year === year && track.weekNumber === weekNumber,
  );
  /** Which mix of its week it is. */
  const place = ['the', 'the second', 'the third'][length] ?? 'another';
  return (
    <section
      aria-labelledby="next-release"
      className="flex flex-wrap items-center gap-x-5 gap-y-2 border-b border-line px-gutter py-3.5"
    >
      <h2 id="next-release" className="type-section">
        {title ? 'Early access' : `Week ${weekNumber}`}
      </h2>
      <p className="min-w-[16ch] flex-1 text-text-2">
        {title && (
          <b className="font-semibold text-text">
            Premium members are already hearing {title}, {place} mix of week {weekNumber}.{' '}
          </b>
        )}
        <span className="tabular">{!isOut && text}</span>
        {/* A screen reader announces only what changes in a status that is there already. */}
        <span role="status">{isOut && text}</span>
        {!title && !isOut && (
          <>
            {' '}
            <a href="/releases.ics" className="underline underline-offset-4 hover:text-text">
              Add to calendar
            </a>
          </>
        )}
      </p>
      {isOut ? (
        <ShowButton />
      ) : (
        <>
          <TellMe user={user} />
          {title && (
            <LinkButton href={upgradePath} variant="line" size="sm">
              Hear it now
            </LinkButton>
          )}
        </>
      )}
    </section>
  );
}

/** Nothing asks for the mix by itself: not everybody who waits for it asks in the same second. */
function ShowButton() {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const show = () => {
    void refreshPaths(client, '/api/tracks');
    navigate('/');
    window.scrollTo({ top: 0 });
  };
  return (
    <Button size="sm" onClick={show}>
      Show it
    </Button>
  );
}

function TellMe({ user }: { user: User | null }) {
  const client = useQueryClient();
  if (!user)
    return (
      <LinkButton href="/register" variant="line" size="sm">
        Tell me
      </LinkButton>
    );
  const tell = async () => {
    const { tellMe } = await import('#web/features/notifications/tell-me.ts');
    await tellMe(client, user);
  };
  return (
    <Button variant="line" size="sm" onClick={() => void tell()}>
      Tell me
    </Button>
  );
}
