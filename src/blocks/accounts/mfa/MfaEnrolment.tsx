import { lazy, Suspense, useState } from 'react'
import { MfaCodeForm } from '../../../contract/accounts/auth.ts'
import { formatInstant } from '../../../domain/singaporeTime.ts'
import { Button } from '../../../ui/Button.tsx'
import type { Elements } from '../../../ui/Elements.ts'
import { Check } from '../../../ui/form/CheckboxField.tsx'
import { CopyField, useCopy } from '../../../ui/form/CopyField.tsx'
import { Form } from '../../../ui/form/Form.tsx'
import { useForm, type FormFailure } from '../../../ui/form/useForm.ts'
import { ICONS } from '../../../ui/icons.tsx'
import { Stack } from '../../../ui/Panel.tsx'
import { saveFile } from '../../downloads/saveFile.ts'
import { useUnsavedWork } from '../../drafts/useDraft.ts'
import { AuthCodeField } from './CodeFields.tsx'

export interface MfaSetup {
  setup: string
  secret: string
  otpauth_url: string
}

interface MfaEnrolmentProps {
  setup: MfaSetup
  /** The level of both headings. */
  heading: 'h2' | 'h3'
  /** The field for the code gets the focus, unless something else has it. */
  focused?: boolean
  submit: (code: string) => Promise<FormFailure | void>
  actions: (form: { busy: boolean }) => Elements
}

/** Loaded only when an app is set up. If the chunk does not load, the secret key is enough. */
const QrCode = lazy(async () => {
  const code = await import('../../../ui/QrCode.tsx').catch(() => undefined)
  return { default: code?.QrCode ?? NoQrCode }
})

/** Sets up a new authenticator app, from its secret to the code that proves it. */
export function MfaEnrolment({ setup, heading: Heading, focused, submit, actions }: MfaEnrolmentProps) {
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
            <p className="text-muted">
              Open an authenticator app on your phone, add an account and scan. Delete older entries of this portal in
              your app.
            </p>
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
      {actions({ busy: form.submitting })}
    </Form>
  )
}

/** As large as the QR code. */
const QR_PLACE = 'size-[11rem] flex-none rounded-2 border border-border'

function NoQrCode() {
  return (
    <p className={`${QR_PLACE} grid place-items-center p-4 text-center text-muted`}>
      The QR code could not be loaded. Use the secret key.
    </p>
  )
}

const inFours = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')

interface RecoveryCodesProps {
  codes: readonly string[]
  /** Written into the saved file, if it is known. */
  loginName: string
  saved: boolean
  onSaved: (saved: boolean) => void
}

/** Shows the recovery codes. They are never shown again. */
export function RecoveryCodes({ codes, loginName, saved, onSaved }: RecoveryCodesProps) {
  useUnsavedWork('recovery-codes', true)
  const { copy, said } = useCopy(codes.join('\n'))
  const [refused, setRefused] = useState(false)
  const download = () => void saveFile(fileOf(codes, loginName)).then((outcome) => setRefused(outcome === 'refused'))
  return (
    <>
      <p>
        Without your authenticator app, each of these codes logs you in once. Keep them where only you find them: they
        are not shown again.
      </p>
      <ul
        className="grid grid-cols-[repeat(auto-fill,minmax(12rem,1fr))] gap-x-4 gap-y-2 rounded-2 border border-border bg-surface-sunken p-4 font-mono"
        translate="no"
        aria-label="Recovery codes"
      >
        {codes.map((code) => (
          // One click selects a whole code.
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <Button icon={ICONS.download} onClick={download}>
          Download
        </Button>
        <Button onClick={copy}>Copy</Button>
        <span className="text-muted" role="status">
          {refused ? 'The file could not be saved. Copy the codes.' : said}
        </span>
      </div>
      <Check checked={saved} onChange={(event) => onSaved(event.target.checked)}>
        I have saved these codes
      </Check>
    </>
  )
}

function fileOf(codes: readonly string[], loginName: string): File {
  const lines = [
    `HRP Merchant Portal: recovery codes${loginName && ` of ${loginName}`}`,
    `Made on ${formatInstant(new Date())}. Each works once. Those made before do not work any more.`,
    '',
    ...codes,
  ]
  return new File([`${lines.join('\n')}\n`], 'recovery-codes.txt', { type: 'text/plain' })
}
