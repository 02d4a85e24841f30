import { useSnapshot } from 'valtio/react'
import { setSuccessRegisterMessage, shell } from '../../state/shell.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'

/** An application was sent from this browser (spec §3, successRegisterMessage). */
export function ApplicationSentNotice() {
  const { successRegisterMessage } = useSnapshot(shell)
  if (!successRegisterMessage) return null
  const close = <Button variant="icon" icon="x" aria-label="Close" onClick={() => setSuccessRegisterMessage('')} />
  return (
    <Notice tone="success" icon="ok" role="status" action={close}>
      <p>{successRegisterMessage}</p>
    </Notice>
  )
}
