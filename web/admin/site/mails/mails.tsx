import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MAIL_GROUPS } from '#contract/admin/mails.ts';
import {
  findWordsProblem,
  type MailWords,
  type MailWordsName,
} from '#contract/rules/mail-words.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { MailView, useSettled } from '#web/admin/mail-view.tsx';
import { SettingInput } from '#web/admin/site/settings/setting-input.tsx';
import { listFields } from '#web/admin/site/settings/setting-pages.ts';
import { SettingsForm, useSettingsDraft } from '#web/admin/site/settings/settings-form.tsx';
import { describeFailure } from '#web/lib/api/api.ts';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { Button } from '#web/ui/button.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { LoadFailure } from '#web/ui/loaded.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { mailsQuery, previewQuery, sendTest } from './api.ts';

const WORDS = listFields('mails') as MailWordsName[];

export function Page() {
  return (
    <AdminFrame
      title="Releases and mail"
      lead="Every e-mail that the site sends, as it will arrive. The first words and the last are yours."
    >
      <SettingsForm page="mails">
        <div className="grid items-start gap-x-12 gap-y-9 *:min-w-0 @4xl/content:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
          <fieldset className="flex flex-col gap-5">
            <legend className="mb-4 type-section">Your words</legend>
            <SettingInput name="greeting" />
            <SettingInput name="releaseIntro" />
            <SettingInput name="releaseEnd" />
            <SettingInput name="premiumWelcome" />
          </fieldset>
          <Preview />
        </div>
      </SettingsForm>
    </AdminFrame>
  );
}

/** The words as they are typed; words with a mistake as they are saved. */
function useWords(): MailWords {
  const { settings, typed } = useSettingsDraft();
  const entries = WORDS.map((name) => {
    const isWrong = findWordsProblem(name, typed[name]) !== null;
    return [name, isWrong ? settings.values[name] : typed[name]];
  });
  return useSettled(Object.fromEntries(entries) as MailWords);
}

function Preview() {
  const [name, setName] = useState(useQueryParam('mail') ?? 'release');
  /** The mix that a link to this page is about. */
  const track = useQueryParam('mix');
  const wanted = { name, words: useWords(), track: name === 'release' ? track : null };
  const mails = useQuery(mailsQuery);
  const query = useQuery(previewQuery(wanted));
  const send = useMutation({ mutationFn: sendTest, retry: false });
  const groups = MAIL_GROUPS.map((group) => ({
    label: group,
    options: (mails.data?.mails ?? [])
      .filter((mail) => mail.group === group)
      .map((mail) => ({ value: mail.name, label: mail.subject })),
  }));
  const { data } = query;
  return (
    <section
      aria-labelledby="preview"
      className="flex flex-col gap-3 @4xl/content:sticky @4xl/content:top-20"
    >
      <h2 id="preview" className="type-section">
        As it will arrive
      </h2>
      <div className="flex flex-wrap gap-2">
        <Select
          label="E-mail"
          className="max-w-full min-w-0 flex-[1_1_16rem]"
          options={mails.data ? groups : [{ value: name, label: data?.subject ?? 'Loading…' }]}
          value={name}
          onValueChange={(chosen) => {
            setName(chosen);
            send.reset();
          }}
        />
        <Button variant="line" disabled={send.isPending} onClick={() => send.mutate(wanted)}>
          Send a test to me
        </Button>
      </div>
      <div aria-live="polite">
        {send.data && (
          <Notice
            tone="success"
            title={
              send.data.isSent
                ? `Test sent to ${send.data.to}.`
                : `The test to ${send.data.to} is in the outbox.`
            }
          />
        )}
        {send.error && (
          <Notice tone="danger" title={describeFailure(send.error, 'Couldn’t send the test.')} />
        )}
      </div>
      <LoadFailure query={query} look="line" failed="Couldn’t load the preview." />
      {data ? (
        <MailView mail={data} />
      ) : (
        !query.error && <Skeleton className="h-[70vh] min-h-96 rounded-panel" />
      )}
    </section>
  );
}
