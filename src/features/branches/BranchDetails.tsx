import { Link } from '@tanstack/react-router'
import { usePermission } from '../../blocks/accounts/useUser.ts'
import type { Branch } from '../../contract/branches.ts'
import { formatOperatingHours } from '../../domain/operatingHours.ts'
import { formatDay, formatInstant } from '../../domain/singaporeTime.ts'
import { WithCopy } from '../../ui/CopyButton.tsx'
import { Exact, Facts, Panel, Stack, type Fact } from '../../ui/Panel.tsx'
import { AllowancePanel } from './AllowancePanel.tsx'
import { BranchDays } from './BranchDays.tsx'
import { PinPanel } from './PinPanel.tsx'

export function BranchDetails({ branch, onChanged }: { branch: Branch; onChanged: () => void }) {
  return (
    <Stack apart>
      <div className="grid grid-cols-2 items-start gap-6 phone:grid-cols-1">
        <Panel title="Business information">
          <Facts facts={businessFacts(branch, usePermission('masters', 'view'))} />
        </Panel>
        <Stack apart>
          <Panel title="Financial contact">
            <Facts facts={contactFacts(branch)} />
          </Panel>
          <PinPanel {...{ branch, onChanged }} />
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

const given = (value: string | undefined) => (value === undefined ? NOT_GIVEN : <Exact>{value}</Exact>)

const email = (what: string, value: string | undefined) =>
  value === undefined ? NOT_GIVEN : <WithCopy what={what}>{value}</WithCopy>

function businessFacts(branch: Branch, seesMasters: boolean): Fact[] {
  const { name, code, kind, business } = branch
  const hours = business?.operating_hours
  return [
    ['Branch name', <Exact key="name">{name}</Exact>],
    ['Branch code', <Exact key="code">{code}</Exact>],
    ...(kind === 'adhoc' ? [['Days', <BranchDays key="days" branch={branch} />] as const] : []),
    ['Address', business ? [business.address, `Singapore ${business.postal_code}`] : NOT_GIVEN],
    ['Contact number', given(business?.contact_number)],
    [
      'Operating hours',
      hours ? formatOperatingHours(hours).split(', ').reduce(joinDayRuns, []) : 'Those of the organisation',
    ],
    ...(seesMasters ? [['Managed by', <MasterLink key="master" branch={branch} />] as const] : []),
  ]
}

/** One line for each run of days. A piece without hours is the first half of `Sat, Sun 09:00–22:00`. */
function joinDayRuns(lines: string[], piece: string): string[] {
  const before = lines.at(-1)
  return before !== undefined && !/ (closed|\d)/.test(before)
    ? [...lines.slice(0, -1), `${before}, ${piece}`]
    : [...lines, piece]
}

const contactFacts = ({ financial_contact: contact }: Branch): Fact[] => [
  ['Name', given(contact?.name)],
  ['Email', email('contact email', contact?.email)],
  ['Contact number', given(contact?.contact_number)],
]

function accountFacts(branch: Branch): Fact[] {
  const { email: login, account_status, invited_at, last_sign_in_at, created_at, created_by } = branch
  return [
    ['Email', email('login email', login ?? undefined)],
    ['Login status', account_status ?? 'No login'],
    ...(invited_at ? [['Activation email', `Sent ${formatInstant(new Date(invited_at))}`] as const] : []),
    ['Last login', last_sign_in_at ? formatInstant(new Date(last_sign_in_at)) : 'Never'],
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
