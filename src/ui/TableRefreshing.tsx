import { useEffect, useState } from 'react'
import { ProgressBar } from './ProgressBar.tsx'

const LATE_MS = 200

/** Made when it is to be seen, and not hidden until then: an answer that is quicker has no frame of it to draw and to undo. */
export function TableRefreshing() {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS)
    return () => clearTimeout(timer)
  }, [])
  return late && <ProgressBar className="refreshing" label="Refreshing" />
}
