import { useSnapshot } from 'valtio/react'
import { call } from '../../api/call.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { toFormFailure } from '../../blocks/record/toFormFailure.ts'
import type { User } from '../../contract/accounts/user.ts'
import { nameTill } from '../../contract/redemptions/counter.ts'
import { requestPersistence } from '../../offline/storage/storageHealth.ts'
import { tillDevice, tillNamed } from '../../state/counter.ts'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { CounterFrame, CounterHeader, CounterQuestion, QuestionTitle } from './CounterHeader.tsx'

/** Once for each device and branch, before its first voucher: what other tills and receipts call it. */
export function NameTill({ user }: { user: User }) {
  const { guid } = useSnapshot(tillDevice)
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
      } catch (error) {
        return toFormFailure(error)
      }
    },
  })
  return (
    <CounterFrame>
      <CounterHeader user={user} />
      <CounterQuestion>
        <div className="grid w-[min(36rem,100%)] gap-6">
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
            <Button type="submit" big variant="primary" busy={form.submitting} aria-disabled={offline || form.waiting}>
              Use this name
            </Button>
            {offline && <p className="text-muted">Naming needs a connection, once.</p>}
          </Form>
        </div>
      </CounterQuestion>
    </CounterFrame>
  )
}
