import { useQuery } from '@tanstack/react-query';
import { useId, type ChangeEvent } from 'react';
import type { SiteSettings } from '#contract/admin/settings.ts';
import type { FieldErrors } from '#web/lib/parse-form.ts';
import { Field, FieldFrame, inputClass } from '#web/ui/forms/field.tsx';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { Switch } from '#web/ui/forms/switch.tsx';
import { suggestRelease, type TrackForm } from './track-draft.ts';

type TrackFieldsProps = {
  form: TrackForm;
  errors: FieldErrors;
  timeZone: string;
  genres: readonly string[];
  onChange: (change: Partial<TrackForm>) => void;
};

const RELEASES = [
  { value: 'draft', label: 'Draft' },
  { value: 'at', label: 'Schedule' },
  { value: 'now', label: 'Publish' },
] as const;

const areaClass = `${inputClass} h-auto min-h-28 py-2.5 leading-snug`;

/** The fields of a track, for an upload as well as for a finished one. */
export function TrackFieldsForm({ form, errors, timeZone, genres, onChange }: TrackFieldsProps) {
  const listId = useId();
  const settings = useQuery<SiteSettings>({ queryKey: ['/api/admin/settings'] }).data?.values;
  const suggested = () =>
    form.releaseAt || !settings
      ? {}
      : { releaseAt: suggestRelease(Date.now(), settings.releaseHour, timeZone) };
  const set =
    (name: keyof TrackForm) => (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange({ [name]: event.target.value });
  async function importCue(event: ChangeEvent<HTMLInputElement>) {
    const [file] = event.target.files ?? [];
    event.target.value = '';
    if (file) onChange({ tracklist: await file.text() });
  }
  return (
    <div className="grid gap-5">
      <Field
        label="Title"
        name="title"
        value={form.title}
        onChange={set('title')}
        error={errors.title}
      />
      <div className="grid grid-cols-2 gap-4">
        <Field
          label="Week"
          name="week"
          inputMode="numeric"
          value={form.week}
          onChange={set('week')}
          error={errors.week}
        />
        <Field
          label="Year"
          name="year"
          inputMode="numeric"
          value={form.year}
          onChange={set('year')}
          error={errors.year}
        />
      </div>
      <div className="grid grid-cols-2 gap-4">
        <Field
          label="Genre"
          name="genre"
          list={listId}
          value={form.genre}
          onChange={set('genre')}
          error={errors.genre}
        />
        <Field
          label="BPM"
          name="bpm"
          inputMode="numeric"
          hint="Leave empty if unknown."
          value={form.bpm}
          onChange={set('bpm')}
          error={errors.bpm}
        />
      </div>
      <datalist id={listId}>
        {genres.map((genre) => (
          <option key={genre} value={genre}>
            {genre}
          </option>
        ))}
      </datalist>
      <FieldFrame label="Description" error={errors.description}>
        {(control) => (
          <textarea
            className={areaClass}
            name="description"
            value={form.description}
            onChange={set('description')}
            {...control}
          />
        )}
      </FieldFrame>
      <FieldFrame
        label="Tracklist"
        hint="One track per line: 12:30 Artist - Title. You can also paste a cue sheet."
        error={errors.tracklist ?? errors.chapters}
      >
        {(control) => (
          <textarea
            className={`${areaClass} min-h-40 font-mono text-13 md:text-13`}
            name="tracklist"
            spellCheck={false}
            value={form.tracklist}
            onChange={set('tracklist')}
            {...control}
          />
        )}
      </FieldFrame>
      <label className="-mt-2 w-fit cursor-pointer text-13 font-semibold text-text-2 underline underline-offset-4 hover:text-text has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-focus">
        Import .cue file
        <input
          type="file"
          accept=".cue,text/plain"
          className="sr-only"
          onChange={(event) => void importCue(event)}
        />
      </label>
      <Switch
        label="Subscribers only"
        hint="Free members can’t play it, not even a preview."
        checked={form.isSubscriberOnly}
        onCheckedChange={(isSubscriberOnly) => onChange({ isSubscriberOnly })}
      />
      <div className="grid gap-3">
        <span className="font-medium">Release</span>
        <Segmented
          label="Release"
          className="w-fit"
          options={RELEASES}
          value={form.releaseKind}
          onValueChange={(releaseKind) =>
            onChange({ releaseKind, ...(releaseKind === 'at' && suggested()) })
          }
        />
        {form.releaseKind === 'at' ? (
          <Field
            label="Release date"
            type="datetime-local"
            name="releaseAt"
            value={form.releaseAt}
            onChange={set('releaseAt')}
            hint={`${timeZone.replace('_', ' ')} time. Subscribers get it ${settings?.earlyAccessHours ?? 48} hours earlier.`}
            error={errors.release}
          />
        ) : (
          errors.release && <p className="text-13 text-danger">{errors.release}</p>
        )}
      </div>
    </div>
  );
}
