import { Icon } from '../Icon.tsx'

export interface RailSection {
  id: string
  title: string
  done: boolean
  /** Errors that the person can see in it. */
  errors: number
}

interface SectionRailProps {
  sections: readonly RailSection[]
  current: string | undefined
  onGo: (id: string) => void
}

/** How far one is in a long form: done, current, in error. Its links lead to the sections. */
export function SectionRail({ sections, current, onGo }: SectionRailProps) {
  return (
    <nav className="rail" aria-label="Sections">
      <ol>
        {sections.map((section, index) => (
          <li key={section.id} className={stateOf(section, section.id === current)}>
            <a
              href={`#${section.id}`}
              aria-current={section.id === current ? 'step' : undefined}
              onClick={(event) => {
                // The address stays as it is: a section is a place on the page, not a page.
                event.preventDefault()
                onGo(section.id)
              }}
            >
              <i>{section.done && section.errors === 0 ? <Icon name="check" small /> : index + 1}</i>
              <span>
                {section.title}
                {section.done && section.errors === 0 && <span className="hide">done</span>}
                {section.errors > 0 && <small>{section.errors === 1 ? '1 error' : `${section.errors} errors`}</small>}
              </span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

function stateOf({ done, errors }: RailSection, isCurrent: boolean): string | undefined {
  const state = errors > 0 ? 'bad' : done && 'done'
  return [state, isCurrent && 'now'].filter(Boolean).join(' ') || undefined
}
