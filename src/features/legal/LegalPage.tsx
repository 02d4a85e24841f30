import type { ReactNode } from 'react'
import { PlainFrame } from '../../blocks/page/PlainFrame.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import {
  clauseItems,
  clauseText,
  itemLetter,
  versionLine,
  type LegalDocument,
  type LegalSection,
} from '../../domain/legal/LegalDocument.ts'
import { Page, PageHeader } from '../../ui/PageHeader.tsx'

interface Props {
  document: LegalDocument
  /** Links to the text in other formats. */
  actions?: ReactNode
}

export function LegalPage({ document, actions }: Props) {
  const { title, sections } = document
  usePageTitle(title)
  return (
    <PlainFrame>
      <Page width="text">
        <PageHeader title={title} note={versionLine(document)} actions={actions} />
        <nav aria-label="Contents" className="mb-8 rounded-2 border border-border p-4 print:hidden">
          <h2>Contents</h2>
          <ol className="mt-2 columns-2 gap-x-6 phone:columns-1">
            {sections.map((section, index) => (
              <li key={section.title}>
                <a href={`#section-${index + 1}`} className="inline-block py-[2px]">
                  {`${index + 1}. ${section.title}`}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <LegalText document={document} />
      </Page>
    </PlainFrame>
  )
}

/** The numbers are text, not CSS counters, so that they can be copied, searched and printed. */
function LegalText({ document }: { document: LegalDocument }) {
  return (
    <article className="grid gap-3 text-base print:text-[10pt]/[1.45]">
      {document.intro.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {document.sections.map((section, index) => (
        <LegalTextSection key={section.title} section={section} number={index + 1} />
      ))}
    </article>
  )
}

function LegalTextSection({ section, number }: { section: LegalSection; number: number }) {
  return (
    <section id={`section-${number}`} className="mt-5 grid scroll-mt-4 gap-3">
      <h2 className="text-xl print:break-after-avoid">{`${number}. ${section.title}`}</h2>
      {section.clauses.map((clause, index) => (
        <div className="grid grid-cols-[3rem_minmax(0,1fr)] print:break-inside-avoid" key={clauseText(clause)}>
          <span className="text-muted">{`${number}.${index + 1}`}</span>
          <div>
            <p>{clauseText(clause)}</p>
            {clauseItems(clause).length > 0 && (
              <ul className="mt-1 grid gap-1">
                {clauseItems(clause).map((item, at) => (
                  <li key={item} className="grid grid-cols-[2rem_minmax(0,1fr)]">
                    <span>{`(${itemLetter(at)})`}</span> <span>{item}</span>
                  </li>
                ))}
              </ul>
            )}
          </div>
        </div>
      ))}
    </section>
  )
}
