import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import type { DeviceRow } from '../../contract/devices/devices.ts'
import { addDevice, readEnrolment } from '../../contract/devices/enrolment.ts'
import { LIMITS } from '../../contract/limits.ts'
import { enrolmentLink } from '../../domain/devices/enrolmentLink.ts'
import { formatTime } from '../../domain/singaporeTime.ts'
import { serverNow } from '../../state/auth.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import { useUser } from '../accounts/useUser.ts'
import { FormDialog } from '../record/FormDialog.tsx'
import { BranchField } from '../reference-lists/ReferenceListFields.tsx'
import { type MadeCode, spacedCode, TillPoster } from './TillPoster.tsx'

interface Props {
  /** The till to enrol, which a cashier has named. Undefined for a new till. */
  row?: Pick<DeviceRow, 'name' | 'branch_guid'> | undefined
  /** The branch that gets its first till, which has a usual name. */
  branch?: string
  onEnrolled?: () => void
  onClose: () => void
}

/** Makes a code that turns one device into a till. Shows the code once, and watches until it is used. */
export function AddDeviceDialog({ onEnrolled, onClose, ...target }: Props) {
  const [made, setMade] = useState<MadeCode>()
  if (made)
    return <CodeDialog made={made} onEnrolled={onEnrolled} onClose={onClose} onAgain={() => setMade(undefined)} />
  return <MakeCodeDialog {...target} onMade={setMade} onClose={onClose} />
}

const FIRST_NAME = 'Front counter'

interface MakeCodeProps extends Pick<Props, 'row' | 'branch' | 'onClose'> {
  onMade: (made: MadeCode) => void
}

function MakeCodeDialog({ row, branch, onMade, onClose }: MakeCodeProps) {
  const user = useUser()
  const branch_guid = row?.branch_guid ?? branch ?? user.branch_guid ?? ''
  const isOneBranch = branch_guid !== ''
  return (
    <FormDialog
      title={row ? `Enrol ${row.name}` : 'Add a till'}
      act="Make a code"
      schema={addDevice.body}
      initial={{ branch_guid, name: row?.name ?? (branch ? FIRST_NAME : '') }}
      send={async (body) => ({ ...(await call(addDevice, { body })), name: body.name })}
      done={(made) => {
        onMade(made)
        return undefined
      }}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <p>The tablet or phone at your counter scans the code. Then only this device works as this till.</p>
          <TextField
            label="Name"
            hint="For example Till 2"
            maxLength={LIMITS.tillNameLength}
            autoComplete="off"
            {...field('name')}
          />
          {!isOneBranch && <BranchField all="Choose a branch" {...field('branch_guid')} />}
        </>
      )}
    </FormDialog>
  )
}

interface CodeDialogProps {
  made: MadeCode
  onEnrolled: (() => void) | undefined
  onAgain: () => void
  onClose: () => void
}

function CodeDialog({ made, onEnrolled, onAgain, onClose }: CodeDialogProps) {
  const close = useRef<HTMLButtonElement>(null)
  const state = useEnrolmentState(made, onEnrolled)
  const link = enrolmentLink(location.origin, made.code)
  return (
    <Dialog
      open
      title={state === 'used' ? `${made.name} is enrolled` : `Code for ${made.name}`}
      onClose={onClose}
      initialFocus={close}
      actions={
        <>
          <Button ref={close} onClick={onClose}>
            Close
          </Button>
          {state === 'over' && (
            <Button variant="primary" onClick={onAgain}>
              New code
            </Button>
          )}
          {state === 'open' && <Button onClick={() => window.print()}>Print a poster</Button>}
          {state === 'used' && (
            <Link to="/practise" className={buttonClass({ variant: 'primary' })}>
              Practise
            </Link>
          )}
        </>
      }
    >
      <div className="grid justify-items-center gap-4 text-center" role="status">
        {state === 'used' && (
          <p className="flex items-center gap-2 text-lg">
            <Icon drawing={ICONS.ok} /> The device can take vouchers now.
          </p>
        )}
        {state === 'over' && (
          <p>The code was not used within {LIMITS.enrolmentMinutes} minutes. It does not work any more.</p>
        )}
        {state === 'open' && (
          <>
            <p>
              Scan this with the camera of the device: it becomes this till, and a cashier can log in. Or log in there
              first, and enter the code.
            </p>
            <QrCode text={link} label="Code to scan" />
            <TillPoster made={made} link={link} />
            <p className="font-mono text-3xl font-strong" translate="no">
              {spacedCode(made)}
            </p>
            <p className="text-muted">
              {`It works once, until ${formatTime(new Date(made.expires_at))}. It is not shown again.`}
            </p>
          </>
        )}
      </div>
    </Dialog>
  )
}

const CHECK_EVERY_MS = 3_000

function useEnrolmentState(
  { guid, expires_at }: MadeCode,
  onEnrolled: (() => void) | undefined,
): 'open' | 'used' | 'over' {
  const [state, setState] = useState<'open' | 'used' | 'over'>('open')
  useEffect(() => {
    if (state !== 'open') return undefined
    const checkEnrolment = async () => {
      if (document.visibilityState !== 'visible') return
      const { used_at } = await call(readEnrolment, { params: { id: guid } })
      if (used_at !== null) {
        setState('used')
        onEnrolled?.()
      } else if (Date.parse(expires_at) < serverNow()) setState('over')
    }
    const timer = setInterval(() => void checkEnrolment().catch(() => undefined), CHECK_EVERY_MS)
    return () => clearInterval(timer)
  }, [state, guid, expires_at, onEnrolled])
  return state
}
