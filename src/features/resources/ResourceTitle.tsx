import type { ResourceRow } from '../../contract/resources.ts'
import { Icon } from '../../ui/Icon.tsx'

/** "Updated": there is a newer file than the one I have. A mark and a word, for badges are for accounts. */
export function ResourceTitle({ row, newer }: { row: ResourceRow; newer: boolean }) {
  return (
    <>
      <span className="row">
        <b className="strong">{row.title}</b>
        {newer && (
          <span className="news">
            <Icon name="refresh" small />
            Updated
          </span>
        )}
      </span>
      {row.description !== '' && <span className="muted wide-only">{row.description}</span>}
    </>
  )
}
