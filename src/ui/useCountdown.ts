import { useEffect, useState } from 'react'

const TICK_MS = 250

/** Whole seconds left of a wait, 0 when there is none. Read from the clock, so that a tab that slept does not still owe them. */
export function useCountdown() {
  const [endsAt, setEndsAt] = useState<number>()
  const [seconds, setSeconds] = useState(0)

  useEffect(() => {
    if (endsAt === undefined) return undefined
    const timer = setInterval(() => {
      const left = secondsUntil(endsAt)
      setSeconds(left)
      if (left === 0) setEndsAt(undefined)
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [endsAt])

  return {
    seconds,
    start(length: number) {
      setEndsAt(Date.now() + length * 1000)
      setSeconds(length)
    },
    stop() {
      setEndsAt(undefined)
      setSeconds(0)
    },
  }
}

const secondsUntil = (instant: number) => Math.max(0, Math.ceil((instant - Date.now()) / 1000))
