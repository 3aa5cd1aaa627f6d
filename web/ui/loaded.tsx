import { useState, type ComponentProps, type ReactNode } from 'react';
import { ApiError } from '#web/lib/api/api.ts';
import { Button } from './button.tsx';
import { EmptyPage, EmptyState } from './empty-state.tsx';
import { Notice } from './notice.tsx';

/** What a query says. Without data it loads, has failed, or nobody is logged in any more. */
type LoadedQuery<Data> = {
  data: Data | null | undefined;
  error: Error | null;
  refetch: () => unknown;
};

type LoadFailureProps = {
  query: LoadedQuery<unknown>;
  /** `Couldn’t load your devices` */
  failed: string;
  /** A notice; one line, for dialogs and between other parts; or a part of a page. */
  look?: 'notice' | 'line' | 'section';
  /** Makes the failure a page of its own. */
  pageTitle?: string | undefined;
  /** What still works, for a part of a page or all of it. */
  text?: string | undefined;
  className?: string | undefined;
};

/** What failed to load, and a way to try again; nothing as long as there is something to show. */
export function LoadFailure(props: LoadFailureProps) {
  const { query, failed, look = 'notice', pageTitle, className } = props;
  const { text = 'Your music keeps playing. Check your connection and try again.' } = props;
  const { data, error, refetch } = query;
  if (!error || data) return null;
  const retry = () => void refetch();
  const button = (
    <Button variant="line" onClick={retry}>
      Try again
    </Button>
  );
  const empty = { glyph: 'broken', title: failed, text, action: button } as const;
  if (pageTitle) return <EmptyPage pageTitle={pageTitle} {...empty} />;
  if (look === 'section')
    return (
      <div role="alert" className={className}>
        <EmptyState {...empty} />
      </div>
    );
  if (look === 'line')
    return (
      <div role="alert" className={`flex flex-wrap items-center gap-3 ${className ?? ''}`}>
        <p className="text-text-2">{failed}</p>
        {button}
      </div>
    );
  return (
    <Notice tone="danger" title={failed} {...(className && { className })}>
      {error instanceof ApiError && error.hasServerMessage && `${error.message} `}
      <button type="button" onClick={retry}>
        Try again
      </button>
    </Notice>
  );
}

type LoadedProps<Data> = Omit<LoadFailureProps, 'query'> & {
  query: LoadedQuery<Data>;
  /** Says that there is no such thing, or that it is gone. */
  missing?: Pick<ComponentProps<typeof EmptyState>, 'title' | 'text' | 'link'>;
  /** What the page shows instead if the server refuses; nothing for a failure like any other. */
  renderRefusal?: (error: ApiError) => ReactNode;
  skeleton?: ReactNode;
  children: (data: Data) => ReactNode;
};

/** What a query loads: its skeleton, why it failed, or what there is. */
export function Loaded<Data>(props: LoadedProps<Data>) {
  const { query, missing, renderRefusal, skeleton = null, children, ...failure } = props;
  const { data, error } = query;
  const { pageTitle } = failure;
  if (missing && error instanceof ApiError && error.status === 404)
    return pageTitle ? (
      <EmptyPage pageTitle={pageTitle} glyph="nothing" {...missing} />
    ) : (
      <EmptyState glyph="nothing" {...missing} />
    );
  if (data) return children(data);
  if (!error) return skeleton;
  const refusal = error instanceof ApiError ? renderRefusal?.(error) : undefined;
  return refusal || <LoadFailure query={query} {...failure} />;
}

type LoadedTogetherProps = {
  queries: readonly LoadedQuery<unknown>[];
  skeleton: ReactNode;
  /** Still says of each query what it loads or why it failed. */
  children: ReactNode;
};

/** Lists of any length above each other: shown once all are known, so that none pushes the next. */
export function LoadedTogether({ queries, skeleton, children }: LoadedTogetherProps) {
  const isKnown = queries.every(({ data, error }) => data || error);
  // What is typed stays while one of them loads again.
  const [isShown, setShown] = useState(isKnown);
  if (isKnown && !isShown) setShown(true);
  return isShown || isKnown ? children : skeleton;
}
