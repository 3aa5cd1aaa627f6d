import type { Stage } from './describe-stages.ts';

const colours = {
  todo: 'text-text-3',
  now: 'font-semibold text-text',
  done: 'text-text-2',
  bad: 'font-semibold text-danger',
};

/** Four bars in the week's colour: what is done is filled, what is under way is filled in part. */
export function UploadStages({ stages }: { stages: readonly Stage[] }) {
  return (
    <ol className="grid grid-cols-4 gap-[3px]">
      {stages.map(({ label, state, share }, index) => (
        // The stages keep their order: the place is the name.
        <li key={index} className={`min-w-0 text-12 ${colours[state]}`}>
          <span
            aria-hidden
            className={`mb-2 block h-3.5 rounded-[1.5px] ${state === 'bad' ? 'bg-danger' : 'shadow-[inset_0_0_0_1.5px_var(--stage-line)]'}`}
            style={{
              ['--stage-line' as string]: state === 'done' ? 'var(--week)' : 'var(--week-rest)',
              ...(state !== 'bad' && {
                backgroundImage: `linear-gradient(90deg, var(--week-fill) ${(share * 100).toFixed(1)}%, transparent 0)`,
              }),
            }}
          />
          {label}
        </li>
      ))}
    </ol>
  );
}
