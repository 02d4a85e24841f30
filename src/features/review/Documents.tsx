import type { Review } from '../../contract/merchants/review.ts'
import { Icon } from '../../ui/Icon.tsx'

/** What was uploaded. Each opens in a tab of its own that cannot reach back to this one. */
export function ReviewDocuments({ documents }: { documents: Review['documents'] }) {
  return (
    <section className="panel" aria-label="Documents">
      <header>
        <h2>Documents</h2>
      </header>
      <ul className="todo">
        {documents.map(({ title, description, url }, index) => (
          // Two brands may have a logo of the same title and size.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <Icon name={description.startsWith('PDF') ? 'file' : 'image'} />
            <div>
              <b className="strong">{title}</b>
              <p>{description}</p>
            </div>
            <a href={url} target="_blank" rel="noopener noreferrer" aria-label={`Open ${title} in a new tab`}>
              Open
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
