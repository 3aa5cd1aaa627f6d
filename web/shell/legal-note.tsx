import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { formatDate } from '#contract/rules/format.ts';
import { boot } from '#web/lib/store/boot.ts';
import { Button } from '#web/ui/button.tsx';
import { call } from '#web/lib/api/api.ts';
import { currentUserQuery } from '#web/lib/api/current-user.ts';

/** Tells members once that the terms changed. It blocks nothing. */
export function LegalNote({ changedAt }: { changedAt: number }) {
  const client = useQueryClient();
  const seen = useMutation({
    mutationFn: () => call('POST /api/legal/changes/seen'),
    onSuccess: () => client.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
  });
  return (
    <section
      aria-label="Changed terms"
      className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-surface px-gutter py-1.5 text-13 text-text-2 [&_a]:text-text [&_a]:underline [&_a]:underline-offset-4"
    >
      <p className="min-w-0 flex-1 basis-40 py-1.5">
        Our terms changed on {formatDate(changedAt, boot.timeZone)}. Read the{' '}
        <Link href="/terms">terms</Link> and the <Link href="/privacy">privacy policy</Link>.
      </p>
      <Button
        variant="quiet"
        size="sm"
        className="-mx-3"
        aria-disabled={seen.isPending}
        onClick={() => void (seen.isPending || seen.mutate())}
      >
        Got it
      </Button>
    </section>
  );
}
