import { ApiError } from '#web/lib/api/api.ts';
import { buildLoadError, EmptyPage } from '#web/ui/empty-state.tsx';

type PlaylistErrorProps = {
  title: string;
  /** Why the playlist may be missing. */
  missing: string;
  error: Error;
  onRetry: () => void;
};

export const isRefusal = (error: Error): boolean => error instanceof ApiError && error.status < 500;

export function PlaylistError({ title, missing, error, onRetry }: PlaylistErrorProps) {
  if (!isRefusal(error))
    return (
      <EmptyPage pageTitle={title} {...buildLoadError('Couldn’t load this playlist', onRetry)} />
    );
  return (
    <EmptyPage
      pageTitle={title}
      glyph="nothing"
      title="Playlist not found"
      text={missing}
      link={{ href: '/playlists', label: 'Your playlists' }}
    />
  );
}
