import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { LEGAL_PAGES, legalTitles } from '#contract/legal-pages.ts';
import { legalDraftQuery } from '#web/features/legal/api.ts';
import { LegalEditor } from './legal-editor.tsx';
import { describeFailure } from '#web/lib/api/api.ts';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { Notice, RetryNotice } from '#web/ui/notice.tsx';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { FormPageSkeleton } from '#web/admin/admin-skeletons.tsx';

export function Page() {
  const wanted = useQueryParam('page');
  const page = LEGAL_PAGES.find((name) => name === wanted) ?? 'terms';
  const { data, error, refetch } = useQuery(legalDraftQuery(page));
  return (
    <AdminFrame title="Legal pages" lead="What you promise your members, and who you are.">
      <Notice tone="warning" title="Have a lawyer confirm this">
        The default texts are a careful start for a South African seller, not legal advice. Your
        name, address and phone number come from the <Link href="/admin/settings">settings</Link>.
      </Notice>
      <nav aria-label="Legal page" className="flex flex-wrap gap-2">
        {LEGAL_PAGES.map((name) => (
          <Link
            key={name}
            href={`/admin/legal?page=${name}`}
            aria-current={name === page ? 'page' : undefined}
            className={`inline-flex min-h-11 items-center rounded-pill border px-4 ${name === page ? 'border-text font-semibold' : 'border-line-strong text-text-2 hover:text-text'}`}
          >
            {legalTitles[name]}
          </Link>
        ))}
      </nav>
      {error && !data && (
        <RetryNotice
          title={describeFailure(error, 'Couldn’t load the text.')}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <FormPageSkeleton />}
      {data && <LegalEditor key={`${page} ${data.version}`} draft={data} />}
    </AdminFrame>
  );
}
