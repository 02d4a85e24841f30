import { Link, useNavigate } from '@tanstack/react-router'
import { AccountBadge } from '../../blocks/accounts/AccountBadge.tsx'
import { BackLink } from '../../blocks/page/BackLink.tsx'
import { useActivityMenuItem } from '../../blocks/useActivityItem.ts'
import { needsConnection } from '../../blocks/record/needsLine.ts'
import { usePermission } from '../../blocks/useMay.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import type { Branch } from '../../contract/branches.ts'
import { Button } from '../../ui/Button.tsx'
import { buttonClass } from '../../ui/buttonClass.ts'
import { Menu } from '../../ui/overlay/Menu.tsx'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { BranchDays } from './BranchDays.tsx'
import { deleteItem, loginItems, statusItem } from './branchMenu.ts'

interface BranchHeaderProps {
  branch: Branch | undefined
  onChanged: () => void
}

export function BranchHeader({ branch, onChanged }: BranchHeaderProps) {
  const mayEdit = usePermission('branches', 'edit')
  return (
    <PageHeader
      back={<BackLink to="/branches">Branches</BackLink>}
      title={branch?.name ?? 'Branch'}
      badge={branch && <AccountBadge status={branch.status} />}
      note={branch && <BranchNote branch={branch} />}
      actions={branch && mayEdit && <BranchActions {...{ branch, onChanged }} />}
    />
  )
}

const BranchNote = ({ branch }: { branch: Branch }) => (
  <>
    Branch code {branch.code}
    {branch.kind === 'adhoc' && (
      <>
        {' '}
        · Adhoc, <BranchDays branch={branch} />
      </>
    )}
  </>
)

/** Three words as designed; what is done once in a branch's life is in the menu. */
function BranchActions({ branch, onChanged }: { branch: Branch; onChanged: () => void }) {
  const offline = useOffline()
  const navigate = useNavigate()
  const ready = (items: readonly MenuItem[]) => needsConnection(offline, items)
  const activity = useActivityMenuItem('branch')
  const deleted = (gone: boolean) => (gone ? void navigate({ to: '/branches' }) : onChanged())
  return (
    <>
      {offline && <span className="muted self-center">Needs a connection.</span>}
      {offline ? (
        <Button aria-disabled title="Needs a connection">
          Edit
        </Button>
      ) : (
        <Link to="/branches/$type/$id" params={{ type: branch.guid, id: 'edit' }} className={buttonClass()}>
          Edit
        </Link>
      )}
      {ready([...loginItems(branch, onChanged), statusItem(branch, onChanged)]).map((item) => (
        <ActionButton key={item.label} item={item} />
      ))}
      <Menu label="More acts" items={[...activity(branch.guid), ...ready([deleteItem(branch, deleted)])]} />
    </>
  )
}

const ActionButton = ({ item }: { item: MenuItem }) => (
  <Button
    variant={item.label === 'Deactivate' ? 'danger' : 'plain'}
    aria-disabled={item.disabled || undefined}
    title={typeof item.hint === 'string' ? item.hint : undefined}
    onClick={item.onSelect}
  >
    {item.label}
  </Button>
)
