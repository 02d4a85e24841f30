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
import { PageHeader } from '../../ui/PageHeader.tsx'

interface Props {
  document: LegalDocument
  /** The same text in other forms. */
  actions?: ReactNode
}

export function LegalPage({ document, actions }: Props) {
  const { title, sections } = document
  usePageTitle(title)
  return (
    <PlainFrame>
      <div className="main print:p-0">
        <div className="page legal">
          <PageHeader title={title} note={versionLine(document)} actions={actions} />
          <nav aria-label="Contents" className="toc">
            <h2>Contents</h2>
            <ol>
              {sections.map((section, index) => (
                <li key={section.title}>
                  <a href={`#section-${index + 1}`}>
                    {index + 1}. {section.title}
                  </a>
                </li>
              ))}
            </ol>
          </nav>
          <LegalText document={document} />
        </div>
      </div>
    </PlainFrame>
  )
}

/** Numbers are text, not CSS counters, so that they can be copied, searched and printed. */
function LegalText({ document }: { document: LegalDocument }) {
  return (
    <article>
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
    <section id={`section-${number}`}>
      <h2>
        {number}. {section.title}
      </h2>
      {section.clauses.map((clause, index) => (
        <div className="clause" key={clauseText(clause)}>
          <span>
            {number}.{index + 1}
          </span>
          <div>
            <p>{clauseText(clause)}</p>
            {clauseItems(clause).length > 0 && (
              <ul>
                {clauseItems(clause).map((item, at) => (
                  <li key={item}>
                    <span>({itemLetter(at)})</span> <span>{item}</span>
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
