import { useState } from 'react'
import { useProfile } from '../../blocks/accounts/useProfile.ts'
import { usePermission } from '../../blocks/accounts/useUser.ts'
import { NeedsConnection } from '../../blocks/connectivity/OnlineLink.tsx'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import type { Branch } from '../../contract/branches.ts'
import type { VerificationMethod } from '../../contract/profile.ts'
import { formatDay } from '../../domain/singaporeTime.ts'
import { Button } from '../../ui/Button.tsx'
import { FieldWarning } from '../../ui/form/Field.tsx'
import { Facts, Panel, type Fact } from '../../ui/Panel.tsx'
import { PinDialog } from './PinDialog.tsx'

/** Whether there is a PIN and whether it is weak. The PIN itself cannot be read again. */
export function PinPanel({ branch, onChanged }: { branch: Branch; onChanged: () => void }) {
  const [setting, setSetting] = useState(false)
  const mayEdit = usePermission('branches', 'edit')
  const offline = useOffline()
  // From the profile. Without a connection it may be unknown, and is left out.
  const method = useProfile().data?.verification_method
  const usedFor: Fact[] = method ? [['Used for', METHOD_USES[method]]] : []
  const action = mayEdit && (
    <>
      <NeedsConnection className="ml-auto" />
      <Button variant="quiet" className="-mr-2" aria-disabled={offline || undefined} onClick={() => setSetting(true)}>
        Set a new PIN
      </Button>
    </>
  )
  return (
    <Panel title="Branch PIN" action={action}>
      <Facts facts={[['PIN', <PinState key="pin" pin={branch.pin} />], ...usedFor]} />
      {setting && <PinDialog {...{ branch, onChanged }} onClose={() => setSetting(false)} />}
    </Panel>
  )
}

const METHOD_USES: Record<VerificationMethod, string> = {
  Serial: 'Not used: vouchers are verified by serial number only',
  'Serial and branch PIN': 'Verifying vouchers: serial number and branch PIN',
}

function PinState({ pin: { set, weak, set_at } }: Pick<Branch, 'pin'>) {
  if (!set) return <span className="text-muted">Not set</span>
  return (
    <>
      {set_at ? `Set on ${formatDay(new Date(set_at))}` : 'Set'}
      {weak && <FieldWarning>Weak: easy to guess.</FieldWarning>}
    </>
  )
}
