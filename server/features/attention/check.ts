import type { CheckKind, Week } from '#contract/admin/week.ts';
import { formatNumber } from '#contract/rules/format.ts';
import type { Deps } from '../../deps.ts';

/** What needs a person. */
export type AttentionItem = Week['attention'][number];

/** Something that is not well. */
export type Problem = {
  /** One or more sentences for an administrator, without names or addresses of members. */
  text: string;
  count?: number;
  /** It can’t wait until morning. */
  isUrgent?: boolean;
};

/** Something that the site looks at by itself. */
export type Check = {
  kind: CheckKind;
  everyMs: number;
  /** Null if all is well. Throws if it can’t tell: then nobody has looked. */
  look: (deps: Deps) => Promise<Problem | null>;
};

export const plural = (count: number, one: string, many: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;
