import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { ChangePasswordDialog } from '../../../blocks/accounts/passwords/ChangePasswordDialog.tsx'
import { useUser } from '../../../blocks/accounts/useUser.ts'
import { AsOf } from '../../../blocks/cached/AsOf.tsx'
import { CachedStrip, LoadError } from '../../../blocks/cached/CachedStrip.tsx'
import { NeedsConnection } from '../../../blocks/connectivity/OnlineLink.tsx'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import { myInfo, signIns, type SignIn } from '../../../contract/accounts/account.ts'
import type { AnswerOf } from '../../../contract/endpoint.ts'
import { formatDay, formatInstant } from '../../../domain/singaporeTime.ts'
import { useCachedRead } from '../../../offline/reads/useCachedRead.ts'
import { Actions, Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import type { Column } from '../../../ui/table/tableColumn.ts'
import { MfaDeviceDialog, RecoveryCodesDialog } from './MfaDialogs.tsx'

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

type Mfa = NonNullable<AnswerOf<typeof myInfo>['mfa']>

/** With this many codes left or fewer, the person is told. */
const FEW_CODES = 2

/** The authenticator app of this account: its state, and the actions on it. */
function SecondFactor() {
  const { guid } = useUser()
  const { data, age, phase, retry } = useCachedRead(guid, 'account.my_info', myInfo.answer, (signal) =>
    call(myInfo, { signal }),
  )
  const mfa = data?.mfa
  return (
    <div className="border-t border-border p-4 flex items-center justify-between gap-4 phone:flex-wrap">
      <div>
        <h3>Authenticator app</h3>
        {phase === 'failed' ? (
          <p className="text-muted">Its state could not be loaded.</p>
        ) : (
          <p className="text-muted">{mfa ? mfaStateLabel(mfa) : 'Loading…'}</p>
        )}
        {age && (
          <p className="text-muted">
            As of <AsOf at={age} />.
          </p>
        )}
        {mfa?.enabled_at && mfa.recovery_codes_left <= FEW_CODES && <p>Make new recovery codes before you need one.</p>}
      </div>
      {phase === 'failed' ? (
        <Button onClick={retry}>Try again</Button>
      ) : (
        mfa && <MfaActions mfa={mfa} onChanged={retry} />
      )}
    </div>
  )
}

function MfaActions({ mfa, onChanged }: { mfa: Mfa; onChanged: () => void }) {
  const [open, setOpen] = useState<'device' | 'codes'>()
  const offline = useOffline() || undefined
  const close = () => setOpen(undefined)
  const enrolled = mfa.enabled_at !== null
  return (
    <div>
      <Actions className="justify-end phone:justify-start">
        {enrolled && (
          <Button aria-disabled={offline} onClick={() => setOpen('codes')}>
            New recovery codes
          </Button>
        )}
        <Button aria-disabled={offline} onClick={() => setOpen('device')}>
          {enrolled ? 'Change device' : 'Set up'}
        </Button>
      </Actions>
      <NeedsConnection className="mt-1 block text-right phone:text-left" />
      {open === 'device' && <MfaDeviceDialog {...{ enrolled, onChanged }} onClose={close} />}
      {open === 'codes' && <RecoveryCodesDialog onChanged={onChanged} onClose={close} />}
    </div>
  )
}

function mfaStateLabel({ enabled_at, recovery_codes_left: left }: Mfa): string {
  if (enabled_at === null) return 'Off. Logging in needs only the password.'
  const codes = left === 1 ? '1 recovery code' : `${left} recovery codes`
  return `On since ${formatDay(new Date(enabled_at))}. ${codes} left.`
}
