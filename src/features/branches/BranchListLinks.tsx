import { Link } from '@tanstack/react-router'
import { usePermission } from '../../blocks/useMay.ts'

const EXACT_PATH = { exact: true, includeSearch: false } as const

/** From one list of branches to another. */
export function BranchListLinks() {
  const seesMasters = usePermission('masters', 'view')
  return (
    <nav className="tabs" aria-label="Lists of branches">
      <Link to="/branches" activeOptions={EXACT_PATH}>
        All
      </Link>
      {seesMasters && (
        <Link to="/branches/$type" params={{ type: 'master' }} activeOptions={EXACT_PATH}>
          Master
        </Link>
      )}
      <Link to="/branches/$type" params={{ type: 'adhoc' }} activeOptions={EXACT_PATH}>
        Adhoc
      </Link>
    </nav>
  )
}
