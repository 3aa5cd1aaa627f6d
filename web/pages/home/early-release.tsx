import { useQuery } from '@tanstack/react-query';
import type { EarlyRelease } from '#contract/tracks.ts';
import { earlyReleaseQuery } from '#web/features/tracks/api.ts';
import { usePublicHour } from '#web/features/tracks/early-access.tsx';
import { useUpgradePath } from '#web/lib/location/use-next.ts';
import { LinkButton } from '#web/ui/button.tsx';

/** Shows listeners without Premium what subscribers can already hear. */
export function EarlyReleaseNote() {
  const { data } = useQuery(earlyReleaseQuery);
  return data?.release ? <Note {...data.release} /> : null;
}

function Note({ weekNumber, publishedAt }: EarlyRelease) {
  const upgradePath = useUpgradePath();
  const hour = usePublicHour(publishedAt);
  if (!hour) return null;
  return (
    <section
      data-week={weekNumber}
      aria-label="Early access"
      className="flex flex-wrap items-center gap-x-5 gap-y-2 border-b border-line px-gutter py-3.5"
    >
      <span aria-hidden className="type-numeral-small text-40">
        {weekNumber}
      </span>
      <p className="min-w-[16ch] flex-1 text-text-2">
        <b className="font-semibold text-text">
          A new mix for week {weekNumber} is out for Premium members now.
        </b>{' '}
        It’s public on{' '}
        {/* As wide in every way to write a time, because it changes to the listener's own. */}
        <span className="inline-block min-w-[10em]">{hour}.</span>
      </p>
      <LinkButton href={upgradePath} variant="line" size="sm">
        Hear it now
      </LinkButton>
    </section>
  );
}
