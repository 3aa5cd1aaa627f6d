import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from 'wouter';
import type { AdminLetter } from '#contract/admin/letters.ts';
import { letterPath } from '#contract/letters.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { FormPageSkeleton, LeadSkeleton } from '#web/admin/admin-skeletons.tsx';
import { useRefreshOn } from '#web/lib/api/use-refresh-on.ts';
import { formatNumber } from '#web/lib/format/format.ts';
import { showErrorToast } from '#web/lib/store/toasts.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import {
  letterQuery,
  LETTERS_PATH,
  refreshLetters,
  resumeLetter,
  saveLetter,
  stopLetter,
} from './api.ts';
import { PageField } from './choice-field.tsx';
import { LetterEditor } from './letter-editor.tsx';
import { LetterPreview } from './letter-preview.tsx';
import { describeLetter, STATES } from './letter-words.ts';

/** What can be done about a letter that isn't a draft any more. */
const STEPS = {
  planned: { label: 'Cancel, and edit it', run: stopLetter },
  sending: { label: 'Stop sending', run: stopLetter },
  stopped: { label: 'Go on sending', run: resumeLetter },
};

/** All that is counted. */
function Figures({ counts }: Pick<AdminLetter, 'counts'>) {
  const rows = [
    ['Sent', counts.sent],
    ['Refused or came back', counts.returned],
    ['Uncertain or failed', counts.failed],
    ['No longer wanted it', counts.leftOut],
    ['Unsubscribed with this letter', counts.unsubscribed],
  ] as const;
  return (
    <dl className="border-b border-line">
      {rows.map(([label, count]) => (
        <div key={label} className="flex justify-between gap-4 border-t border-line py-2.5">
          <dt className="text-text-2">{label}</dt>
          <dd className="font-semibold tabular-nums">{formatNumber(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A letter that is planned, on its way or out. */
function LetterStatus({ letter }: { letter: AdminLetter }) {
  const client = useQueryClient();
  const { id, state, version, counts, page } = letter;
  useRefreshOn('admin:letters', LETTERS_PATH);
  const act = useMutation({
    mutationFn: (run: () => Promise<AdminLetter>) => run(),
    retry: false,
    onSuccess: (changed) => {
      client.setQueryData(letterQuery(id).queryKey, changed);
      void refreshLetters(client);
    },
    onError: (error) => {
      showErrorToast(error, 'Check your connection and try again.');
      void client.invalidateQueries(letterQuery(id));
    },
  });
  const step = state in STEPS ? STEPS[state as keyof typeof STEPS] : null;
  const done = counts.sent + counts.returned + counts.failed + counts.leftOut;
  return (
    <div className="grid items-start gap-x-12 gap-y-8 *:min-w-0 @4xl/content:grid-cols-2">
      <div className="flex flex-col gap-6">
        <div role="status" className="grid gap-2">
          <p className="type-section">{STATES[state]}</p>
          <p className="text-text-2">{describeLetter(letter, letter.estimateMs)}</p>
          {(state === 'sending' || state === 'stopped') && (
            <progress
              aria-label="Sent"
              className="h-2 w-full accent-(--action)"
              max={done + counts.waiting}
              value={done}
            />
          )}
        </div>
        {step && (
          <Button
            className="self-start"
            variant={state === 'stopped' ? 'primary' : 'line'}
            aria-disabled={act.isPending}
            onClick={() => !act.isPending && act.mutate(() => step.run(id))}
          >
            {step.label}
          </Button>
        )}
        {state !== 'planned' && <Figures counts={counts} />}
        <PageField
          page={page}
          onChange={(chosen) => act.mutate(() => saveLetter(id, { version, page: chosen }))}
        />
        {(state === 'sending' || state === 'sent') && page !== 'none' && (
          <LinkButton href={letterPath(id)} variant="line" className="self-start">
            Open its page
          </LinkButton>
        )}
      </div>
      <LetterPreview
        content={{
          subject: letter.subject,
          body: letter.body,
          picture: letter.picture,
          pictureText: letter.pictureText,
          trackId: letter.trackId,
        }}
      />
    </div>
  );
}

export function Page() {
  const { id = '' } = useParams();
  const query = useQuery(letterQuery(id));
  const { data, error } = query;
  return (
    <AdminFrame
      title="Letter"
      lead={data ? data.subject || 'A new draft' : !error && <LeadSkeleton />}
    >
      <Loaded
        query={query}
        failed="Couldn’t load this letter."
        missing={{
          title: 'Letter not found',
          text: 'There’s no letter with this ID. Its draft may have been deleted.',
          link: { href: '/admin/letters', label: 'All letters' },
        }}
        skeleton={<FormPageSkeleton />}
      >
        {(letter) =>
          letter.state === 'draft' ? (
            <LetterEditor key={letter.id} letter={letter} />
          ) : (
            <LetterStatus letter={letter} />
          )
        }
      </Loaded>
    </AdminFrame>
  );
}
