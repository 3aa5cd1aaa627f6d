import { Fragment } from 'react';
import { Link } from 'wouter';
import { describeJob } from '#contract/admin/job-names.ts';
import { describeJobError, type NamedPart } from './describe-job.ts';

/** What a job is called, what it works on, and what it does. */
export function JobName({ name, subjects = [] }: { name: string; subjects?: NamedPart[] }) {
  const words = describeJob(name);
  return (
    <>
      <p className="font-medium wrap-anywhere">
        {words.name}
        {subjects.map(({ text, href }) => (
          <Fragment key={text}>
            <span className="text-text-3"> · </span>
            {href ? (
              <Link
                href={href}
                className="underline decoration-line-strong underline-offset-4 hover:decoration-text"
              >
                {text}
              </Link>
            ) : (
              text
            )}
          </Fragment>
        ))}
      </p>
      {words.does && <p className="text-13 text-text-2">{words.does}</p>}
    </>
  );
}

/** Why the last run failed, in words; the original text on request. */
export function JobErrorText({ error }: { error: string }) {
  const { words, original } = describeJobError(error);
  return (
    <div className="max-w-[72ch] text-13 wrap-anywhere">
      <p className="text-danger">{words}</p>
      {original && (
        <details className="text-text-3">
          <summary className="w-fit cursor-pointer py-1 underline-offset-4 hover:underline">
            Technical detail
          </summary>
          {original}
        </details>
      )}
    </div>
  );
}
