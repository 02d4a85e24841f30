import { useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { call } from '../../api/call.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import type { User } from '../../contract/accounts/user.ts'
import { nameTill, type Till } from '../../contract/redemptions/counter.ts'
import { tillDevice } from '../../state/counter.ts'
import { Actions, Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { CounterFrame, CounterHeader, CounterQuestion, QuestionTitle } from './CounterHeader.tsx'
import { EnterCode } from './EnterCode.tsx'
import { PractiseLink } from './practice/PractiseLink.tsx'
import { useScanRefusal } from './refuseScan.ts'
import { becomeTill, usePostponeCode } from './tillEnrolment.ts'

interface Props {
  user: User
  /** True if a till may work without a code. */
  mayName: boolean
  /** True if only a new code makes this device a till again. */
  isRevoked: boolean
  /** Goes back to the counter, on a till that already works. */
  onNotNow?: () => void
  onTill: (till: Till) => void
}

/** Sets up a device for a branch before its first voucher: with the manager's code or, if the server allows it, with a name only. */
export function SetUpTill({ user, mayName, isRevoked, onNotNow, onTill }: Props) {
  const [hasCode, setHasCode] = useState(onNotNow !== undefined)
  const { guid } = useSnapshot(tillDevice)
  const asksForCode = hasCode || !mayName || isRevoked
  useScanRefusal('set-up')
  return (
    <CounterFrame>
      <CounterHeader user={user} />
      <CounterQuestion>
        <div className="grid w-[min(36rem,100%)] gap-6">
          {asksForCode ? (
            <EnterCode guid={guid} branch={user.branch_guid ?? ''} onTill={onTill} revoked={isRevoked}>
              {onNotNow && (
                <Button big onClick={onNotNow}>
                  Not now
                </Button>
              )}
              {!onNotNow && mayName && !isRevoked && (
                <Button big onClick={() => setHasCode(false)}>
                  I have no code
                </Button>
              )}
            </EnterCode>
          ) : (
            <NameTill guid={guid} onTill={onTill} onCode={() => setHasCode(true)} />
          )}
          {/* A cashier who waits for a code or a connection can practise. */}
          {!onNotNow && <PractiseLink className="" />}
        </div>
      </CounterQuestion>
    </CounterFrame>
  )
}

interface NameTillProps {
  guid: string
  onTill: (till: Till) => void
  onCode: () => void
}

/** Asks for the name that other tills and receipts use for this one. */
function NameTill({ guid, onCode, onTill }: NameTillProps) {
  const offline = useOffline()
  const putOff = usePostponeCode()
  const finish = (till: Till) => {
    // This screen has offered to enter a code, so the counter does not ask for the code again today.
    putOff()
    onTill(till)
  }
  const form = useForm({
    schema: nameTill.body,
    initial: { name: '' },
    submit: (body) => becomeTill(() => call(nameTill, { params: { id: guid }, body }), finish),
  })
  return (
    <>
      <div>
        <QuestionTitle title="Name this till" say="This name is shown on receipts and to your other tills." />
      </div>
      <Form form={form}>
        <TextField
          label="Name"
          hint="For example Till 2"
          maxLength={30}
          autoComplete="off"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one thing to do on this screen
          autoFocus
          {...form.field('name')}
        />
        <Actions>
          <Button type="submit" big variant="primary" busy={form.submitting} aria-disabled={offline || undefined}>
            Use this name
          </Button>
          <Button big onClick={onCode}>
            My manager gave me a code
          </Button>
        </Actions>
        {offline && <p className="text-muted">Naming needs a connection, once.</p>}
      </Form>
    </>
  )
}
