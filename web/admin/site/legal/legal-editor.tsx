import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { LegalPageName } from '#contract/legal-pages.ts';
import { LegalText as LegalTextRule, type LegalDraft } from '#contract/legal.ts';
import { formatDate } from '#contract/rules/format.ts';
import { ApiError, call, describeFailure } from '#web/lib/api/api.ts';
import { boot } from '#web/lib/store/boot.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { TextAreaField } from '#web/ui/forms/field.tsx';
import { useUnsavedChanges } from '#web/ui/forms/unsaved-changes.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { apiQuery, refreshPaths } from '#web/lib/api/api-query.ts';
import { LegalText } from '#web/features/legal/legal-text.tsx';

export const legalDraftQuery = (page: LegalPageName) => ({
  ...apiQuery('GET /api/admin/legal/:page', { params: { page } }),
  // Don't replace what the administrator is typing.
  refetchOnWindowFocus: false,
});

/** Edits the text of a page; saving publishes a new version. */
export function LegalEditor({ draft }: { draft: LegalDraft }) {
  const { page, version } = draft;
  const client = useQueryClient();
  const [text, setText] = useState(draft.text);
  const [error, setError] = useState<string | null>(null);
  const params = { page };
  const preview = useMutation({
    mutationFn: (shown: string) =>
      call('POST /api/admin/legal/:page/preview', { params, body: { text: shown } }),
  });
  const publish = useMutation({
    mutationFn: (body: { version: number; text: string }) =>
      call('POST /api/admin/legal/:page', { params, body }),
    onSuccess: async (published) => {
      client.setQueryData(legalDraftQuery(page).queryKey, published);
      await refreshPaths(client, `/api/legal/${page}`);
    },
    retry: false,
  });
  const isStale = publish.error instanceof ApiError && publish.error.code === 'legal_changed';
  const isUnchanged = text.trim() === draft.text;
  const unsaved = useUnsavedChanges({
    name: `legal/${page}`,
    form: { text: text.trim() },
    before: { text: draft.text },
    onRestore: (changes) => setText(changes.text ?? text),
  });

  /** Checks the text with the server's rule before sending it. */
  function check(): string | null {
    const parsed = LegalTextRule.safeParse(text);
    setError(parsed.success ? null : (parsed.error.issues[0]?.message ?? 'Check the text.'));
    return parsed.success ? parsed.data : null;
  }

  async function save(): Promise<void> {
    const checked = check();
    if (checked === null || publish.isPending) return;
    const saved = await publish.mutateAsync({ version, text: checked }).catch(() => null);
    if (!saved) return;
    unsaved.clear();
    showToast({ title: 'New version published' });
  }

  function show(): void {
    const checked = check();
    if (checked !== null) preview.mutate(checked);
  }

  return (
    <div className="grid items-start gap-x-12 gap-y-8 *:min-w-0 @4xl/content:grid-cols-2">
      <div className="flex flex-col gap-5">
        {unsaved.notice}
        {publish.isError && (
          <Notice
            tone="danger"
            title={describeFailure(publish.error, 'Couldn’t save the text.')}
            actions={
              isStale && (
                <Button
                  variant="line"
                  onClick={() => void client.resetQueries(legalDraftQuery(page))}
                >
                  Load the current version
                </Button>
              )
            }
          />
        )}
        <TextAreaField
          label="Text"
          name="text"
          rows={22}
          hint="Plain text or Markdown: ## for headings, - for lists, **bold**, [links](/refunds). HTML is shown as text."
          error={error ?? undefined}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <div className="flex flex-wrap gap-2">
          <Button
            aria-disabled={publish.isPending || isUnchanged}
            onClick={() => void (isUnchanged || save())}
          >
            {publish.isPending ? 'Publishing…' : 'Publish new version'}
          </Button>
          <Button variant="line" aria-disabled={preview.isPending} onClick={show}>
            Preview
          </Button>
          {text.trim() !== draft.defaultText && (
            <Button variant="quiet" onClick={() => setText(draft.defaultText)}>
              Use the default text
            </Button>
          )}
        </div>
        {isUnchanged && <p className="type-meta">This is what the page says now.</p>}
        <Facts facts={draft.facts} />
      </div>
      <div className="flex flex-col gap-8">
        <section aria-label="Preview">
          <h2 className="mb-3 type-section">Preview</h2>
          {preview.isError && (
            <Notice
              tone="danger"
              title={describeFailure(preview.error, 'Couldn’t load the preview.')}
            />
          )}
          {preview.data ? (
            <LegalText html={preview.data.html} />
          ) : (
            <p className="text-text-2">Choose Preview to see what the text looks like.</p>
          )}
        </section>
        <section aria-label="Versions">
          <h2 className="mb-1 type-section">Versions</h2>
          <ul className="border-b border-line">
            {draft.versions.map((one) => (
              <li key={one.version} className="flex flex-wrap gap-x-4 border-t border-line py-2.5">
                <a
                  href={`/${page}?version=${one.version}`}
                  className="underline underline-offset-4"
                >
                  Version {one.version}
                </a>
                <span className="text-text-2">
                  {formatDate(one.at, boot.timeZone)}
                  {one.by === null ? '' : `, by ${one.by}`}
                </span>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </div>
  );
}

function Facts({ facts }: { facts: LegalDraft['facts'] }) {
  return (
    <details className="rounded-panel border border-line p-3.5">
      <summary className="cursor-pointer font-medium">What the text can say in braces</summary>
      <p className="mt-2 text-13 text-text-2">
        These come from the settings, so that the page always states your present rules.
      </p>
      <dl className="mt-3 flex flex-col gap-2 text-13">
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt className="font-medium">{`{${name}}`}</dt>
            <dd className="break-words text-text-2">{value || 'Nothing at present.'}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
