/** Rows stay when somebody leaves; who it was does not. */
export const nameOfPerson = ({ username }: { username: string | null }): string =>
  username ?? 'Somebody who has left';

export const hrefOfPerson = (userId: string | null): string | null =>
  userId === null ? null : `/admin/subscribers/${userId}`;
