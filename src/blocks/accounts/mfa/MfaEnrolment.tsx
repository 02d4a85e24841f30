import { lazy, Suspense, type ReactNode } from 'react'
import { MfaCodeForm } from '../../../contract/accounts/auth.ts'
import { CopyField } from '../../../ui/form/CopyField.tsx'
import { Form } from '../../../ui/form/Form.tsx'
import { useForm, type FormFailure } from '../../../ui/form/useForm.ts'
import { Stack } from '../../../ui/Panel.tsx'
import { AuthCodeField } from './CodeFields.tsx'

export interface MfaSetup {
  setup: string
  secret: string
  otpauth_url: string
}

interface Props {
  setup: MfaSetup
  /** Level of the two headings. */
  heading: 'h2' | 'h3'
  /** The code gets the focus, where nothing else does. */
  focused?: boolean
  submit: (code: string) => Promise<FormFailure | void>
  actions: (form: { busy: boolean; 'aria-disabled': true | undefined }) => ReactNode
}

/** Only needed while an app is set up. Without its chunk the secret key does as well. */
const QrCode = lazy(async () => {
  const code = await import('../../../ui/QrCode.tsx').catch(() => undefined)
  return { default: code?.QrCode ?? NoQrCode }
})

/** A new authenticator app, from its secret to the code that proves it. */
export function MfaEnrolment({ setup, heading: Heading, focused, submit, actions }: Props) {
  const form = useForm({ schema: MfaCodeForm, initial: { code: '' }, submit: ({ code }) => submit(code) })
  return (
    <Form form={form}>
      <div className="flex flex-wrap items-start gap-6">
        <Suspense fallback={<div className={QR_PLACE} />}>
          <QrCode text={setup.otpauth_url} label="QR code for your authenticator app" />
        </Suspense>
        <Stack className="flex-[1_1_16rem]">
          <div>
            <Heading>1. Scan the QR code</Heading>
            <p className="text-muted">Open an authenticator app on your phone, add an account and scan.</p>
            <p className="phone:block hidden">
              <a href={setup.otpauth_url}>Open an app on this phone</a>
            </p>
          </div>
          <CopyField label="Secret key, if you cannot scan" shown={inFours(setup.secret)} text={setup.secret} />
        </Stack>
      </div>
      <div className="grid gap-4 border-t border-border pt-5">
        <Heading>2. Enter the code it shows</Heading>
        <AuthCodeField submits focused={focused} {...form.field('code')} />
      </div>
      {actions({ busy: form.submitting, 'aria-disabled': form.waiting })}
    </Form>
  )
}

/** As large as the code. */
const QR_PLACE = 'size-[11rem] flex-none rounded-2 border border-border'

function NoQrCode() {
  return (
    <p className={`${QR_PLACE} grid place-items-center p-4 text-center text-muted`}>
      The QR code could not be loaded. Use the secret key.
    </p>
  )
}

const inFours = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
