import { Link } from '@tanstack/react-router'
import { useMay } from '../../blocks/useMay.ts'

const EXACT = { exact: true, includeSearch: false } as const

/** From one list of branches to another. */
export function BranchListLinks() {
  const seesMasters = useMay('masters', 'view')
  return (
    <nav className="tabs" aria-label="Lists of branches">
      <Link to="/branches" activeOptions={EXACT}>
        All
      </Link>
      {seesMasters && (
        <Link to="/branches/$type" params={{ type: 'master' }} activeOptions={EXACT}>
          Master
        </Link>
      )}
      <Link to="/branches/$type" params={{ type: 'adhoc' }} activeOptions={EXACT}>
        Adhoc
      </Link>
    </nav>
  )
}
