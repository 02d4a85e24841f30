import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { AccountBadge } from '../../blocks/accounts/AccountBadge.tsx'
import { useLoginActs } from '../../blocks/accounts/useLoginActs.tsx'
import { usePermission } from '../../blocks/accounts/useUser.ts'
import { useActivityMenuItem } from '../../blocks/activity/ActivityLink.tsx'
import { OnlineLink } from '../../blocks/connectivity/OnlineLink.tsx'
import { needsConnection, useOffline } from '../../blocks/connectivity/useOffline.ts'
import { BackLink } from '../../blocks/page/BackLink.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { type PosTable, PosUsers } from '../../blocks/pos-users/PosUsers.tsx'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import type { Branch } from '../../contract/branches.ts'
import { formatOperatingHours } from '../../domain/operatingHours.ts'
import { formatDay, formatInstant } from '../../domain/singaporeTime.ts'
import { Button } from '../../ui/Button.tsx'
import { WithCopy } from '../../ui/CopyButton.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Exact, type Fact, Facts, Panel, Stack } from '../../ui/Panel.tsx'
import { TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { AllowancePanel } from './AllowancePanel.tsx'
import { branchDeleteItem, branchStatusItem, loginItems, loginOf } from './branchActions.ts'
import { BranchDays } from './BranchDays.tsx'
import { useBranch, useHasMasters } from './branchReads.ts'
import { PinPanel } from './PinPanel.tsx'

type BranchTab = 'details' | 'pos'

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
  const isNew = useLocation({ select: ({ state }) => state.isNewBranch === true })
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
          <PosUsers branch={branch} {...pos} onCount={onChanged} isNew={isNew && branch.pos_users === 0} />
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
      actions={branch && mayEdit && <BranchActions branch={branch} onChanged={onChanged} />}
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

/** Shows the frequent actions as buttons, and the rare ones in a menu. */
function BranchActions({ branch, onChanged }: { branch: Branch; onChanged: () => void }) {
  const offline = useOffline()
  const navigate = useNavigate()
  const unlessOffline = (items: readonly MenuItem[]) => needsConnection(offline, items)
  const activity = useActivityMenuItem('branch')
  const acts = useLoginActs(loginOf(branch))
  const afterDeletion = (isDeleted: boolean) => (isDeleted ? void navigate({ to: '/branches' }) : onChanged())
  return (
    <>
      <OnlineLink to="/branches/$type/$id" params={{ type: branch.guid, id: 'edit' }}>
        Edit
      </OnlineLink>
      {unlessOffline(loginItems(branch, onChanged)).map((item) => (
        <ActionButton key={item.label} item={item} />
      ))}
      {/* Keeps the menu beside a button: on a phone it would be alone in a row. */}
      <div className="flex gap-2 phone:flex-1 phone:*:not-[[aria-haspopup]]:flex-1">
        {unlessOffline([branchStatusItem(branch, onChanged)]).map((item) => (
          <ActionButton key={item.label} item={item} />
        ))}
        <Menu
          label="More actions"
          items={[...activity(branch.guid), ...unlessOffline([...acts.items, branchDeleteItem(branch, afterDeletion)])]}
        />
      </div>
      {acts.dialog}
    </>
  )
}

/** One action as a button. Offline it has no hint: the header says once that every action needs a connection. */
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

function BranchDetails({ branch, onChanged }: { branch: Branch; onChanged: () => void }) {
  return (
    <Stack apart>
      <div className="grid grid-cols-2 items-start gap-6 phone:grid-cols-1">
        <Panel title="Business information">
          <Facts facts={businessFacts(branch, useHasMasters())} />
        </Panel>
        <Stack apart>
          <Panel title="Financial contact">
            <Facts facts={contactFacts(branch)} />
          </Panel>
          <PinPanel branch={branch} onChanged={onChanged} />
        </Stack>
      </div>
      <AllowancePanel branch={branch} />
      <Panel title="Account">
        <Facts facts={accountFacts(branch)} />
      </Panel>
    </Stack>
  )
}

const NOT_GIVEN = <span className="text-muted">Not given yet</span>

const showGiven = (value: string | undefined) => (value === undefined ? NOT_GIVEN : <Exact>{value}</Exact>)

const showEmail = (what: string, value: string | undefined) =>
  value === undefined ? NOT_GIVEN : <WithCopy what={what}>{value}</WithCopy>

function businessFacts(branch: Branch, hasMasters: boolean): Fact[] {
  const { name, code, kind, business } = branch
  const hours = business?.operating_hours
  return [
    ['Branch name', <Exact key="name">{name}</Exact>],
    ['Branch code', <Exact key="code">{code}</Exact>],
    ...(kind === 'adhoc' ? [['Days', <BranchDays key="days" branch={branch} />] as const] : []),
    ['Address', business ? [business.address, `Singapore ${business.postal_code}`] : NOT_GIVEN],
    ['Contact number', showGiven(business?.contact_number)],
    [
      'Operating hours',
      hours ? formatOperatingHours(hours).split(', ').reduce(joinDayRuns, []) : 'Same as the organisation',
    ],
    ...(hasMasters ? [['Managed by', <MasterLink key="master" branch={branch} />] as const] : []),
  ]
}

/** Joins the pieces into one line for each run of days. A piece without hours is the first half of `Sat, Sun 09:00–22:00`. */
function joinDayRuns(lines: string[], piece: string): string[] {
  const before = lines.at(-1)
  return before !== undefined && !/ (closed|\d)/.test(before)
    ? [...lines.slice(0, -1), `${before}, ${piece}`]
    : [...lines, piece]
}

const contactFacts = ({ financial_contact: contact }: Branch): Fact[] => [
  ['Name', showGiven(contact?.name)],
  ['Email', showEmail('contact email', contact?.email)],
  ['Contact number', showGiven(contact?.contact_number)],
]

function accountFacts(branch: Branch): Fact[] {
  const { email: login, account_status, invited_at, last_login_at, created_at, created_by } = branch
  return [
    ['Email', showEmail('login email', login ?? undefined)],
    ['Login status', account_status ?? 'No login'],
    ...(invited_at ? [['Activation email', `Sent ${formatInstant(new Date(invited_at))}`] as const] : []),
    ['Last login', last_login_at ? formatInstant(new Date(last_login_at)) : 'Never'],
    ...(created_at
      ? [['Created', `${formatDay(new Date(created_at))}${created_by ? ` by ${created_by}` : ''}`] as const]
      : []),
  ]
}

function MasterLink({ branch: { master_guid, master_name } }: { branch: Branch }) {
  if (master_guid === null) return <span>Main account</span>
  return (
    <Link to="/masters/$type/$id" params={{ type: master_guid, id: 'edit' }}>
      <span translate="no">{master_name}</span>
    </Link>
  )
}
