import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CatalogueTrack } from '#contract/admin/catalogue.ts';
import { findWeekWarning, releaseTimeOf, suggestRelease } from '#contract/admin/release-time.ts';
import { parseZoned } from '#contract/rules/zoned-time.ts';
import { findReleaseProblem } from '#contract/track-fields.ts';
import { catalogueFacetsQuery } from './editor/api.ts';
import { ReleaseWarning } from './editor/release-warning.tsx';
import { boot } from '#web/lib/store/boot.ts';
import { formatCount, formatDayAndTime } from '#web/lib/format/format.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { BulkDialog } from './bulk-dialog.tsx';

type Tracks = readonly CatalogueTrack[];

const toSlot = ({ year, weekNumber }: CatalogueTrack) => ({ year, week: weekNumber });

/** The warning for one mix; for several, how many would come out in another week. */
export function describeOutside(tracks: Tracks, at: number): string | null {
  const warnings = tracks.flatMap(
    (track) => findWeekWarning(toSlot(track), at, boot.timeZone) ?? [],
  );
  if (tracks.length <= 1 || warnings.length === 0) return warnings[0] ?? null;
  return warnings.length === tracks.length
    ? `This is outside the week of all ${tracks.length} mixes.`
    : `This is outside the week of ${warnings.length} of ${tracks.length} mixes.`;
}

const KINDS = [
  { value: 'own', label: 'Each in its own week' },
  { value: 'one', label: 'All at one time' },
] as const;

type ScheduleDialogProps = {
  tracks: Tracks;
  /** Null for the release time of each mix's own week. */
  onSchedule: (at: number | null) => void;
  onClose: () => void;
};

export function ScheduleDialog({ tracks, onSchedule, onClose }: ScheduleDialogProps) {
  const [now] = useState(() => Date.now());
  const releases = useQuery(catalogueFacetsQuery).data?.rhythm;
  const rhythm = releases && { ...releases, timeZone: boot.timeZone };
  const [typed, setTyped] = useState<string | null>(null);
  const slots = tracks.map(toSlot);
  const first = slots.toSorted((a, b) => a.year - b.year || a.week - b.week)[0];
  const hasWeeks = slots.some(({ year, week }) => year !== first?.year || week !== first.week);
  const ownTimes = rhythm
    ? slots.map((slot) => parseZoned(releaseTimeOf(slot, rhythm), boot.timeZone) ?? 0)
    : [];
  const canUseOwn = hasWeeks && ownTimes.length > 0 && Math.min(...ownTimes) > now;
  const [kind, setKind] = useState<'own' | 'one'>('own');
  const isOwn = canUseOwn && kind === 'own';
  const at = typed ?? (first && rhythm ? suggestRelease(first, rhythm, now) : '');
  const time = parseZoned(at, boot.timeZone);

  function schedule(): string | null {
    if (isOwn) {
      onSchedule(null);
      return null;
    }
    if (time === null) return 'Choose a day and a time.';
    const problem = findReleaseProblem({ kind: 'at', at: time }, Date.now());
    if (!problem) onSchedule(time);
    return problem;
  }

  return (
    <BulkDialog
      title={`Schedule ${formatCount(tracks.length, 'mix', 'mixes')}`}
      submitLabel="Schedule"
      onSubmit={schedule}
      onClose={onClose}
    >
      {(error) => (
        <>
          {canUseOwn && (
            <Segmented
              label="Release time"
              className="w-fit"
              options={KINDS}
              value={kind}
              onValueChange={setKind}
            />
          )}
          {isOwn ? (
            <p className="text-text-2">
              Each mix comes out on the release day of its own week, from{' '}
              {formatDayAndTime(Math.min(...ownTimes))} to {formatDayAndTime(Math.max(...ownTimes))}
              .
            </p>
          ) : (
            <>
              <Field
                label="Release date"
                type="datetime-local"
                value={at}
                onChange={(event) => setTyped(event.target.value)}
                hint={`${boot.timeZone.replace('_', ' ')} time.`}
                error={error}
              />
              <ReleaseWarning text={time === null ? null : describeOutside(tracks, time)} />
            </>
          )}
        </>
      )}
    </BulkDialog>
  );
}
