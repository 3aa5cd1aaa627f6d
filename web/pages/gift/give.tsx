import { plansQuery } from '#web/features/billing/api.ts';
import { GiveForm } from './give-form.tsx';
import { PosterBars, yearShape } from '#web/ui/art/poster-bars.tsx';
import { PageHead } from '#web/ui/page-head.tsx';

export const listQueries = () => [plansQuery];

export function Page() {
  return (
    <>
      <PageHead
        title="Give Premium"
        lead="Every mix in full, for someone you like. Paid once, from your bank account or with a card."
      />
      <div className="grid gap-10 px-gutter pt-8 @4xl/content:grid-cols-[minmax(0,1fr)_minmax(0,0.8fr)]">
        <GiveForm />
        <div className="hidden min-h-80 items-end border-b border-line @4xl/content:flex">
          <PosterBars bars={yearShape()} />
        </div>
      </div>
    </>
  );
}
