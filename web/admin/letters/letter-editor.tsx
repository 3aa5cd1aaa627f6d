import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { LetterValues, type AdminLetter, type LetterReach } from '#contract/admin/letters.ts';
import { LETTER_AUDIENCES } from '#contract/letters.ts';
import { formatNumber } from '#contract/rules/format.ts';
import { PictureField } from '#web/admin/tracks/editor/cover-field.tsx';
import { ApiError, describeFailure } from '#web/lib/api/api.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, TextAreaField } from '#web/ui/forms/field.tsx';
import { parseValues, type FieldErrors } from '#web/ui/forms/parse-form.ts';
import { useUnsavedChanges } from '#web/ui/forms/unsaved-changes.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ReasonDialog } from '#web/ui/overlays/reason-dialog.tsx';
import {
  deleteLetter,
  letterQuery,
  reachQuery,
  refreshLetters,
  saveLetter,
  testLetter,
  uploadPicture,
} from './api.ts';
import { LetterPreview } from './letter-preview.tsx';
import { AUDIENCE_HINTS, AUDIENCES, describePace, describeSend } from './letter-words.ts';
import { ChoiceField, PageField } from './choice-field.tsx';
import { MixField } from './mix-field.tsx';
import { SendDialog } from './send-dialog.tsx';

const toForm = ({
  subject,
  body,
  picture,
  pictureText,
  trackId,
  audience,
  page,
}: AdminLetter): LetterValues => ({
  subject,
  body,
  picture,
  pictureText,
  trackId,
  audience,
  page,
});

type Failure = { title: string; isOutdated: boolean };

/** Writes a draft: on the left what is typed, on the right what arrives. */
export function LetterEditor({ letter }: { letter: AdminLetter }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const before = toForm(letter);
  const [form, setForm] = useState(before);
  const [track, setTrack] = useState(letter.track);
  const [picturePath, setPicturePath] = useState(letter.picturePath);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [dialog, setDialog] = useState<'send' | 'delete' | null>(null);
  const { data: reach } = useQuery(reachQuery);
  const change = (values: Partial<LetterValues>) => {
    setForm({ ...form, ...values });
    setFailure(null);
    setErrors({});
  };
  const unsaved = useUnsavedChanges({
    name: `letter/${letter.id}`,
    form,
    before,
    onRestore: (changes) => change(changes),
  });
  const isChanged = JSON.stringify(form) !== JSON.stringify(before);

  function show(saved: AdminLetter) {
    client.setQueryData(letterQuery(letter.id).queryKey, saved);
    void refreshLetters(client);
  }

  /** Null if it couldn't be saved, which is said beside it. */
  async function save(): Promise<AdminLetter | null> {
    if (!isChanged) return letter;
    const parsed = parseValues(LetterValues, form);
    setErrors(parsed.errors ?? {});
    if (parsed.errors) return null;
    try {
      const saved = await saveLetter(letter.id, { version: letter.version, ...parsed.data });
      setForm(toForm(saved));
      unsaved.clear();
      show(saved);
      return saved;
    } catch (error) {
      setErrors(error instanceof ApiError ? error.fields : {});
      setFailure({
        title: describeFailure(error, 'Couldn’t save the letter.'),
        isOutdated: error instanceof ApiError && error.code === 'letter_changed',
      });
      return null;
    }
  }

  async function run(work: () => Promise<unknown>) {
    if (isBusy) return;
    setBusy(true);
    await work().finally(() => setBusy(false));
  }

  const saveDraft = () =>
    run(async () => {
      if (await save()) showToast({ title: 'Draft saved' });
    });
  const openSend = () =>
    run(async () => {
      const missing = {
        ...(form.subject.trim() === '' && { subject: 'Enter a subject.' }),
        ...(form.body.trim() === '' && { body: 'Write the letter.' }),
      };
      setErrors(missing);
      if (Object.keys(missing).length === 0 && (await save())) setDialog('send');
    });
  const sendTest = () =>
    run(async () => {
      const { audience: _audience, page: _page, ...content } = form;
      await testLetter(content).then(
        ({ to, isSent }) =>
          showToast({ title: isSent ? `Sent to ${to}` : `In the outbox, for ${to}` }),
        (error: unknown) => showErrorToast(error, 'Couldn’t send the test.'),
      );
    });

  return (
    <div className="grid items-start gap-x-12 gap-y-8 *:min-w-0 @4xl/content:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <form
        noValidate
        aria-label="Letter"
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          void saveDraft();
        }}
      >
        {unsaved.notice}
        {letter.refusal !== null && (
          <Notice tone="warning" title="This letter didn’t go out at its time.">
            {letter.refusal}
          </Notice>
        )}
        {failure && (
          <Notice
            tone="danger"
            title={failure.title}
            actions={
              failure.isOutdated && (
                <Button
                  size="sm"
                  variant="line"
                  onClick={() => void client.resetQueries(letterQuery(letter.id))}
                >
                  Load their version
                </Button>
              )
            }
          />
        )}
        <Field
          label="Subject"
          name="subject"
          value={form.subject}
          maxLength={120}
          error={errors.subject}
          onChange={(event) => change({ subject: event.target.value })}
        />
        <TextAreaField
          label="Text"
          name="body"
          rows={18}
          hint="Plain text or Markdown: ## for headings, - for lists, **bold**, [links](https://example.com). HTML is shown as text."
          error={errors.body}
          value={form.body}
          onChange={(event) => change({ body: event.target.value })}
        />
        <PictureField
          label="Picture"
          inputLabel="Picture"
          hint="JPEG, PNG, WebP or AVIF, up to 12 MB. It stands above the text."
          picture={
            picturePath ? (
              <img src={picturePath} alt="" className="w-full rounded-sleeve" />
            ) : (
              <div className="aspect-[4/3] rounded-sleeve bg-raised" />
            )
          }
          hasPicture={picturePath !== null}
          onPick={async (file) => {
            const uploaded = await uploadPicture(file);
            setPicturePath(uploaded.path);
            change({ picture: uploaded.picture });
          }}
          onRemove={async () => {
            setPicturePath(null);
            change({ picture: null, pictureText: '' });
          }}
        />
        {form.picture !== null && (
          <Field
            label="What the picture shows"
            name="pictureText"
            hint="For those who can’t see it, and while it is blocked."
            value={form.pictureText}
            maxLength={200}
            error={errors.pictureText}
            onChange={(event) => change({ pictureText: event.target.value })}
          />
        )}
        <MixField
          track={track}
          onChange={(chosen) => {
            setTrack(chosen);
            change({ trackId: chosen?.id ?? null });
          }}
        />
        <AudienceFields form={form} reach={reach ?? undefined} onChange={change} />
        <div className="sticky bottom-(--dock) z-10 -mx-(--gutter) flex flex-wrap gap-2 border-t border-line bg-bg px-gutter py-3 @4xl/content:static @4xl/content:mx-0 @4xl/content:border-0 @4xl/content:px-0">
          <Button
            className="max-md:grow"
            aria-disabled={isBusy || !reach}
            onClick={() => void (reach && openSend())}
          >
            {reach ? describeSend(form.audience, countOf(reach, form.audience)) : 'Send'}
          </Button>
          <Button type="submit" variant="line" aria-disabled={isBusy || !isChanged}>
            {isChanged ? 'Save draft' : 'Saved'}
          </Button>
          <Button variant="line" aria-disabled={isBusy} onClick={() => void sendTest()}>
            Send me a test
          </Button>
          <Button variant="quiet" onClick={() => setDialog('delete')}>
            Delete
          </Button>
        </div>
      </form>
      <LetterPreview
        content={{
          subject: form.subject,
          body: form.body,
          picture: form.picture,
          pictureText: form.pictureText,
          trackId: form.trackId,
        }}
      />
      {dialog === 'send' && reach && (
        <SendDialog
          letter={letter}
          reach={reach}
          onSent={(sent) => {
            setDialog(null);
            show(sent);
          }}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'delete' && (
        <ReasonDialog
          title="Delete this draft?"
          description="What is written in it goes with it."
          confirmLabel="Delete"
          isDestructive
          failed="Couldn’t delete the draft."
          onClose={() => setDialog(null)}
          onConfirm={async () => {
            await deleteLetter(letter.id);
            unsaved.clear();
            setForm(before);
            void refreshLetters(client);
            navigate('/admin/letters', { replace: true });
          }}
        />
      )}
    </div>
  );
}

const countOf = ({ audiences }: LetterReach, wanted: LetterValues['audience']): number =>
  audiences.find(({ audience }) => audience === wanted)?.members ?? 0;

type AudienceFieldsProps = {
  form: Pick<LetterValues, 'audience' | 'page'>;
  reach: LetterReach | undefined;
  onChange: (change: Partial<LetterValues>) => void;
};

/** Who gets it, and who reads it on the site. */
function AudienceFields({ form, reach, onChange }: AudienceFieldsProps) {
  const { audience, page } = form;
  const found = reach?.audiences.find((each) => each.audience === audience);
  const pace = reach && found ? describePace(found.estimateMs, reach) : '';
  const nameAudience = (each: LetterValues['audience']) =>
    AUDIENCES[each].label + (reach ? ` (${formatNumber(countOf(reach, each))})` : '');
  return (
    <>
      <ChoiceField
        label="Who gets it"
        hint={`${AUDIENCE_HINTS[audience]} Only who turned on “Product news”, at a confirmed address. ${pace}`}
        value={audience}
        options={LETTER_AUDIENCES}
        nameOf={nameAudience}
        onChange={(chosen) => onChange({ audience: chosen })}
      />
      <PageField page={page} onChange={(chosen) => onChange({ page: chosen })} />
    </>
  );
}
