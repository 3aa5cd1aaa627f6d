import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FileEndValues, type FileEndsState } from '#contract/admin/file-ends.ts';
import type { FileEnds } from '#contract/rules/allowed-files.ts';
import { NOTICE_MS } from '#contract/rules/file-ends.ts';
import { DAY } from '#contract/rules/time.ts';
import { parseZoned } from '#contract/rules/zoned-time.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { call } from '#web/lib/api/api.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { formatCount, formatDate } from '#web/lib/format/format.ts';
import { boot, changeBoot } from '#web/lib/store/boot.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Field, FieldFrame, inputClass, TextAreaField } from '#web/ui/forms/field.tsx';
import { Form } from '#web/ui/forms/form.tsx';
import { fieldErrors, readText, type ParsedForm } from '#web/ui/forms/parse-form.ts';
import { Loaded } from '#web/ui/loaded.tsx';
import { PanelRowsSkeleton } from '#web/ui/panel-skeleton.tsx';

const fileEndsQuery = apiQuery('GET /api/admin/file-ends');

const KINDS = [
  {
    name: 'downloadsEnd',
    label: 'Downloads',
    hint: 'MP3 and lossless files to keep: on pages, in podcast feeds and in music apps. Links that were given out stop too.',
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

type Choice = 'on' | 'day' | 'now';

const choiceOf = (end: number | null, now: number): Choice =>
  end === null ? 'on' : end > now ? 'day' : 'now';

/** The midnight of a day on which something ends, as the site's time zone has it. */
const toDay = (at: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: boot.timeZone }).format(at);

type Body = FileEnds & { reason?: string };

/** The values of the form, or what is wrong with them. */
function parseEnds(form: FormData, now: number): ParsedForm<Body> {
  const values = Object.fromEntries(
    KINDS.map(({ name }): [string, number | null] => {
      const choice = readText(form, `${name}-choice`);
      if (choice === 'on') return [name, null];
      if (choice === 'now') return [name, now];
      return [name, parseZoned(`${readText(form, name)}T00:00`, boot.timeZone) ?? Number.NaN];
    }),
  );
  const parsed = FileEndValues.safeParse(values);
  if (!parsed.success) return { errors: fieldErrors(parsed.error.issues) };
  const reason = readText(form, 'reason').trim();
  return { data: { ...parsed.data, ...(reason && { reason }) } };
}

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
        {(state) => <FileEndsForm key={state.version} state={state} />}
      </Loaded>
    </AdminFrame>
  );
}

function FileEndsForm({ state }: { state: FileEndsState }) {
  const client = useQueryClient();
  const { subscribers, version, lastChange } = state;
  return (
    <Form
      className="flex max-w-xl flex-col gap-6"
      submitLabel="Save"
      busyLabel="Saving…"
      button={{ className: 'self-start' }}
      parse={(element) => parseEnds(new FormData(element), Date.now())}
      onSubmit={async (body) => {
        const saved = await call('PUT /api/admin/file-ends', { body: { ...body, version } });
        const { downloadsEnd, losslessEnd, savingEnd } = saved;
        changeBoot({ fileEnds: { downloadsEnd, losslessEnd, savingEnd } });
        client.setQueryData(fileEndsQuery.queryKey, saved);
        showToast({ title: 'Saved', description: 'Subscribers are told by e-mail.' });
      }}
      failed="Couldn’t save it."
    >
      {(errors) => (
        <>
          {KINDS.map((kind) => (
            <End key={kind.name} {...kind} end={state[kind.name]} error={errors[kind.name]} />
          ))}
          <TextAreaField
            label="Why it can’t wait"
            name="reason"
            rows={3}
            error={errors.reason}
            hint={`Only if something ends in less than ${NOTICE_MS / DAY} days. For the audit log; members don’t read it.`}
          />
          <p className="text-13 text-text-2">
            {subscribers === 0
              ? 'Nobody has Premium now, so nobody is told.'
              : `${formatCount(subscribers, 'member')} with Premium ${subscribers === 1 ? 'gets' : 'get'} an e-mail at once: what ends when, and what they can do.`}{' '}
            Read your <a href="/admin/legal">terms</a> too: a text of your own may still promise it.
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

type EndProps = (typeof KINDS)[number] & { end: number | null; error: string | undefined };

function End({ name, label, hint, end, error }: EndProps) {
  const [openedAt] = useState(Date.now);
  const [choice, setChoice] = useState<Choice>(() => choiceOf(end, openedAt));
  const isOver = end !== null && end <= openedAt;
  return (
    <div className="grid items-start gap-4 @xl/content:grid-cols-2">
      <FieldFrame
        label={label}
        hint={hint}
        error={choice === 'day' ? undefined : error}
        className={choice === 'day' ? '' : '@xl/content:col-span-2'}
      >
        {(control) => (
          <select
            {...control}
            name={`${name}-choice`}
            className={inputClass}
            value={choice}
            onChange={({ target }) => setChoice(target.value as Choice)}
          >
            <option value="on">On</option>
            <option value="day">On until a day</option>
            <option value="now">{isOver ? `Off since ${formatDate(end)}` : 'Off at once'}</option>
          </select>
        )}
      </FieldFrame>
      {choice === 'day' && (
        <Field
          label={`${label}: off from`}
          name={name}
          type="date"
          defaultValue={end !== null && !isOver ? toDay(end) : ''}
          hint={`That day begins at midnight, ${boot.timeZone.replace('_', ' ')} time.`}
          error={error}
        />
      )}
    </div>
  );
}
