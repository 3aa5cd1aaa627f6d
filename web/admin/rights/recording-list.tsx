import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, useDeferredValue, useState } from 'react';
import { Link } from 'wouter';
import type { Recording } from '#contract/admin/recordings.ts';
import { MAX_CHAPTER_TEXT } from '#contract/rules/tracklist.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { SelectField } from '#web/ui/forms/select-field.tsx';
import { Form } from '#web/ui/forms/form.tsx';
import { readText } from '#web/ui/forms/parse-form.ts';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { ReasonDialog } from '#web/ui/overlays/reason-dialog.tsx';
import { PagedList } from '#web/ui/paged-list.tsx';
import {
  mergeRecording,
  recordingChoicesQuery,
  recordingPagesQuery,
  refreshRecordings,
  saveRecording,
  type RecordingFilter,
} from './api.ts';
import { FieldInputs } from './entry-cards.tsx';
import { parseRow, toValues } from './sheet.ts';
import {
  describeDetails,
  describeGaps,
  formatTrack,
  formatNames,
  listGaps,
  listSharing,
} from './words.ts';

type Tool = 'edit' | 'merge';

function RecordingRow({ recording }: { recording: Recording }) {
  const [tool, setTool] = useState<Tool | null>(null);
  const { tracks, lastTracks, details, problems } = recording;
  const gaps = listGaps(problems);
  const sharing = listSharing(problems);
  const name = formatNames(recording);
  const close = () => setTool(null);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line px-4 py-3 first:border-0 @3xl/content:px-5">
      <div className="min-w-0 flex-1 basis-[14rem] wrap-anywhere">
        <p className="font-semibold">{name}</p>
        <p className="text-13 text-text-2">{describeDetails(details)}</p>
        <p className="text-13 text-text-3">
          <Facts>
            {tracks === 0 && 'In no mix'}
            {tracks > 0 && (
              <span>
                {tracks === 1 ? 'In ' : `In ${tracks} mixes: `}
                {lastTracks.map((track, index) => (
                  <Fragment key={track.id}>
                    {index > 0 && '; '}
                    <Link
                      href={`/admin/tracks/${track.id}/rights`}
                      className="underline underline-offset-4"
                    >
                      {formatTrack(track)}
                    </Link>
                  </Fragment>
                ))}
                {tracks > lastTracks.length && ` and ${tracks - lastTracks.length} more`}
              </span>
            )}
            {gaps.length > 0 && describeGaps(gaps)}
          </Facts>
        </p>
        {sharing.length > 0 && (
          <p className="text-13 text-warning">
            Same ISRC as {sharing.map(formatNames).join(', ')}: one is wrong, or they are one
            recording.
          </p>
        )}
      </div>
      <div className="flex gap-2">
        <Button
          variant="line"
          size="sm"
          aria-label={`Correct ${name}`}
          onClick={() => setTool('edit')}
        >
          Correct
        </Button>
        <Button
          variant="quiet"
          size="sm"
          aria-label={`Merge ${name}`}
          onClick={() => setTool('merge')}
        >
          Merge
        </Button>
      </div>
      {tool === 'edit' && <EditDialog recording={recording} onClose={close} />}
      {tool === 'merge' && <MergeDialog recording={recording} sharing={sharing} onClose={close} />}
    </li>
  );
}

type DialogProps = { recording: Recording; onClose: () => void };

function EditDialog({ recording: latest, onClose }: DialogProps) {
  const client = useQueryClient();
  // Its fields are of the moment in which it opened, so a change since then must be refused.
  const [recording] = useState(latest);
  const [artist, setArtist] = useState(recording.artist ?? '');
  const [title, setTitle] = useState(recording.title);
  const [values, setValues] = useState(() => toValues(recording.details));
  const scope =
    recording.tracks > 1 ? `In ${recording.tracks} mixes: changes apply to all of them. ` : '';
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title="Correct a recording"
        description={`${scope}Artist and title are those of reports: tracklists keep theirs.`}
      >
        <Form
          submitLabel="Save"
          busyLabel="Saving…"
          actions={
            <Button variant="quiet" onClick={onClose}>
              Cancel
            </Button>
          }
          parse={() => {
            const { details, errors } = parseRow({ values });
            const all = { ...errors, ...(title.trim() === '' && { title: 'Enter a title.' }) };
            return Object.keys(all).length > 0 ? { errors: all } : { data: details };
          }}
          onSubmit={async (details) => {
            const { id, updatedAt } = recording;
            await saveRecording(id, {
              updatedAt,
              details,
              artist: artist.trim() || null,
              title: title.trim(),
            });
            showToast({ title: 'Recording saved' });
            onClose();
            await refreshRecordings(client);
          }}
          failed="Couldn’t save this recording."
        >
          {(errors) => (
            <>
              <Field
                label="Artist"
                name="artist"
                value={artist}
                maxLength={MAX_CHAPTER_TEXT}
                autoComplete="off"
                error={errors.artist}
                onChange={({ target }) => setArtist(target.value)}
              />
              <Field
                label="Title"
                name="title"
                value={title}
                maxLength={MAX_CHAPTER_TEXT}
                autoComplete="off"
                error={errors.title}
                onChange={({ target }) => setTitle(target.value)}
              />
              <FieldInputs
                values={values}
                errors={errors}
                onType={(field, value) => setValues({ ...values, [field]: value })}
              />
            </>
          )}
        </Form>
      </DialogContent>
    </Dialog>
  );
}

function MergeDialog({
  recording,
  sharing,
  onClose,
}: DialogProps & { sharing: readonly Pick<Recording, 'id'>[] }) {
  const client = useQueryClient();
  // First those that are probably the same.
  const [typed, setTyped] = useState(sharing.length > 0 ? (recording.details.isrc ?? '') : '');
  const { data } = useQuery(recordingChoicesQuery(useDeferredValue(typed.trim())));
  const others = data?.items.filter(({ id }) => id !== recording.id) ?? [];
  return (
    <ReasonDialog
      title="Merge recordings"
      description={`“${formatNames(recording)}” becomes the recording you choose, in every mix. That one keeps what is known of it and gets what it lacks. This can’t be undone.`}
      confirmLabel="Merge"
      failed="Couldn’t merge the recordings."
      onConfirm={async (_reason, form) => {
        const merged = await mergeRecording(recording.id, readText(form, 'into'));
        if (merged) showToast({ title: `Merged into “${formatNames(merged)}”` });
        await refreshRecordings(client);
      }}
      onClose={onClose}
    >
      <Field
        label="Find a recording"
        value={typed}
        maxLength={120}
        autoComplete="off"
        onChange={({ target }) => setTyped(target.value)}
      />
      <SelectField
        label="Merge into"
        hint={data && others.length === 0 && 'No other recording matches.'}
        name="into"
        options={others.map((other) => ({
          value: other.id,
          label: [formatNames(other), other.details.isrc].filter(Boolean).join(', '),
        }))}
      />
    </ReasonDialog>
  );
}

export function RecordingList({ filter }: { filter: RecordingFilter }) {
  const isNarrowed = filter.search !== undefined || filter.gap !== undefined;
  return (
    <PagedList
      label="Recordings"
      query={useInfiniteQuery(recordingPagesQuery(filter))}
      failed="Couldn’t load recordings."
      empty={
        <EmptyState
          glyph="nothing"
          title={isNarrowed ? 'No recordings found' : 'No recordings yet'}
          text={
            isNarrowed
              ? 'No recording matches.'
              : 'Open a mix, choose “What was played”, and say more about its tracks.'
          }
        />
      }
      renderItem={(recording) => <RecordingRow key={recording.id} recording={recording} />}
    />
  );
}
