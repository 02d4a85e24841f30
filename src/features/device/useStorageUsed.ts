import { useEffect, useState } from 'react'

const LOOK_EVERY_MS = 10_000

/** Bytes, as the browser estimates them for this origin; undefined in one that does not. */
export function useStorageUsed(): { usage: number; quota: number } | undefined {
  const [used, setUsed] = useState<{ usage: number; quota: number }>()
  useEffect(() => {
    let live = true
    const look = async () => {
      const { usage, quota } = (await navigator.storage?.estimate?.().catch(() => undefined)) ?? {}
      if (live && usage !== undefined && quota !== undefined) setUsed({ usage, quota })
    }
    void look()
    const timer = setInterval(() => void look(), LOOK_EVERY_MS)
    return () => {
      live = false
      clearInterval(timer)
    }
  }, [])
  return used
}
