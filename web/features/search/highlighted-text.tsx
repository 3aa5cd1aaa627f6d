import { splitByHits, type SearchTerm } from '#contract/rules/search-words.ts';

/** A text with the search terms highlighted. */
export function HighlightedText({ text, terms }: { text: string; terms: readonly SearchTerm[] }) {
  return splitByHits(text, terms).map((piece, i) =>
    piece.isHit ? (
      <mark
        key={i}
        className="bg-transparent text-inherit underline decoration-week decoration-2 underline-offset-[3px]"
      >
        {piece.text}
      </mark>
    ) : (
      piece.text
    ),
  );
}
