import { Icon } from '../../ui/Icon.tsx'
import type { BulkAction, BulkResult } from './BulkAct.ts'

interface BulkResultsProps {
  act: Pick<BulkAction<never>, 'done'>
  results: readonly BulkResult[]
  total: number
}

/** What became of each row, in the order they were done; the refused ones first, for they need somebody. */
export function BulkResults({ act, results, total }: BulkResultsProps) {
  const refused = results.filter(({ trouble }) => trouble !== undefined)
  const worked = results.filter(({ trouble }) => trouble === undefined)
  return (
    <>
      <ul className="outcomes">
        {[...refused, ...worked].map(({ key, name, trouble }) => (
          <li key={key} className={trouble === undefined ? 'ok' : 'off'}>
            <Icon name={trouble === undefined ? 'ok' : 'alert'} small />
            <span>
              <b className="strong">{name}</b>: {trouble ?? act.done}
            </span>
          </li>
        ))}
      </ul>
      <div className="hide" role="status">
        {results.length === total && `${worked.length} done, ${refused.length} refused`}
      </div>
    </>
  )
}
