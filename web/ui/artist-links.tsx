import { Link } from 'wouter';
import type { ArtistName } from '#contract/artists/artists.ts';

/** `Zola, Ama`, each with a link to the artist’s page. */
export const ArtistLinks = ({ artists }: { artists: readonly ArtistName[] }) =>
  artists.map(({ id, name }, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <Link
        href={`/artist/${id}`}
        className="font-semibold break-words text-text underline-offset-4 hover:underline"
      >
        {name}
      </Link>
    </span>
  ));
