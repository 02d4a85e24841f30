import { useEffect, useState } from 'react'

/** A section is current once its top has come into the upper part of the window. */
const READING_LINE = 0.2

/** Which of these sections the person is at: where the page was scrolled to, or where the focus went, whichever was last. */
export function useCurrentSection(ids: readonly string[]): string | undefined {
  const [current, setCurrent] = useState(ids[0])
  const key = ids.join(' ')
  useEffect(() => {
    const known = key.split(' ')
    const scrolled = () => setCurrent(sectionAt(known))
    const focused = () => setCurrent((now) => sectionOfFocus(known) ?? now)
    addEventListener('scroll', scrolled, { passive: true })
    document.addEventListener('focusin', focused)
    return () => {
      removeEventListener('scroll', scrolled)
      document.removeEventListener('focusin', focused)
    }
  }, [key])
  return current
}

function sectionAt(ids: readonly string[]): string | undefined {
  const { scrollHeight } = document.documentElement
  // At the end of the page several stand below each other that never reach the top.
  if (scrollY + innerHeight >= scrollHeight - 1) return sectionOfFocus(ids) ?? ids.at(-1)
  const top = (id: string) => document.getElementById(id)?.getBoundingClientRect().top ?? Infinity
  return ids.findLast((id) => top(id) <= innerHeight * READING_LINE) ?? ids[0]
}

/** The section that holds the focus, while it is in sight. */
function sectionOfFocus(ids: readonly string[]): string | undefined {
  const section = document.activeElement?.closest('section')
  if (!section || !ids.includes(section.id)) return undefined
  const { top, bottom } = section.getBoundingClientRect()
  return top < innerHeight && bottom > 0 ? section.id : undefined
}
