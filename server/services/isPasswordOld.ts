/** After a year a prompt to change the password, never a block (spec §9). */
const PROMPT_AFTER_MS = 365 * 86_400_000

export const isPasswordOld = (changedAt: Date, now: Date): boolean =>
  now.getTime() - changedAt.getTime() > PROMPT_AFTER_MS
