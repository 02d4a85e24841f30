import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { ChangePasswordDialog } from '../../../blocks/accounts/passwords/ChangePasswordDialog.tsx'
import { useUser } from '../../../blocks/accounts/useUser.ts'
import { CachedStrip, LoadError } from '../../../blocks/cached/CachedStrip.tsx'
import { signIns, type SignIn } from '../../../contract/accounts/account.ts'
import { formatInstant } from '../../../domain/singaporeTime.ts'
import { useCachedRead } from '../../../offline/reads/useCachedRead.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import type { Column } from '../../../ui/table/tableColumn.ts'
import { SecondFactor } from './SecondFactor.tsx'

export function SecurityPanel() {
  const [changing, setChanging] = useState(false)
  return (
    <>
      <Panel id="security" title="Security" className="mt-6">
        <div className="p-4 flex items-center justify-between gap-4 phone:flex-wrap">
          <div>
            <h3>Password</h3>
            <p className="text-muted">Changing it logs out your other devices.</p>
          </div>
          <Button icon={ICONS.lock} onClick={() => setChanging(true)}>
            Change password
          </Button>
        </div>
        <SecondFactor />
        <ChangePasswordDialog open={changing} onClose={() => setChanging(false)} />
      </Panel>
      <section className="mt-6" aria-labelledby="last-logins">
        <h2 id="last-logins">Last logins</h2>
        <p className="text-muted mb-3">If one of these was not you, change your password.</p>
        <SignInsTable />
      </section>
    </>
  )
}

const MOST_SIGN_INS = 20

const OUTCOME_LABELS: Record<SignIn['outcome'], string> = {
  'signed in': 'Logged in',
  'wrong password': 'Wrong password',
  'wrong code': 'Wrong code',
  blocked: 'Blocked',
}

const SIGN_IN_COLUMNS: Column<SignIn>[] = [
  { key: 'at', title: 'When', nowrap: true, fold: 't1', cell: ({ at }) => formatInstant(new Date(at)) },
  { key: 'outcome', title: 'Outcome', fold: 'v1', cell: outcomeCell },
  { key: 'device', title: 'Device', fold: 't2', cell: ({ device }) => device },
  { key: 'ip_address', title: 'Address', nowrap: true, fold: 'v2', cell: ({ ip_address }) => ip_address },
]

/** The last logins of this account, failed ones included, so that its owner notices somebody else's. */
function SignInsTable() {
  const { guid } = useUser()
  const read = useCachedRead(guid, 'account.sign_ins', signIns.answer, (signal) => call(signIns, { signal }))
  const { data, phase, error, retry } = read
  const rows = data ?? []
  return (
    <DataTable
      caption="Last logins"
      columns={SIGN_IN_COLUMNS}
      rows={rows}
      rowKey={(row) => row.guid}
      phase={phase === 'kept' ? 'ready' : phase === 'failed' ? 'error' : phase}
      page={1}
      size={MOST_SIGN_INS}
      total={rows.length}
      strip={<CachedStrip what="list" read={read} />}
      empty={<EmptyState icon={ICONS.list} title="No login yet" />}
      error={<LoadError error={error} onRetry={retry} />}
    />
  )
}

function outcomeCell({ outcome, is_this_session }: SignIn) {
  return is_this_session ? <b className="font-strong">This session</b> : OUTCOME_LABELS[outcome]
}
