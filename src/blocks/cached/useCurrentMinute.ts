import { useEffect, useState } from 'react'

const MINUTE_MS = 60_000

/** The time, right to the minute: a page may stay open for days, and what it shows grows old meanwhile. */
export function useCurrentMinute(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
