import { useEffect, useState } from 'react'
import { Icon } from '../Icon.tsx'
import { ICONS } from '../icons.tsx'

interface RailSection {
  id: string
  title: string
  done: boolean
  /** The number of visible errors in it. */
  errors: number
}

interface SectionRailProps {
  sections: readonly RailSection[]
  current: string | undefined
  onGo: (id: string) => void
}

/** The progress in a long form: done, current, with errors. Its links lead to the sections. */
export function SectionRail({ sections, current, onGo }: SectionRailProps) {
  return (
    <nav className="sticky top-[calc(var(--header)+var(--space-6))] narrow:hidden" aria-label="Sections">
      <ol>
        {sections.map((section, index) => (
          <li key={section.id} className={`relative ${LINE}`}>
            <a
              className="flex min-h-12 items-center gap-3 text-muted no-underline hover:text-text hover:underline hover:decoration-auto aria-[current=step]:font-strong aria-[current=step]:text-text"
              href={`#${section.id}`}
              aria-current={section.id === current ? 'step' : undefined}
              onClick={(event) => {
                // The address stays as it is: a section is a place on the page, not a page.
                event.preventDefault()
                onGo(section.id)
              }}
            >
              <i className={`${DISC} ${discLook(section, section.id === current)}`}>
                {section.done && section.errors === 0 ? <Icon drawing={ICONS.check} small /> : index + 1}
              </i>
              <span>
                <span>{section.title}</span>
                {section.done && section.errors === 0 && <span className="sr-only">done</span>}
                {section.errors > 0 && (
                  <small className="block text-xs font-body text-danger-text">
                    {section.errors === 1 ? '1 error' : `${section.errors} errors`}
                  </small>
                )}
              </span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** The line from one disc to the next. */
const LINE =
  'not-first:before:absolute not-first:before:-top-3 not-first:before:left-3 not-first:before:h-6 not-first:before:border-l not-first:before:border-border-strong'

const DISC =
  'relative z-1 grid size-6 flex-none place-items-center rounded-pill text-xs leading-none font-strong not-italic'

function discLook({ done, errors }: RailSection, isCurrent: boolean): string {
  if (done && errors === 0) return 'border border-transparent bg-fill text-on'
  const edge = isCurrent
    ? 'border-2 border-fill'
    : errors > 0
      ? 'border-2 border-danger-control'
      : 'border border-border-control'
  return `bg-surface ${edge} ${errors > 0 ? 'text-danger-text' : ''}`
}

/** A section is current once its top is in this upper part of the window. */
const READING_LINE = 0.2

/** Returns the current section: the one in view or the one with the focus, whichever changed last. */
export function useCurrentSection(ids: readonly string[]): string | undefined {
  const [current, setCurrent] = useState(ids[0])
  const key = ids.join(' ')
  useEffect(() => {
    const known = key.split(' ')
    const onScroll = () => setCurrent(sectionAt(known))
    const onFocus = () => setCurrent((now) => sectionOfFocus(known) ?? now)
    addEventListener('scroll', onScroll, { passive: true })
    document.addEventListener('focusin', onFocus)
    return () => {
      removeEventListener('scroll', onScroll)
      document.removeEventListener('focusin', onFocus)
    }
  }, [key])
  return current
}

function sectionAt(ids: readonly string[]): string | undefined {
  const { scrollHeight } = document.documentElement
  // At the end of the page there may be several sections that never reach the top.
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
