import { Link } from 'wouter';
import { formatDuration } from '#contract/rules/duration.ts';
import { isHit, readWords, type SearchTerm } from '#contract/rules/search-words.ts';
import type { SearchResult } from '#contract/search.ts';
import { MarkedText } from '#web/features/search/marked-text.tsx';
import { cutSnippet } from '#web/features/search/snippet.ts';
import { describeChapter, trackPath } from '#web/features/search/suggestion-options.ts';

type SearchNoteProps = { result: SearchResult; terms: readonly SearchTerm[] };

/** Under the title: where it was found, unless title and genre say so already. */
export function SearchNote({ result, terms }: SearchNoteProps) {
  const { id, chapter, weekNumber } = result;
  const snippet = chapter ? null : findSnippet(result, terms);
  return (
    <>
      {chapter ? (
        <Link href={trackPath(id, chapter)} className="underline-offset-4 hover:underline">
          <MarkedText text={describeChapter(chapter)} terms={terms} />
        </Link>
      ) : (
        <MarkedText text={snippet ?? result.genre ?? 'Unknown Genre'} terms={terms} />
      )}
      <span className="md:sr-only"> · Week {weekNumber}</span>
      {!chapter && !snippet && (
        <span className="md:hidden"> · {formatDuration(result.duration)}</span>
      )}
    </>
  );
}

/** The description, when it has a word that neither title nor genre has. */
function findSnippet(
  { title, genre, description }: SearchResult,
  terms: readonly SearchTerm[],
): string | null {
  const words = readWords(`${title} ${genre ?? ''}`);
  const missing = terms.filter((term) => !words.some(({ word }) => isHit(term, word)));
  return missing.length > 0 ? cutSnippet(description, missing) : null;
}
