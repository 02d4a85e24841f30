import { useEffect, useRef, useState } from 'react'

/**
 * The page a press asked for, at once: the frame after the press shows it, and only then the router goes there, whose work for
 * a change of address is longer than a frame on a slow tablet. Of quick presses the last one counts. `onAsk` runs at the press.
 */
export function useAskedPage(page: number, onPage: (page: number) => void, onAsk?: (page: number) => void) {
  const [asked, setAsked] = useState<{ from: number; to: number }>()
  // The address has changed since: the press was answered, or somebody went elsewhere. For good: Back leads to that page again, and
  // nobody has pressed anything there.
  if (asked && asked.from !== page) setAsked(undefined)
  const going = useRef<() => void>(undefined)
  useEffect(() => () => going.current?.(), [])
  const press = (to: number) => {
    going.current?.()
    setAsked({ from: page, to })
    onAsk?.(to)
    going.current = afterFrame(() => onPage(to))
  }
  return { page: asked?.to ?? page, press }
}

/** Runs once the next frame is painted; what comes back calls it off. */
function afterFrame(run: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => (timer = setTimeout(run)))
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
