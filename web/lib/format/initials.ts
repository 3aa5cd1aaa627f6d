/** At most two letters for an avatar without a picture: `thandi.nkosi` is TN, `free` is FR. */
export function initials(username: string): string {
  const words = username.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const letters =
    words.length > 1
      ? words.slice(0, 2).map((word) => [...word][0])
      : [...(words[0] ?? '')].slice(0, 2);
  // Cut after upper-casing: some letters, such as ß, become two.
  return [...letters.join('').toLocaleUpperCase('en')].slice(0, 2).join('');
}
