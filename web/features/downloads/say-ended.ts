import type { AllowedFiles } from '#contract/rules/allowed-files.ts';
import { FILE_KINDS, type FileKind } from '#contract/rules/file-ends.ts';
import { showToast } from '#web/lib/store/toasts.ts';

const TEXTS: Record<FileKind, [title: string, description: string]> = {
  mp3: [
    'Downloads have ended',
    'What you’ve downloaded stays with you. Every mix still plays here in full.',
  ],
  flac: ['Lossless downloads have ended', 'You can still download mixes as MP3.'],
  saving: [
    'Mixes can’t be saved offline any more',
    'Every mix still plays here in full while you’re online.',
  ],
};

/** To a member whose page was open meanwhile: what the site gave before, and gives no more. */
export function sayEnded(before: AllowedFiles, now: AllowedFiles): void {
  const ended = FILE_KINDS.filter((kind) => before[kind] && !now[kind]);
  for (const kind of ended) {
    // Lossless files are downloads too.
    if (kind === 'flac' && ended.includes('mp3')) continue;
    const [title, description] = TEXTS[kind];
    showToast({ title, description, isPersistent: true });
  }
}
