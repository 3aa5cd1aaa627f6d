/** How long a deleted mix can be brought back. Its files go after that. */
export const DELETED_MIX_MS = 7 * 24 * 60 * 60 * 1000;
