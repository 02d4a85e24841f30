import { useNavigate, useSearch } from '@tanstack/react-router'
import * as v from 'valibot'
import { POS_COLUMNS, POS_FILTERS } from '../../contract/posUsers.ts'
import { tableSearch } from '../../domain/tableState.ts'
import { useUser } from '../useUser.ts'
import { PosUsers } from './PosUsers.tsx'

const PosSearch = tableSearch(POS_COLUMNS, POS_FILTERS)

/** A branch looks after its own POS users, below its profile (DESIGN §2); nothing for anybody else. */
export function OwnPosUsers() {
  const { type, branch_guid, branch_name } = useUser()
  const state = v.parse(PosSearch, useSearch({ strict: false }))
  const navigate = useNavigate()
  if (type !== 'Branch Merchant' || branch_guid === null) return null
  return (
    <section className="mt-6" aria-labelledby="own-pos-users">
      <h2 id="own-pos-users" className="mb-3">
        POS users
      </h2>
      <PosUsers
        branch={{ guid: branch_guid, name: branch_name ?? 'this branch' }}
        state={state}
        onState={(next, replace = false) =>
          void navigate({ to: '/profile', search: (now) => ({ ...now, ...next }), replace, resetScroll: false })
        }
      />
    </section>
  )
}
