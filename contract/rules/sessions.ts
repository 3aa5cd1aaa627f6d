/** A login beyond these ends the session that was used least recently. */
export const MAX_SESSIONS = 20;
