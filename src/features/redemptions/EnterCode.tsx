import * as v from 'valibot'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { enrolDevice } from '../../contract/devices/enrolment.ts'
import type { Till } from '../../contract/redemptions/counter.ts'
import { Actions, Button } from '../../ui/Button.tsx'
import type { Elements } from '../../ui/Elements.ts'
import { Form } from '../../ui/form/Form.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { QuestionTitle } from './CounterHeader.tsx'
import { becomeTill, enrol } from './tillEnrolment.ts'

const CodeForm = v.pick(enrolDevice.body, ['code'])

interface Props {
  guid: string
  branch: string
  revoked: boolean
  onTill: (till: Till) => void
  children: Elements
}

/** Asks the cashier for the manager's code. */
export function EnterCode({ guid, branch, revoked, onTill, children }: Props) {
  const offline = useOffline()
  const form = useForm({
    schema: CodeForm,
    initial: { code: '' },
    submit: ({ code }) => becomeTill(() => enrol(guid, code, branch), onTill),
  })
  return (
    <>
      <div className="grid gap-1">
        <QuestionTitle
          title="Enrol this till"
          say={
            revoked ? 'This till was revoked. A new code from your manager enrols it again.' : 'It takes two people:'
          }
        />
        <ol className="grid list-decimal gap-1 pl-6 text-[1.125rem]/[1.75rem]">
          <li>Your manager makes a code on the page Tills.</li>
          <li>You type it here, or open its QR code with this device’s camera. It works once, within 15 minutes.</li>
        </ol>
      </div>
      <Form form={form}>
        <TextField
          label="Code"
          hint="Eight letters and digits"
          maxLength={12}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          look="bigDigits"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one thing to do on this screen
          autoFocus
          {...form.field('code')}
        />
        <Actions>
          <Button type="submit" big variant="primary" busy={form.submitting} aria-disabled={offline || undefined}>
            Enrol this till
          </Button>
          {children}
        </Actions>
        {offline && <p className="text-muted">This device must be online while you enrol it.</p>}
      </Form>
    </>
  )
}
