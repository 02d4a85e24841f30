import { useRef, useState } from 'react'
import { call } from '../../../api/call.ts'
import { AuthCodeField, codeFailure, RecoveryCodeField } from '../../../blocks/accounts/mfa/CodeFields.tsx'
import { usePageTitle } from '../../../blocks/page/usePageTitle.ts'
import { verifyMfa } from '../../../contract/accounts/auth.ts'
import { MfaCodeForm, RecoveryCodeForm } from '../../../contract/accounts/loginForms.ts'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/form/Form.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { BackToLogin } from '../sign-in/BackToLogin.tsx'
import type { ChallengeProps } from '../sign-in/PendingLogin.ts'
import { openSession, type CompletedSignIn } from '../sign-in/signIn.ts'

/** The second factor. The field has the focus, not the title: the code is all there is to do, and it does not last. */
export function MfaCodeStep(props: ChallengeProps) {
  usePageTitle('Enter your code')
  const [way, setWay] = useState<'app' | 'recovery'>('app')
  return (
    <>
      <h1>Enter your code</h1>
      <CodeForm key={way} way={way} {...props} />
      <Button
        variant="quiet"
        className="-ml-2 justify-self-start"
        onClick={() => setWay(way === 'app' ? 'recovery' : 'app')}
      >
        {way === 'app' ? 'Use a recovery code instead' : 'Use the authenticator app instead'}
      </Button>
      <BackToLogin onLeave={props.onDrop} />
    </>
  )
}

function CodeForm({ way, pending, onStep, onFailure }: ChallengeProps & { way: 'app' | 'recovery' }) {
  // A code works once: when only the profile failed to come, the next try starts there.
  const completed = useRef<CompletedSignIn>(undefined)
  const enter = async (code: string) => {
    completed.current ??= await call(verifyMfa, { body: { session: pending.session, code } })
    await openSession(completed.current)
    onStep(completed.current)
  }
  const form = useForm({
    schema: way === 'app' ? MfaCodeForm : RecoveryCodeForm,
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
      {way === 'app' ? (
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
