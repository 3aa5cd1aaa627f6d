import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import type { LetterItem } from '#contract/admin/letters.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { useRefreshOn } from '#web/lib/api/use-refresh-on.ts';
import { showErrorToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PagedList } from '#web/ui/paged-list.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { createLetter, letterQuery, LETTERS_PATH, lettersQuery, refreshLetters } from './api.ts';
import { describeLetter, STATES } from './letter-words.ts';

export function Page() {
  useRefreshOn('admin:letters', LETTERS_PATH);
  return (
    <AdminFrame
      title="Letters"
      lead="To members who want product news. Nobody is followed: what is counted is sent, came back and unsubscribed."
    >
      <NewLetter />
      <PagedList
        label="Letters"
        query={useInfiniteQuery(lettersQuery)}
        failed="Couldn’t load the letters."
        empty={
          <EmptyState
            glyph="nothing"
            title="No letters yet"
            text="Write to your members: where you play, what is coming, what changed."
          />
        }
        renderItem={(letter) => <LetterRow key={letter.id} letter={letter} />}
      />
    </AdminFrame>
  );
}

function NewLetter() {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const create = useMutation({
    mutationFn: createLetter,
    retry: false,
    onSuccess: (letter) => {
      client.setQueryData(letterQuery(letter.id).queryKey, letter);
      void refreshLetters(client);
      navigate(`/admin/letters/${letter.id}`);
    },
    onError: (error) => showErrorToast(error, 'Check your connection and try again.'),
  });
  return (
    <Button
      className="self-start"
      aria-disabled={create.isPending}
      onClick={() => !create.isPending && create.mutate()}
    >
      Write a letter
    </Button>
  );
}

function LetterRow({ letter }: { letter: LetterItem }) {
  const { id, subject, state } = letter;
  return (
    <li className="border-t border-line first:border-0">
      <Link
        href={`/admin/letters/${id}`}
        className="flex min-h-16 flex-wrap items-center gap-x-3.5 gap-y-1 px-3 py-2.5 transition-colors hover:bg-raised @5xl/content:px-5"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-semibold">{subject || 'Without a subject'}</span>
          <span className="block text-13 break-words text-text-2">{describeLetter(letter)}</span>
        </span>
        <Tag>{STATES[state]}</Tag>
      </Link>
    </li>
  );
}
