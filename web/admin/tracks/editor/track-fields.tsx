import { useId, useRef, useState, type ChangeEvent } from 'react';
import { flushSync } from 'react-dom';
import { formatCount } from '#web/lib/format/format.ts';
import type { FieldErrors } from '#web/ui/forms/parse-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, TextAreaField } from '#web/ui/forms/field.tsx';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { Switch } from '#web/ui/forms/switch.tsx';
import { Plus } from '#web/ui/icons.ts';
import { ArtistsField } from './artists-field.tsx';
import { ReleaseWarning } from './release-warning.tsx';
import { findReleaseWarning, listDetails, type TrackForm } from './track-draft.ts';
import { TracklistField } from './tracklist-field.tsx';
import { useQuery } from '@tanstack/react-query';
import { catalogueFacetsQuery } from './api.ts';

type TrackFieldsProps = {
  form: TrackForm;
  errors: FieldErrors;
  timeZone: string;
  genres: readonly string[];
  /** What can be heard of the mix; null if nothing can. */
  sound: string | File | null;
  /** Seconds of audio; null as long as nobody knows. */
  duration: number | null;
  tracklistFile: File | null;
  openedAt: number;
  /** It can’t be released until it is put back. */
  isTakenDown: boolean;
  /** Undefined while the settings load. */
  earlyAccessHours: number | undefined;
  onChange: (change: Partial<TrackForm>) => void;
};

const describeEarlyAccess = (hours: number | undefined): string =>
  hours === undefined || hours === 0
    ? ''
    : `Subscribers get it ${formatCount(hours, 'hour')} earlier.`;

const RELEASES = [
  { value: 'draft', label: 'Draft' },
  { value: 'at', label: 'Schedule' },
  { value: 'now', label: 'Publish' },
] as const;

/** What members may take with them, at once. */
const KEPT = [
  ['hasDownloads', 'Downloads'],
  ['hasLossless', 'Lossless downloads'],
  ['hasSaving', 'Saving in the app'],
] as const;

/** The fields that are typed as text. */
type TextName = 'title' | 'week' | 'year' | 'genre' | 'bpm' | 'description' | 'releaseAt';

/** The fields of a track, for an upload as well as for a finished one. */
export function TrackFieldsForm(props: TrackFieldsProps) {
  const {
    form,
    errors,
    timeZone,
    genres,
    sound,
    earlyAccessHours,
    openedAt,
    isTakenDown,
    onChange,
  } = props;
  const listId = useId();
  const [isSeriesOpen, setSeriesOpen] = useState(false);
  const hasSeries = isSeriesOpen || form.series !== '';
  const fields = useRef<HTMLDivElement>(null);
  function openSeries() {
    flushSync(() => setSeriesOpen(true));
    fields.current?.querySelector<HTMLInputElement>('[name=series]')?.focus();
  }
  const warning = findReleaseWarning(form, timeZone, openedAt);
  // A draft kept on this device may still want a release: then it can be set back.
  const hasRelease = !isTakenDown || form.releaseKind !== 'draft';
  const bind = (name: TextName) => ({
    name,
    value: form[name],
    error: errors[name],
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange({ [name]: event.target.value }),
  });
  return (
    <div ref={fields} className="grid gap-5">
      <Field label="Title" {...bind('title')} />
      <ArtistsField
        artists={form.artists}
        error={errors.artists}
        onChange={(artists) => onChange({ artists })}
        more={
          !hasSeries && (
            <Button size="sm" variant="quiet" onClick={openSeries}>
              <Plus />
              Add to a series
            </Button>
          )
        }
      />
      {hasSeries && (
        <SeriesField
          value={form.series}
          error={errors.series}
          onChange={(series) => {
            setSeriesOpen(true);
            onChange({ series });
          }}
        />
      )}
      <div className="grid grid-cols-2 items-start gap-4">
        <Field label="Week" inputMode="numeric" {...bind('week')} />
        <Field label="Year" inputMode="numeric" {...bind('year')} />
      </div>
      <div className="grid grid-cols-2 items-start gap-4">
        <Field label="Genre" list={listId} {...bind('genre')} />
        <Field label="BPM" inputMode="numeric" hint="Leave empty if unknown." {...bind('bpm')} />
      </div>
      <datalist id={listId}>
        {genres.map((genre) => (
          <option key={genre} value={genre}>
            {genre}
          </option>
        ))}
      </datalist>
      <TextAreaField
        label="Description"
        {...bind('description')}
        className="min-h-28 leading-snug"
      />
      <TracklistField
        value={form.tracklist}
        error={errors.tracklist ?? errors.chapters}
        sound={sound}
        duration={props.duration}
        file={props.tracklistFile}
        onChange={(tracklist) => onChange({ tracklist })}
        onImport={({ chapters }) => onChange({ details: listDetails(chapters) })}
      />
      <Switch
        label="Subscribers only"
        hint="Free members can’t play it, not even a preview."
        checked={form.isSubscriberOnly}
        onCheckedChange={(isSubscriberOnly) => onChange({ isSubscriberOnly })}
      />
      {KEPT.map(([name, label]) => (
        <Switch
          key={name}
          label={label}
          checked={form[name]}
          onCheckedChange={(isOn) => onChange({ [name]: isOn })}
        />
      ))}
      <div className="grid gap-3">
        <span className="font-medium">Release</span>
        {isTakenDown && (
          <p className="text-text-2">It can’t be released until an administrator puts it back.</p>
        )}
        {hasRelease && (
          <Segmented
            label="Release"
            className="w-fit"
            options={RELEASES}
            value={form.releaseKind}
            onValueChange={(releaseKind) => onChange({ releaseKind })}
          />
        )}
        {form.releaseKind === 'at' ? (
          <Field
            label="Release date"
            type="datetime-local"
            {...bind('releaseAt')}
            hint={`${timeZone.replace('_', ' ')} time. ${describeEarlyAccess(earlyAccessHours)}`}
            error={errors.release}
          />
        ) : (
          errors.release && <p className="text-13 text-danger">{errors.release}</p>
        )}
        <ReleaseWarning text={warning} />
      </div>
    </div>
  );
}

type SeriesFieldProps = {
  value: string;
  error: string | undefined;
  onChange: (series: string) => void;
};

/** The name of a series; those of other mixes are suggested. */
function SeriesField({ value, error, onChange }: SeriesFieldProps) {
  const listId = useId();
  const { data: facets } = useQuery(catalogueFacetsQuery);
  return (
    <>
      <Field
        label="Series"
        name="series"
        hint="Mixes with the same name form a series."
        list={listId}
        maxLength={60}
        autoComplete="off"
        value={value}
        error={error}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={listId}>
        {facets?.series.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}
