/** What was typed into a form and not saved, and what the form said before. */
export type KeptDraft = { at: number; form: object; before: object };

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The fields that differ. */
export function findChanges<F extends object>(form: F, before: F): Partial<F> {
  const names = Object.keys(form) as (keyof F)[];
  const changed = names.filter((name) => !isSame(form[name], before[name]));
  return Object.fromEntries(changed.map((name) => [name, form[name]])) as Partial<F>;
}

const isLike = (value: unknown, other: unknown): boolean =>
  value === null || other === null || typeof value === typeof other;

/**
 * What of a draft is worth offering: the fields that were edited in it, still exist, and don't say that
 * already.
 */
export function listOffered<F extends object>(draft: KeptDraft, form: F): Partial<F> {
  const edited = Object.entries(findChanges(draft.form, draft.before));
  const offered = edited.filter(([name, value]) => {
    const current = (form as Record<string, unknown>)[name];
    return name in form && isLike(value, current) && !isSame(value, current);
  });
  return Object.fromEntries(offered) as Partial<F>;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function parseDraft(stored: string | null): KeptDraft | null {
  try {
    const value: unknown = JSON.parse(stored ?? 'null');
    if (!isRecord(value) || typeof value.at !== 'number') return null;
    const { at, form, before } = value;
    return isRecord(form) && isRecord(before) ? { at, form, before } : null;
  } catch {
    return null;
  }
}

/** What is kept while an offered draft is unanswered: what is typed, and all that is offered. */
export function addOffered(draft: KeptDraft, offered: KeptDraft): KeptDraft {
  const changes = listOffered(offered, draft.before);
  return { ...draft, form: { ...draft.form, ...changes } };
}

/** Separate for each user, because people share computers. */
const keyOf = (userId: string, name: string): string => `draft:${userId}:${name}`;

const DAYS_KEPT = 30;

/** Deletes the drafts of everyone on this device that were last edited before then. */
export function forgetDrafts(before: number): void {
  try {
    for (const key of Object.keys(localStorage).filter((name) => name.startsWith('draft:'))) {
      const draft = parseDraft(localStorage.getItem(key));
      if (!draft || draft.at < before) localStorage.removeItem(key);
    }
  } catch {
    // Without storage, nothing was kept.
  }
}

export function findDraft(userId: string, name: string): KeptDraft | null {
  forgetDrafts(Date.now() - DAYS_KEPT * 86_400_000);
  try {
    return parseDraft(localStorage.getItem(keyOf(userId, name)));
  } catch {
    return null;
  }
}

/** Null deletes it. */
export function keepDraft(userId: string, name: string, draft: KeptDraft | null): void {
  try {
    if (draft) localStorage.setItem(keyOf(userId, name), JSON.stringify(draft));
    else localStorage.removeItem(keyOf(userId, name));
  } catch {
    // Without storage, the question before leaving is all there is.
  }
}
