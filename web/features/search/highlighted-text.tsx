import { splitByHits, type SearchTerm, isHit, readWords } from '#contract/rules/search-words.ts';

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

const BEFORE = 40;
const LENGTH = 160;

/** The part of a text around its first match; null without a match. */
export function buildSnippet(text: string, terms: readonly SearchTerm[]): string | null {
  const words = readWords(text);
  const hit = words.find(({ word }) => terms.some((term) => isHit(term, word)));
  if (!hit) return null;
  const from = words.find(({ start }) => start >= hit.start - BEFORE)?.start ?? 0;
  const start = from <= BEFORE ? 0 : from;
  const cut = text
    .slice(start, start + LENGTH)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return `${start > 0 ? '…' : ''}${cut}${start + LENGTH < text.length ? '…' : ''}`;
}
