import {
  clauseItems,
  clauseText,
  itemLetter,
  type LegalDocument,
  type LegalSection,
} from '../../domain/legal/LegalDocument.ts'

/** The numbers are text, not counters: they are copied, searched and printed with the words. */
export function LegalText({ document }: { document: LegalDocument }) {
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
