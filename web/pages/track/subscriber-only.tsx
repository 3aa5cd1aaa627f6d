import { useQuery } from '@tanstack/react-query';
import { formatWeekDays } from '#contract/rules/weeks.ts';
import { PageSkeleton } from '#web/router/page-skeleton.tsx';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { useUpgradePath } from '#web/lib/location/use-next.ts';
import { Numeral } from '#web/ui/art/numeral.tsx';
import { Sleeve } from '#web/ui/art/sleeve.tsx';
import { LinkButton } from '#web/ui/button.tsx';
import { EmptyPage } from '#web/ui/empty-state.tsx';
import { Lock } from '#web/ui/icons.ts';

const TITLE = 'This mix is for Premium subscribers';
const TEXT = 'Get it in full with Premium, along with every other mix.';
const LABEL = 'Upgrade to Premium';

/** The page of a subscribers-only mix for everyone else: its week and its sleeve, all that they learn of it. */
export function SubscriberOnly({ id }: { id: string }) {
  const upgradePath = useUpgradePath();
  const { data: teaser, isPending } = useQuery(
    apiQuery('GET /api/tracks/:id/teaser', { params: { id } }),
  );
  if (isPending) return <PageSkeleton kind="stage" />;
  if (!teaser)
    return (
      <EmptyPage
        pageTitle="Track"
        glyph="locked"
        title={TITLE}
        text={TEXT}
        link={{ href: upgradePath, label: LABEL, variant: 'primary' }}
      />
    );
  const { year, weekNumber: week } = teaser;
  return (
    <section
      data-week={week}
      aria-labelledby="track-title"
      className="stage grid grid-cols-[minmax(0,1fr)_auto] items-end gap-x-[18px] gap-y-6 px-gutter pt-3.5 pb-8 @3xl/content:grid-cols-[clamp(200px,31.2cqi,max(372px,22cqi))_minmax(0,1fr)_auto] @3xl/content:gap-x-8 @3xl/content:pt-8"
    >
      <Sleeve isFirst week={week} trackId={id} className="@max-3xl/content:max-w-[320px]" />
      <div className="@container flex flex-col items-start @max-3xl/content:order-1 @max-3xl/content:col-span-full">
        <p className="flex items-center gap-2 type-kicker">
          <Lock className="size-4 shrink-0" />
          Week {week}, {formatWeekDays({ year, week })}
        </p>
        <h1 id="track-title" className="mt-3.5 type-display text-40 @md:text-56">
          {TITLE}
        </h1>
        <p className="mt-4 max-w-[44ch] type-lead">{TEXT}</p>
        <LinkButton href={upgradePath} size="lg" className="mt-6">
          {LABEL}
        </LinkButton>
      </div>
      <Numeral
        value={week}
        isDecorative
        size="clamp(180px, 31.5cqi, max(376px, 22cqi))"
        className="@max-3xl/content:text-[min(272px,69.5cqi)]!"
      />
    </section>
  );
}
