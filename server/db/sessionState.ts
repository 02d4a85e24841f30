/** How often a person's activity is written down. The idle limit is that much longer, so that nobody is cut off early by it. */
export const ACTIVITY_WRITE_SECONDS = 30

export type SessionState = 'live' | 'superseded' | 'ended' | 'expired'

/**
 * What a session is worth now, as SQL over s(ession), u(ser), o(rganisation) and b(ranch, may be null). One text for every
 * statement that judges a session, so that no two of them can disagree.
 */
export const sessionState = (now: string) => `
  CASE
    WHEN s.ended_reason = 'superseded' THEN 'superseded'
    WHEN s.ended_reason = 'expired' THEN 'expired'
    WHEN s.ended_at IS NOT NULL THEN 'ended'
    WHEN u.status IN ('Inactive', 'Pending') OR o.status = 'Inactive' OR b.status = 'Inactive' THEN 'ended'
    WHEN ${isPastLimits(now)} THEN 'expired'
    ELSE 'live'
  END`

/** Past the idle or the absolute limit. */
export const isPastLimits = (now: string) =>
  `(${now} >= s.ends_at OR ${now} > s.last_active_at + make_interval(secs => s.idle_seconds + ${ACTIVITY_WRITE_SECONDS}))`

/** Whether the branch b trades on a Singapore day: an adhoc one from its first day to its last, both included. */
export const branchIsOpen = (today: string) => `coalesce(${today} BETWEEN b.from_day AND b.to_day, true)`
