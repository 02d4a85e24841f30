import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { ChangePasswordDialog } from '../../../blocks/accounts/passwords/ChangePasswordDialog.tsx'
import { useUser } from '../../../blocks/accounts/useUser.ts'
import { ActivityLink } from '../../../blocks/activity/ActivityLink.tsx'
import { AsOf } from '../../../blocks/cached/CachedStrip.tsx'
import { NeedsConnection } from '../../../blocks/connectivity/OnlineLink.tsx'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import { myInfo } from '../../../contract/accounts/account.ts'
import type { AnswerOf } from '../../../contract/endpoint.ts'
import { formatDay } from '../../../domain/singaporeTime.ts'
import { useCachedRead } from '../../../offline/reads/useCachedRead.ts'
import { Actions, Button } from '../../../ui/Button.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { MfaDeviceDialog, RecoveryCodesDialog } from './MfaDialogs.tsx'

export function SecurityPanel() {
  const { type, guid, branch_guid } = useUser()
  const [isChanging, setIsChanging] = useState(false)
  return (
    <Panel id="security" title="Security" className="mt-6">
      <div className="p-4 flex items-center justify-between gap-4 phone:flex-wrap">
        <div>
          <h3>Password</h3>
          <p className="text-muted">Changing it logs out your other devices.</p>
        </div>
        <Button icon={ICONS.lock} onClick={() => setIsChanging(true)}>
          Change password
        </Button>
      </div>
      <AuthenticatorApp />
      <div className="border-t border-border p-4 flex items-center justify-between gap-4 phone:flex-wrap">
        <div>
          <h3>Logins</h3>
          <p className="text-muted">If one of them was not you, change your password.</p>
        </div>
        {branch_guid === null ? (
          <ActivityLink type={type === 'Additional Merchant' ? 'master' : 'account'} guid={guid} />
        ) : (
          <ActivityLink type="branch" guid={branch_guid} />
        )}
      </div>
      <ChangePasswordDialog open={isChanging} onClose={() => setIsChanging(false)} />
    </Panel>
  )
}

type Mfa = NonNullable<AnswerOf<typeof myInfo>['mfa']>

/** The panel warns when this many recovery codes or fewer are left. */
const FEW_RECOVERY_CODES = 2

/** Shows the authenticator app of this account, and the actions on it. */
function AuthenticatorApp() {
  const { guid } = useUser()
  const { data, staleAsOf, phase, retry } = useCachedRead(guid, 'account.my_info', myInfo.answer, (signal) =>
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
        {staleAsOf && (
          <p className="text-muted">
            As of <AsOf at={staleAsOf} />.
          </p>
        )}
        {mfa?.enabled_at && mfa.recovery_codes_left <= FEW_RECOVERY_CODES && (
          <p>Make new recovery codes before you need one.</p>
        )}
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
      {open === 'device' && <MfaDeviceDialog enrolled={enrolled} onChanged={onChanged} onClose={close} />}
      {open === 'codes' && <RecoveryCodesDialog onChanged={onChanged} onClose={close} />}
    </div>
  )
}

function mfaStateLabel({ enabled_at, recovery_codes_left: left }: Mfa): string {
  if (enabled_at === null) return 'Off. Logging in needs only the password.'
  const codes = left === 1 ? '1 recovery code' : `${left} recovery codes`
  return `On since ${formatDay(new Date(enabled_at))}. ${codes} left.`
}
