import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { YearPicture } from '#web/features/sharing/year-picture.tsx';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { useThisWeek } from '#web/lib/format/use-this-week.ts';
import { Select } from '#web/ui/forms/select.tsx';
import { facetsQuery } from '#web/features/tracks/api.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Loaded, LoadFailure } from '#web/ui/loaded.tsx';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

type SiteYearDialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

/** All mixes of a year of the site, as a picture to save. */
export function SiteYearDialog({ open, onOpenChange }: SiteYearDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title="The year as a picture"
        description="Every mix that is out for everyone, with plays and listeners of the whole year."
      >
        <SiteYear />
      </DialogContent>
    </Dialog>
  );
}

function SiteYear() {
  const thisWeek = useThisWeek();
  const facets = useQuery(facetsQuery);
  const years = facets.data?.years.filter((each) => each <= thisWeek.year) ?? [];
  const [chosen, setChosen] = useState<number | null>(null);
  const year = chosen ?? Math.max(...years);
  if (!facets.data)
    return facets.error ? (
      <LoadFailure query={facets} look="line" failed="Couldn’t load the years." />
    ) : (
      <Skeleton className="h-80" />
    );
  if (years.length === 0) return <NoMixes />;
  return (
    <>
      {years.length > 1 && (
        <Select
          label="Year"
          className="mb-3"
          value={String(year)}
          onValueChange={(value) => setChosen(Number(value))}
          options={years.map((each) => ({ value: String(each), label: String(each) }))}
        />
      )}
      <YearOfSite year={year} />
    </>
  );
}

const missing = {
  title: 'No mixes yet',
  text: 'The picture is there once a mix of the year is out for everyone.',
};
const NoMixes = () => <EmptyState glyph="nothing" headingLevel={3} {...missing} />;

function YearOfSite({ year }: { year: number }) {
  const params = { year: String(year) };
  const query = useQuery(apiQuery('GET /api/admin/years/:year', { params }));
  return (
    <Loaded
      query={query}
      look="section"
      failed="Couldn’t load this year"
      missing={missing}
      skeleton={<Skeleton className="h-80" />}
    >
      {(view) => <YearPicture view={view} path={`/api/admin/years/${year}/picture`} />}
    </Loaded>
  );
}
