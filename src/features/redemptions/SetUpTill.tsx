import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { call } from '../../api/call.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { toFormFailure } from '../../blocks/record/toFormFailure.ts'
import type { User } from '../../contract/accounts/user.ts'
import { readTill } from '../../contract/devices/enrolment.ts'
import { nameTill } from '../../contract/redemptions/counter.ts'
import { requestPersistence } from '../../offline/storage/storageHealth.ts'
import { tillDevice, tillEnrolled, tillNamed } from '../../state/counter.ts'
import { Actions, Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { CounterFrame, CounterHeader, CounterQuestion, QuestionTitle } from './CounterHeader.tsx'
import { EnterCode } from './EnterCode.tsx'

interface Props {
  user: User
  /** From a manager's QR code. */
  code?: string | undefined
  /** Whether a till may do without a code. */
  mayName: boolean
  /** Of a till that works already: back to the counter. */
  onLater?: () => void
  onDone?: () => void
}

/** Once for each device and branch, before its first voucher: by a code of its manager, or, where that is allowed, by a name. */
export function SetUpTill({ user, code, mayName, onLater, onDone }: Props) {
  const [hasCode, setHasCode] = useState(code !== undefined || onLater !== undefined)
  const { guid } = useSnapshot(tillDevice)
  const known = useKnownTill(user, guid)
  const asksForCode = hasCode || !mayName || known === 'revoked'
  return (
    <CounterFrame>
      <CounterHeader user={user} />
      <CounterQuestion>
        <div className="grid w-[min(36rem,100%)] gap-6">
          {asksForCode ? (
            <EnterCode {...{ guid, code, onDone }} revoked={known === 'revoked'}>
              {onLater && (
                <Button big onClick={onLater}>
                  Later
                </Button>
              )}
              {!onLater && mayName && known !== 'revoked' && (
                <Button big onClick={() => setHasCode(false)}>
                  I have no code
                </Button>
              )}
            </EnterCode>
          ) : (
            <NameTill {...{ guid, onDone }} onCode={() => setHasCode(true)} />
          )}
        </div>
      </CounterQuestion>
    </CounterFrame>
  )
}

/** A till that was moved here is known already. Asked once; without an answer the cashier says what it is. */
function useKnownTill({ branch_guid }: User, guid: string): 'revoked' | undefined {
  const [revoked, setRevoked] = useState(false)
  const isNamed = tillDevice.names[branch_guid ?? ''] !== undefined
  useEffect(() => {
    if (isNamed) return undefined
    const left = new AbortController()
    call(readTill, { params: { id: guid }, signal: left.signal }).then(
      (till) => {
        if (till?.revoked) return setRevoked(true)
        if (!till?.enrolled) return undefined
        tillEnrolled(till.branch_guid)
        return tillNamed(till.branch_guid, till.name)
      },
      () => undefined,
    )
    return () => left.abort()
  }, [guid, isNamed])
  return revoked ? 'revoked' : undefined
}

interface NameTillProps {
  guid: string
  onDone: (() => void) | undefined
  onCode: () => void
}

/** What other tills and receipts call it. */
function NameTill({ guid, onCode, onDone }: NameTillProps) {
  const offline = useOffline()
  const form = useForm({
    schema: nameTill.body,
    initial: { name: '' },
    submit: async ({ name }) => {
      try {
        const till = await call(nameTill, { params: { id: guid }, body: { name } })
        // Not waited for: Firefox answers only when the person has.
        void requestPersistence()
        tillNamed(till.branch_guid, till.name)
        onDone?.()
        return undefined
      } catch (error) {
        return toFormFailure(error)
      }
    },
  })
  return (
    <>
      <QuestionTitle title="Name this till" say="Other tills and receipts call this device by its name." />
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
          <Button type="submit" big variant="primary" busy={form.submitting} aria-disabled={offline || form.waiting}>
            Use this name
          </Button>
          <Button big onClick={onCode}>
            I have a code
          </Button>
        </Actions>
        {offline && <p className="text-muted">Naming needs a connection, once.</p>}
      </Form>
    </>
  )
}
