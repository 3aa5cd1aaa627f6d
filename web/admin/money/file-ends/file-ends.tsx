import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { FileEndValues, FileEndsState } from '#contract/admin/file-ends.ts';
import type { FileEnds } from '#contract/rules/allowed-files.ts';
import { NOTICE_MS } from '#contract/rules/file-ends.ts';
import { DAY } from '#contract/rules/time.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { ApiError, call } from '#web/lib/api/api.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { formatCount, formatDate } from '#web/lib/format/format.ts';
import { boot, changeBoot } from '#web/lib/store/boot.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Field, TextAreaField } from '#web/ui/forms/field.tsx';
import { SelectField } from '#web/ui/forms/select-field.tsx';
import { Form } from '#web/ui/forms/form.tsx';
import { useUnsavedChanges } from '#web/ui/forms/unsaved-changes.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { PanelRowsSkeleton } from '#web/ui/panel-skeleton.tsx';
import {
  END_NAMES,
  parseTypedEnds,
  toTypedEnds,
  type TypedEnd,
  type TypedEnds,
} from './typed-ends.ts';

const fileEndsQuery = apiQuery('GET /api/admin/file-ends');

const KINDS = [
  {
    name: 'downloadsEnd',
    label: 'Downloads',
    hint: 'MP3 and lossless files to keep: on pages, in podcast feeds and in music apps. Links that were given out stop too; what is being downloaded goes on.',
  },
  {
    name: 'losslessEnd',
    label: 'Lossless downloads',
    hint: 'FLAC alone. MP3 stays, unless downloads end.',
  },
  {
    name: 'savingEnd',
    label: 'Saving in the app',
    hint: 'Copies in the browser, which play offline while a subscription lasts. Those that exist are removed with the next visit.',
  },
] as const satisfies readonly { name: keyof FileEnds; label: string; hint: string }[];

export function Page() {
  return (
    <AdminFrame
      title="Streaming only"
      lead="What members may take with them. Streaming always goes on; a single mix has its own switches on its edit page."
    >
      <Loaded
        query={useQuery(fileEndsQuery)}
        failed="Couldn’t load what members may keep."
        skeleton={<PanelRowsSkeleton rows={4} />}
      >
        {(state) => <FileEndsForm state={state} />}
      </Loaded>
    </AdminFrame>
  );
}

type Ends = z.infer<typeof FileEndValues> & { reason?: string };

const isSame = (one: FileEndsState, other: FileEndsState): boolean =>
  END_NAMES.every((name) => one[name] === other[name]);

const put = (version: number, ends: Ends): Promise<FileEndsState> =>
  call('PUT /api/admin/file-ends', { body: { ...ends, version } });

/** Someone else’s change of a setting is no conflict, unless it is about these ends. */
async function save(opened: FileEndsState, ends: Ends): Promise<FileEndsState> {
  try {
    return await put(opened.version, ends);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'settings_changed') throw error;
    const current = await call('GET /api/admin/file-ends');
    if (!isSame(current, opened)) throw error;
    return put(current.version, ends);
  }
}

/** Each change that members are told of is newer than the last. */
function describeTelling(before: FileEndsState, { lastChange }: FileEndsState): string {
  if (!lastChange || lastChange.members === 0 || lastChange.at === before.lastChange?.at)
    return 'Nobody has to be told of it.';
  const are = lastChange.members === 1 ? 'is' : 'are';
  return `${formatCount(lastChange.members, 'member')} ${are} told by e-mail.`;
}

function FileEndsForm({ state }: { state: FileEndsState }) {
  const client = useQueryClient();
  const [opened, setOpened] = useState(state);
  const [changes, setChanges] = useState<Partial<TypedEnds>>({});
  const { subscribers, lastChange } = state;
  const before = toTypedEnds(opened, boot.timeZone);
  const typed = { ...before, ...changes };
  const isTyped = JSON.stringify(typed) !== JSON.stringify(before);
  // What others save comes in until something is typed. Then it is a conflict, and typing stays.
  if (!isTyped && opened !== state) setOpened(state);
  const unsaved = useUnsavedChanges({
    name: 'file-ends',
    form: typed,
    before,
    onRestore: (restored) => setChanges((current) => ({ ...current, ...restored })),
  });
  const change = (name: keyof TypedEnds, value: string) =>
    setChanges((current) => ({ ...current, [name]: value }));
  return (
    <Form
      className="flex max-w-xl flex-col gap-6"
      submitLabel="Save"
      busyLabel="Saving…"
      button={{ className: 'self-start' }}
      notice={unsaved.notice}
      parse={() => parseTypedEnds(typed, opened, boot.timeZone)}
      onSubmit={async (ends) => {
        const saved = await save(opened, ends);
        const { downloadsEnd, losslessEnd, savingEnd } = saved;
        unsaved.clear();
        changeBoot({ fileEnds: { downloadsEnd, losslessEnd, savingEnd } });
        client.setQueryData(fileEndsQuery.queryKey, saved);
        setOpened(saved);
        setChanges({});
        showToast({ title: 'Saved', description: describeTelling(opened, saved) });
      }}
      failed="Couldn’t save it."
    >
      {(errors) => (
        <>
          {KINDS.map((kind) => (
            <End
              key={kind.name}
              {...kind}
              end={opened[kind.name]}
              saved={before[kind.name]}
              value={typed[kind.name]}
              onChange={(value) => change(kind.name, value)}
              error={errors[kind.name]}
            />
          ))}
          <TextAreaField
            label="Why it can’t wait"
            name="reason"
            rows={3}
            value={typed.reason}
            onChange={({ target }) => change('reason', target.value)}
            error={errors.reason}
            hint={`Only if something ends in less than ${NOTICE_MS / DAY} days. For the audit log; members don’t read it.`}
          />
          <p className="text-13 text-text-2">
            {subscribers === 0
              ? 'Nobody has Premium now, so nobody is told.'
              : `${formatCount(subscribers, 'member')} with Premium ${subscribers === 1 ? 'gets' : 'get'} an e-mail at once: what ends when, and what they can do.`}{' '}
            Read your <a href="/admin/legal">terms</a> and the{' '}
            <a href="/admin/mails">words of your e-mails</a> too: a text of your own may still
            promise it.
          </p>
          {lastChange && lastChange.members > 0 && (
            <p className="type-meta">
              {`The change of ${formatDate(lastChange.at)}: ${lastChange.told} of ${formatCount(lastChange.members, 'member')} told.`}
            </p>
          )}
        </>
      )}
    </Form>
  );
}

type EndProps = (typeof KINDS)[number] & {
  end: number | null;
  /** What was chosen before anything was typed. */
  saved: TypedEnd;
  value: TypedEnd;
  onChange: (value: TypedEnd) => void;
  error: string | undefined;
};

const isDay = (value: TypedEnd): boolean => value !== 'on' && value !== 'now';

function End({ name, label, hint, end, saved, value, onChange, error }: EndProps) {
  const hasDay = isDay(value);
  return (
    <div className="grid items-start gap-4 @xl/content:grid-cols-2">
      <SelectField
        label={label}
        hint={hint}
        error={hasDay ? undefined : error}
        className={hasDay ? '' : '@xl/content:col-span-2'}
        name={`${name}-choice`}
        value={hasDay ? 'day' : value}
        options={[
          { value: 'on', label: 'On' },
          { value: 'day', label: 'On until a day' },
          {
            value: 'now',
            label: saved === 'now' && end !== null ? `Off since ${formatDate(end)}` : 'Off at once',
          },
        ]}
        onChange={({ target }) =>
          onChange(target.value === 'day' ? (isDay(saved) ? saved : '') : target.value)
        }
      />
      {hasDay && (
        <Field
          label={`${label}: off from`}
          name={name}
          type="date"
          value={value}
          onChange={({ target }) => onChange(target.value)}
          hint={`That day begins at midnight, ${boot.timeZone.replace('_', ' ')} time.`}
          error={error}
        />
      )}
    </div>
  );
}
