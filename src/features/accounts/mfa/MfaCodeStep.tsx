import { useRef, useState } from 'react'
import { call } from '../../../api/call.ts'
import { AuthCodeField, codeFailure, RecoveryCodeField } from '../../../blocks/accounts/mfa/CodeFields.tsx'
import { usePageTitle } from '../../../blocks/page/usePageTitle.ts'
import { MfaCodeForm, RecoveryCodeForm, verifyMfa } from '../../../contract/accounts/auth.ts'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/form/Form.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { BackToLogin } from '../sign-in/BackToLogin.tsx'
import type { ChallengeProps } from '../sign-in/PendingLogin.ts'
import { openSession, type CompletedSignIn } from '../sign-in/signIn.ts'

/** The second factor. The field has the focus, not the title: a code is valid for a short time only. */
export function MfaCodeStep(props: ChallengeProps) {
  usePageTitle('Enter your code')
  const [method, setMethod] = useState<'app' | 'recovery'>('app')
  return (
    <>
      <h1>Enter your code</h1>
      <CodeForm key={method} method={method} {...props} />
      <Button
        variant="quiet"
        className="-ml-2 justify-self-start"
        onClick={() => setMethod(method === 'app' ? 'recovery' : 'app')}
      >
        {method === 'app' ? 'Use a recovery code instead' : 'Use the authenticator app instead'}
      </Button>
      <BackToLogin onLeave={props.onLeave} />
    </>
  )
}

function CodeForm({ method, pending, onStep, onFailure }: ChallengeProps & { method: 'app' | 'recovery' }) {
  // A code works once. If only the profile could not be loaded, the next try continues there.
  const completed = useRef<CompletedSignIn>(undefined)
  const enter = async (code: string) => {
    completed.current ??= await call(verifyMfa, { body: { session: pending.session, code } })
    await openSession(completed.current)
    onStep(completed.current)
  }
  const form = useForm({
    schema: method === 'app' ? MfaCodeForm : RecoveryCodeForm,
    initial: { code: '' },
    submit: ({ code }) =>
      enter(code).catch((error: unknown) => {
        onFailure(error)
        return codeFailure(error)
      }),
  })
  const field = form.field('code')
  return (
    <Form form={form}>
      {method === 'app' ? (
        <AuthCodeField hint="It is in your authenticator app." submits focused {...field} />
      ) : (
        <RecoveryCodeField hint="One of those you saved. Each works once." focused {...field} />
      )}
      <Button type="submit" variant="primary" wide busy={form.submitting} aria-disabled={form.waiting}>
        Verify
      </Button>
    </Form>
  )
}
