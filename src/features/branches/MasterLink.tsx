import { Link } from '@tanstack/react-router'
import type { Branch } from '../../contract/branches.ts'

export function MasterLink({ branch: { master_guid, master_name } }: { branch: Branch }) {
  if (master_guid === null) return 'Main account'
  return (
    <Link to="/masters/$type/$id" params={{ type: master_guid, id: 'edit' }}>
      {master_name}
    </Link>
  )
}
