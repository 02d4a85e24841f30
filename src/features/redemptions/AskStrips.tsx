import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { call } from '../../api/call.ts'
import { usePasswordDue } from '../../blocks/accounts/passwords/usePasswordDue.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { readTill } from '../../contract/devices/enrolment.ts'
import { codePutOff, tillDevice, tillEnrolled } from '../../state/counter.ts'
import { closePasswordPrompt } from '../../state/passwordPrompt.ts'
import { Actions, Button } from '../../ui/Button.tsx'
import { Strip } from '../../ui/Strip.tsx'
import { useToday } from './useTillRows.ts'

interface Props {
  branch: string
  onChangePassword: () => void
  onCode: () => void
}

/** What the counter asks for between customers, and what can wait. */
export const AskStrips = ({ branch, onChangePassword, onCode }: Props) => (
  <>
    <PasswordStrip onChange={onChangePassword} />
    <CodeStrip branch={branch} onCode={onCode} />
  </>
)

/** Suggests a change of a password that is older than a year (rule 3.6). Not without a connection, which the change needs. */
function PasswordStrip({ onChange }: { onChange: () => void }) {
  const due = usePasswordDue()
  const offline = useOffline()
  if (!due || offline) return null
  const actions = (
    <Actions>
      <Button className="text-base" onClick={onChange}>
        Change password
      </Button>
      <Button className="text-base" onClick={closePasswordPrompt}>
        Later
      </Button>
    </Actions>
  )
  return (
    <Strip icon="lock" action={actions}>
      Your password is more than one year old.
    </Strip>
  )
}

/** A till that nobody has enrolled works, and asks once a day. Not without a connection, which a code needs. */
function CodeStrip({ branch, onCode }: { branch: string; onCode: () => void }) {
  const { enrolled, codeLater } = useSnapshot(tillDevice)
  const today = useToday()
  const offline = useOffline()
  const isQuiet = enrolled.includes(branch) || codeLater === today || offline
  const isUnenrolled = useUnenrolled(isQuiet)
  if (isQuiet || !isUnenrolled) return null
  const actions = (
    <Actions>
      <Button className="text-base" onClick={onCode}>
        Enter code
      </Button>
      <Button className="text-base" onClick={() => codePutOff(today)}>
        Later
      </Button>
    </Actions>
  )
  return (
    <Strip icon="lock" action={actions}>
      This till is not enrolled. Your manager makes a code.
    </Strip>
  )
}

/** Whether the server says so: a page of the release before may have forgotten that this device was enrolled. */
function useUnenrolled(isQuiet: boolean): boolean {
  const [isUnenrolled, setUnenrolled] = useState(false)
  useEffect(() => {
    if (isQuiet) return undefined
    const left = new AbortController()
    call(readTill, { params: { id: tillDevice.guid }, signal: left.signal }).then(
      (till) => (till?.enrolled ? tillEnrolled(till.branch_guid) : setUnenrolled(true)),
      () => undefined,
    )
    return () => left.abort()
  }, [isQuiet])
  return isUnenrolled
}
