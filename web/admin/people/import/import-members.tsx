import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ColumnRole, DateOrder, ImportCheck } from '#contract/admin/member-imports.ts';
import { formatZoned, parseZoned } from '#contract/rules/zoned-time.ts';
import { apiQuery, refreshPaths } from '#web/lib/api/api-query.ts';
import { retryOnce } from '#web/lib/api/query-client.ts';
import { useRefreshOn } from '#web/lib/api/use-refresh-on.ts';
import { ColumnRoles } from './column-roles.tsx';
import { ImportLines } from './import-lines.tsx';
import { describePlan, EarlierImport, ImportProgress } from './import-summary.tsx';
import { sourceNames } from './words.ts';
import { DropZone } from '#web/admin/uploads/drop-zone.tsx';
import { boot } from '#web/lib/store/boot.ts';
import { call, describeFailure } from '#web/lib/api/api.ts';
import { withConfirmation } from '#web/lib/api/confirm-identity.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ReasonDialog } from '#web/ui/overlays/reason-dialog.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { AdminFrame } from '#web/admin/admin-frame.tsx';

const IMPORTS_PATH = '/api/admin/member-imports';

type CheckOptions = {
  roles?: readonly ColumnRole[];
  dateOrder?: DateOrder;
  payingUntil?: number;
};

/** The file stays in the browser: each change of the columns sends it again. */
const checkMutation = {
  mutationFn: ({ file, roles, ...options }: CheckOptions & { file: File }) =>
    call('POST /api/admin/member-imports', {
      query: {
        fileName: file.name || 'members.csv',
        ...options,
        ...(roles && { roles: roles.join(',') }),
      },
      body: new Blob([file], { type: 'text/csv' }),
    }),
  retry: retryOnce,
};

const DATE_ORDERS = [
  { value: 'day-first', label: '3 April' },
  { value: 'month-first', label: 'March 4' },
] as const;

type OptionsProps = {
  check: ImportCheck;
  options: CheckOptions;
  onChange: (options: CheckOptions) => void;
};

/** What the file alone doesn't say. */
function MissingFacts({ check, options, onChange }: OptionsProps) {
  const { payingUntil } = options;
  return (
    <>
      {check.dateOrder && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <span className="font-medium">03/04 means</span>
          <Segmented
            label="How dates are written"
            options={DATE_ORDERS}
            value={options.dateOrder ?? check.dateOrder}
            onValueChange={(dateOrder) => onChange({ ...options, dateOrder })}
          />
        </div>
      )}
      {(check.payingWithoutDate > 0 || payingUntil !== undefined) && (
        <Field
          label={`Access for ${formatCount(check.payingWithoutDate, 'paying member')} without a date in the file`}
          hint="Until the end of this day. Without a date they get an account, but no access."
          type="date"
          className="max-w-md"
          value={
            payingUntil === undefined ? '' : formatZoned(payingUntil, boot.timeZone).slice(0, 10)
          }
          onChange={({ target: { value } }) => {
            const { payingUntil: _before, ...others } = options;
            const until = parseZoned(`${value}T23:59`, boot.timeZone);
            onChange({ ...others, ...(until !== null && { payingUntil: until }) });
          }}
        />
      )}
    </>
  );
}

type DraftProps = {
  file: File;
  check: ImportCheck;
  options: CheckOptions;
  /** The plan isn't that of the chosen columns, or not yet. */
  isOutdated: boolean;
  onOptions: (options: CheckOptions) => void;
  onOther: () => void;
  onStarted: (id: string) => void;
};

/** A file that was read, but changes nothing until the administrator says so. */
function Draft({ file, check, options, isOutdated, onOptions, onOther, onStarted }: DraftProps) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { import: members } = check;
  // What was chosen shows at once; the server's answer may take a while.
  const columns = check.columns.map((column, index) => ({
    ...column,
    role: options.roles?.[index] ?? column.role,
  }));
  const { new: added = 0, extended = 0 } = members.outcomes;
  const hasEmail = columns.some(({ role }) => role === 'email');
  const plan = describePlan(check);
  const label =
    added > 0
      ? `Import ${formatCount(added, 'member')}`
      : `Extend access for ${formatCount(extended, 'member')}`;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="min-w-0">
          <strong className="block text-18 font-semibold wrap-anywhere">{file.name}</strong>
          <span className="type-meta">
            {formatCount(members.lines, 'line')} from {sourceNames[members.source]}
          </span>
        </p>
        <Button variant="line" onClick={onOther}>
          Choose another file
        </Button>
      </div>
      <section aria-labelledby="columns" className="flex flex-col gap-4">
        <SectionHead id="columns" title="What the columns contain" />
        {!hasEmail && (
          <Notice tone="warning" title="Which column has the e-mail addresses?">
            Choose “E-mail address” next to it.
          </Notice>
        )}
        <ColumnRoles columns={columns} onRoles={(roles) => onOptions({ ...options, roles })} />
        <MissingFacts check={check} options={options} onChange={onOptions} />
      </section>
      <div className="flex flex-col items-start gap-3 rounded-panel bg-surface p-4 @2xl/content:p-5">
        {plan.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <Button
          size="lg"
          disabled={isOutdated || added + extended === 0}
          onClick={() => setAsking(true)}
        >
          {added + extended === 0 ? 'Nothing to import' : label}
        </Button>
      </div>
      <ImportLines members={members} />
      {isAsking && (
        <ReasonDialog
          title={`${label}?`}
          description={plan.join(' ')}
          confirmLabel={label}
          failed="Couldn’t start the import."
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            const { id } = members;
            await withConfirmation(() =>
              call('POST /api/admin/member-imports/:id/start', { params: { id } }),
            );
            await refreshPaths(client, IMPORTS_PATH);
            onStarted(id);
          }}
        />
      )}
    </>
  );
}

function Started({ id, onOther }: { id: string; onOther: () => void }) {
  const { data } = useQuery(apiQuery('GET /api/admin/member-imports/:id', { params: { id } }));
  if (!data) return null;
  return (
    <>
      <ImportProgress members={data} />
      {data.state === 'done' && (
        <div>
          <Button variant="line" onClick={onOther}>
            Import another file
          </Button>
        </div>
      )}
      <ImportLines members={data} />
    </>
  );
}

function EarlierImports({ exceptId }: { exceptId: string | null }) {
  // The latest are enough here; the audit log has them all.
  const { data } = useQuery(apiQuery('GET /api/admin/member-imports', { query: { limit: 20 } }));
  const items = data?.items.filter(({ id }) => id !== exceptId) ?? [];
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="earlier">
      <SectionHead id="earlier" title="Earlier imports" />
      <ul className="rounded-panel bg-surface">
        {items.map((members) => (
          <EarlierImport key={members.id} members={members} />
        ))}
      </ul>
    </section>
  );
}

const LEAD =
  'Bring your members from Ghost, Patreon, Mailchimp or any other CSV file. You see what happens to every line before anything changes.';

export function Page() {
  useRefreshOn('admin:members', IMPORTS_PATH);
  const check = useMutation(checkMutation);
  const [checked, setChecked] = useState<ImportCheck | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const [options, setOptions] = useState<CheckOptions>({});
  const [startedId, setStartedId] = useState<string | null>(null);
  const change = (chosen: File, next: CheckOptions) => {
    setFile(chosen);
    setOptions(next);
    check.mutate({ file: chosen, ...next }, { onSuccess: setChecked });
  };
  const reset = () => {
    setFile(null);
    setChecked(null);
    setStartedId(null);
    check.reset();
  };
  return (
    <AdminFrame title="Import members" lead={LEAD}>
      {check.error && (
        <Notice tone="danger" title={describeFailure(check.error, 'Couldn’t read the file.')} />
      )}
      {startedId && <Started id={startedId} onOther={reset} />}
      {file && checked && !startedId && (
        <Draft
          file={file}
          check={checked}
          options={options}
          isOutdated={check.isPending || check.isError}
          onOptions={(next) => change(file, next)}
          onOther={reset}
          onStarted={setStartedId}
        />
      )}
      {!startedId && !checked && (
        <DropZone
          title={check.isPending ? 'Reading the file…' : 'Drop a CSV file here'}
          hint="Up to 10 MB and 50,000 members. Nobody is added or e-mailed until you confirm."
          accept=".csv,.tsv,.txt,text/csv"
          label="CSV file"
          isMultiple={false}
          onFiles={([chosen]) => chosen && change(chosen, {})}
        />
      )}
      <EarlierImports exceptId={startedId} />
    </AdminFrame>
  );
}
