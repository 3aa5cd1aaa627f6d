import { Link } from 'wouter';
import { ApiError } from '#web/lib/api.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyPage } from '#web/app/empty-page.tsx';

type PlaylistProblemProps = {
  title: string;
  /** Why it may not be there. */
  missing: string;
  error: Error;
  onRetry: () => void;
};

export const isRefusal = (error: Error): boolean => error instanceof ApiError && error.status < 500;

export function PlaylistProblem({ title, missing, error, onRetry }: PlaylistProblemProps) {
  return (
    <EmptyPage
      title={title}
      empty={
        isRefusal(error)
          ? {
              glyph: 'nothing',
              title: 'There is no playlist here',
              children: missing,
              action: (
                <Link href="/playlists" className={buttonClass({ variant: 'line' })}>
                  Your playlists
                </Link>
              ),
            }
          : {
              glyph: 'broken',
              title: 'The playlist could not be loaded',
              children: 'What is playing plays on. Check the connection and try again.',
              action: (
                <Button variant="line" onClick={onRetry}>
                  Try again
                </Button>
              ),
            }
      }
    />
  );
}
