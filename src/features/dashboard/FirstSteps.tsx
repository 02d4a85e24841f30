import { Link } from '@tanstack/react-router'
import { useUser } from '../../blocks/accounts/useUser.ts'
import type { Dashboard } from '../../contract/dashboard.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { buttonClass } from '../../ui/buttonClass.ts'
import { Panel } from '../../ui/Panel.tsx'

/** For a merchant that has redeemed nothing yet: what is missing before the first voucher can be taken. */
export function FirstSteps({ figures }: { figures: Dashboard }) {
  const { type } = useUser()
  return (
    <Panel title="Redeemed per day">
      {figures.active_branches === 0 ? (
        <NoBranch />
      ) : figures.active_pos_users === 0 ? (
        <NoPosUser ownBranch={type === 'Branch Merchant'} />
      ) : (
        <EmptyState
          icon="ticket"
          title="No voucher yet"
          text="Figures appear here once a POS user redeems the first voucher at the counter."
        />
      )}
    </Panel>
  )
}

const NoBranch = () => (
  <EmptyState
    icon="store"
    title="No branch yet"
    text="Vouchers are redeemed at branches. Create one, then its POS users."
    actions={
      <Link to="/branches/$type" params={{ type: 'create' }} className={buttonClass({ variant: 'primary' })}>
        Create branch
      </Link>
    }
  />
)

const NoPosUser = ({ ownBranch }: { ownBranch: boolean }) => (
  <EmptyState
    icon="user"
    title="No POS user yet"
    text="Vouchers are taken by POS users, who log in at the counter. Each belongs to a branch."
    actions={
      <Link to={ownBranch ? '/profile' : '/branches'} className={buttonClass({ variant: 'primary' })}>
        {ownBranch ? 'Create POS user' : 'Choose a branch'}
      </Link>
    }
  />
)
