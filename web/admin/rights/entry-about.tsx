import { Fragment } from 'react';
import { Link } from 'wouter';
import { Button } from '#web/ui/button.tsx';
import type { Line } from './sheet.ts';
import { describeDetails, describeGaps, formatTrack, formatNames, listSharing } from './words.ts';

type EntryAboutProps = {
  line: Line;
  onAccept: () => void;
  onSeparate: (isSeparate: boolean) => void;
};

/** What a report misses of an entry, and which other mixes play the same recording. */
export function EntryAbout({ line, onAccept, onSeparate }: EntryAboutProps) {
  const { entry, row, gaps } = line;
  const { otherTracks, suggestion, problems } = entry;
  const sharing = listSharing(problems);
  const canAccept = suggestion !== null && row.recordingId !== suggestion.recordingId;
  return (
    <div className="flex flex-col items-start gap-2.5 text-14">
      <p className={gaps.length > 0 ? 'text-text-2' : 'text-text-3'}>
        {gaps.length > 0 ? `${describeGaps(gaps)}.` : 'Has everything a report needs.'}
      </p>
      {sharing.length > 0 && (
        <p className="text-text-2 wrap-anywhere">
          Same ISRC as{' '}
          {sharing.map((other, index) => (
            <Fragment key={other.id}>
              {index > 0 && ', '}
              <Link
                href={`/admin/rights?search=${encodeURIComponent(row.values.isrc)}`}
                className="underline underline-offset-4"
              >
                {formatNames(other)}
              </Link>
            </Fragment>
          ))}
          : one is wrong, or they are one recording.
        </p>
      )}
      {otherTracks > 0 && row.recordingId === entry.recordingId && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="text-text-2">
            {row.isSeparate
              ? 'Becomes a recording of its own: changes apply to this mix only.'
              : `In ${otherTracks + 1} mixes: changes apply to all of them.`}
          </p>
          <Button size="sm" variant="line" onClick={() => onSeparate(!row.isSeparate)}>
            {row.isSeparate ? 'Share it again' : 'Only this mix'}
          </Button>
        </div>
      )}
      {canAccept && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="min-w-0 text-text-2 wrap-anywhere">
            {suggestion.track ? `From ${formatTrack(suggestion.track)}` : 'Entered before'}:{' '}
            {describeDetails(suggestion.details)}.
          </p>
          <Button size="sm" variant="line" onClick={onAccept}>
            Use this
          </Button>
        </div>
      )}
    </div>
  );
}
