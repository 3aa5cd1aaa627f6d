import { FILE_KINDS, findEndOf, type FileKind } from '#contract/rules/file-ends.ts';
import { formatDate } from '#web/lib/format/format.ts';
import { boot } from '#web/lib/store/boot.ts';
import { Notice } from '#web/ui/notice.tsx';

const TEXTS: Record<FileKind, [name: string, then: string]> = {
  mp3: ['Downloads', 'What you’ve downloaded by then stays with you, and streaming goes on.'],
  flac: ['Lossless downloads', 'MP3 downloads stay.'],
  saving: ['Offline copies', 'Mixes saved in this app are removed then.'],
};

/** What ends, from the announcement until the day: `Downloads end on 1 March 2027`. */
export function FileEndsNotice({ className = '' }: { className?: string }) {
  const ends = findEndOf(boot.fileEnds);
  const now = Date.now();
  const coming = FILE_KINDS.filter((kind) => {
    const end = ends[kind];
    const isSaid = kind === 'flac' && end === ends.mp3;
    return end !== null && end > now && !isSaid;
  });
  return coming.map((kind) => (
    <Notice
      key={kind}
      tone="warning"
      title={`${TEXTS[kind][0]} end on ${formatDate(ends[kind] ?? 0)}`}
      className={`mb-3 ${className}`}
    >
      {TEXTS[kind][1]}
    </Notice>
  ));
}
