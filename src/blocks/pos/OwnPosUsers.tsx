import { useNavigate, useSearch } from '@tanstack/react-router'
import { useUser } from '../accounts/useUser.ts'
import { PosUsers } from '../pos-users/PosUsers.tsx'

/** A branch looks after its own POS users, below its profile (DESIGN §2); nothing for anybody else. */
export function OwnPosUsers() {
  const { type, branch_guid, branch_name } = useUser()
  const state = useSearch({ from: '/_app/profile/' })
  const navigate = useNavigate({ from: '/profile/' })
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
          void navigate({ search: (now) => ({ ...now, ...next }), replace, resetScroll: false })
        }
      />
    </section>
  )
}
