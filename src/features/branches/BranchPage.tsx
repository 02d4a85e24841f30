import { Link, useNavigate } from '@tanstack/react-router'
import { AccountBadge } from '../../blocks/accounts/AccountBadge.tsx'
import { useLoginActs } from '../../blocks/accounts/useLoginActs.tsx'
import { usePermission } from '../../blocks/accounts/useUser.ts'
import { useActivityMenuItem } from '../../blocks/activity/ActivityLink.tsx'
import { NeedsConnection } from '../../blocks/connectivity/OnlineLink.tsx'
import { needsConnection, useOffline } from '../../blocks/connectivity/useOffline.ts'
import { BackLink } from '../../blocks/page/BackLink.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import type { PosTable } from '../../blocks/pos-users/posUserList.tsx'
import { PosUsers } from '../../blocks/pos-users/PosUsers.tsx'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import type { Branch } from '../../contract/branches.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { branchDeleteItem, branchStatusItem, loginItems, loginOf } from './branchActions.ts'
import { BranchDays } from './BranchDays.tsx'
import { BranchDetails } from './BranchDetails.tsx'
import type { BranchTab } from './branchTabs.ts'
import { useBranch } from './useBranch.ts'

interface Props {
  id: string
  tab: BranchTab
  onTab: (tab: BranchTab) => void
  /** The state of the table of POS users. */
  pos: PosTable
}

/** One branch: its details, its POS users, and the actions on it. */
export function BranchPage({ id, ...tabs }: Props) {
  const read = useBranch(id)
  usePageTitle(read.data?.name ?? 'Branch')
  return (
    <>
      <BranchHeader branch={read.data} onChanged={read.retry} />
      <RecordRead read={read} what="This branch">
        {(branch) => <BranchTabs branch={branch} onChanged={read.retry} {...tabs} />}
      </RecordRead>
    </>
  )
}

type BranchTabsProps = Omit<Props, 'id'> & { branch: Branch; onChanged: () => void }

function BranchTabs({ branch, onChanged, tab, onTab, pos }: BranchTabsProps) {
  return (
    <>
      <Tabs
        id="branch"
        label="This branch"
        tabs={[
          { key: 'details', label: 'Details' },
          { key: 'pos', label: 'POS users', count: branch.pos_users },
        ]}
        selected={tab}
        onSelect={onTab}
      />
      <TabPanel id="branch" selected={tab}>
        {tab === 'details' ? (
          <BranchDetails branch={branch} onChanged={onChanged} />
        ) : (
          <PosUsers branch={branch} {...pos} onCount={onChanged} />
        )}
      </TabPanel>
    </>
  )
}

interface BranchHeaderProps {
  branch: Branch | undefined
  onChanged: () => void
}

function BranchHeader({ branch, onChanged }: BranchHeaderProps) {
  const mayEdit = usePermission('branches', 'edit')
  return (
    <PageHeader
      back={<BackLink to="/branches">Branches</BackLink>}
      title={branch ? <span translate="no">{branch.name}</span> : 'Branch'}
      badge={branch && <AccountBadge status={branch.status} />}
      note={branch && <BranchNote branch={branch} />}
      actions={branch && mayEdit && <BranchActions {...{ branch, onChanged }} />}
    />
  )
}

const BranchNote = ({ branch }: { branch: Branch }) => (
  <>
    <span>
      Branch code <span translate="no">{branch.code}</span>
    </span>
    {branch.kind === 'adhoc' && (
      <span>
        {' '}
        · Adhoc, <BranchDays branch={branch} />
      </span>
    )}
  </>
)

/** Three buttons as designed; rare actions are in the menu. */
function BranchActions({ branch, onChanged }: { branch: Branch; onChanged: () => void }) {
  const offline = useOffline()
  const navigate = useNavigate()
  const ready = (items: readonly MenuItem[]) => needsConnection(offline, items)
  const activity = useActivityMenuItem('branch')
  const acts = useLoginActs(loginOf(branch))
  const deleted = (gone: boolean) => (gone ? void navigate({ to: '/branches' }) : onChanged())
  return (
    <>
      <NeedsConnection />
      {offline ? (
        <Button aria-disabled>Edit</Button>
      ) : (
        <Link to="/branches/$type/$id" params={{ type: branch.guid, id: 'edit' }} className={buttonClass()}>
          Edit
        </Link>
      )}
      {ready(loginItems(branch, onChanged)).map((item) => (
        <ActionButton key={item.label} item={item} />
      ))}
      {/* On a phone the dots would be alone in a row of their own. */}
      <div className="flex gap-2 phone:flex-1 phone:*:not-[[aria-haspopup]]:flex-1">
        {ready([branchStatusItem(branch, onChanged)]).map((item) => (
          <ActionButton key={item.label} item={item} />
        ))}
        <Menu
          label="More actions"
          items={[...activity(branch.guid), ...ready([...acts.items, branchDeleteItem(branch, deleted)])]}
        />
      </div>
      {acts.dialog}
    </>
  )
}

/** Offline the header says once what all of them need. */
const ActionButton = ({ item }: { item: MenuItem }) => (
  <>
    {!useOffline() && item.hint && <span className="self-center text-muted">{item.hint}</span>}
    <Button
      variant={item.label === 'Deactivate' ? 'danger' : 'plain'}
      aria-disabled={item.disabled || undefined}
      onClick={item.onSelect}
    >
      {item.label}
    </Button>
  </>
)
