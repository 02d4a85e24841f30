import { useEffect, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { FormDialog } from '../../blocks/record/FormDialog.tsx'
import { BranchField } from '../../blocks/reference-lists/ReferenceListFields.tsx'
import type { DeviceRow } from '../../contract/devices/devices.ts'
import { addDevice, readEnrolment, type Enrolment } from '../../contract/devices/enrolment.ts'
import { LIMITS } from '../../contract/limits.ts'
import { enrolmentLink } from '../../domain/devices/enrolmentLink.ts'
import { formatTime } from '../../domain/singaporeTime.ts'
import { serverNow } from '../../state/auth.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { QrCode } from '../../ui/QrCode.tsx'

interface Props {
  /** The till to enrol, which a cashier has named. Undefined for a new till. */
  row?: DeviceRow | undefined
  onEnrolled: () => void
  onClose: () => void
}

/** Makes a code that turns one device into a till. Shows the code once, and watches until it is used. */
export function AddDeviceDialog({ row, onEnrolled, onClose }: Props) {
  const [made, setMade] = useState<MadeCode>()
  if (made)
    return <CodeDialog made={made} onEnrolled={onEnrolled} onClose={onClose} onAgain={() => setMade(undefined)} />
  return <MakeCodeDialog row={row} onMade={setMade} onClose={onClose} />
}

interface MadeCode extends Enrolment {
  name: string
}

function MakeCodeDialog({
  row,
  onMade,
  onClose,
}: Pick<Props, 'row' | 'onClose'> & { onMade: (made: MadeCode) => void }) {
  const user = useUser()
  const isOneBranch = user.type === 'Branch Merchant' || row !== undefined
  return (
    <FormDialog
      title={row ? `Enrol ${row.name}` : 'Add a till'}
      act="Make a code"
      schema={addDevice.body}
      initial={{ branch_guid: row?.branch_guid ?? user.branch_guid ?? '', name: row?.name ?? '' }}
      send={async (body) => ({ ...(await call(addDevice, { body })), name: body.name })}
      done={(made) => {
        onMade(made)
        return undefined
      }}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <p>A cashier enters the code on the device, or scans it. Then only this device works as this till.</p>
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
  onEnrolled: () => void
  onAgain: () => void
  onClose: () => void
}

function CodeDialog({ made, onEnrolled, onAgain, onClose }: CodeDialogProps) {
  const close = useRef<HTMLButtonElement>(null)
  const state = useEnrolmentState(made, onEnrolled)
  return (
    <Dialog
      open
      title={state === 'used' ? `${made.name} is enrolled` : `Code for ${made.name}`}
      onClose={onClose}
      initialFocus={close}
      actions={
        <>
          {state === 'over' && (
            <Button variant="primary" onClick={onAgain}>
              New code
            </Button>
          )}
          <Button ref={close} onClick={onClose}>
            Close
          </Button>
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
              Scan this with the camera of the device, and log in there as a cashier of this branch. Or log in, and
              enter the code.
            </p>
            <QrCode text={enrolmentLink(location.origin, made.code)} label="Code to scan" />
            <p
              className="font-mono text-3xl font-strong"
              translate="no"
            >{`${made.code.slice(0, 4)} ${made.code.slice(4)}`}</p>
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

function useEnrolmentState({ guid, expires_at }: MadeCode, onEnrolled: () => void): 'open' | 'used' | 'over' {
  const [state, setState] = useState<'open' | 'used' | 'over'>('open')
  useEffect(() => {
    if (state !== 'open') return undefined
    const checkEnrolment = async () => {
      if (document.visibilityState !== 'visible') return
      const { used_at } = await call(readEnrolment, { params: { id: guid } })
      if (used_at !== null) {
        setState('used')
        onEnrolled()
      } else if (Date.parse(expires_at) < serverNow()) setState('over')
    }
    const timer = setInterval(() => void checkEnrolment().catch(() => undefined), CHECK_EVERY_MS)
    return () => clearInterval(timer)
  }, [state, guid, expires_at, onEnrolled])
  return state
}
