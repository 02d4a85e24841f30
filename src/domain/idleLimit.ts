/** How long before the limit the person is asked whether they are still there (DESIGN §2). */
export const WARNING_SECONDS = 120

export type IdleState = { is: 'active' } | { is: 'warning'; secondsLeft: number } | { is: 'over' }

/**
 * What the time since the person's last action means for a session that ends after `idleSeconds` of it. Times are
 * milliseconds of one clock; an action "in the future" is a clock that was set back, and counts as now.
 */
export function idleState(lastActionAt: number, idleSeconds: number, now: number): IdleState {
  const idle = Math.max(0, now - lastActionAt) / 1000
  const secondsLeft = Math.ceil(idleSeconds - idle)
  if (secondsLeft <= 0) return { is: 'over' }
  return secondsLeft <= Math.min(WARNING_SECONDS, idleSeconds / 2) ? { is: 'warning', secondsLeft } : { is: 'active' }
}

/** `1:42` */
export const formatCountdown = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
