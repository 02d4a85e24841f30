import type { ReactNode } from 'react'
import { PlainFrame } from '../../blocks/page/PlainFrame.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import type { LegalDocument } from '../../domain/legal/LegalDocument.ts'
import { versionLine } from '../../domain/versionLine.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { LegalText } from './LegalText.tsx'

interface Props {
  document: LegalDocument
  /** Other forms of the same text. */
  actions?: ReactNode
}

export function LegalPage({ document, actions }: Props) {
  const { title, sections } = document
  usePageTitle(title)
  return (
    <PlainFrame>
      <div className="main">
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
