import { useEffect, useEffectEvent, useRef, useState } from 'react'
import * as v from 'valibot'
import { call } from '../../../api/call.ts'
import { AuthCodeField, codeFailure, RecoveryCodeField } from '../../../blocks/accounts/mfa/CodeFields.tsx'
import { MfaEnrolment, RecoveryCodes, type MfaSetup } from '../../../blocks/accounts/mfa/MfaEnrolment.tsx'
import { usePageTitle } from '../../../blocks/page/usePageTitle.ts'
import { toFormFailure } from '../../../blocks/record/toFormFailure.ts'
import {
  initiateMfaSetup,
  MfaCodeForm,
  RecoveryCodeForm,
  verifyAndEnableMfa,
  verifyMfa,
  type LoginStep,
} from '../../../contract/accounts/auth.ts'
import type { AnswerOf } from '../../../contract/endpoint.ts'
import { readBegunSetup, noteBegunSetup } from '../../../state/begunSetup.ts'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/form/Form.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { ICONS } from '../../../ui/icons.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { openSession, type ChallengeProps, type CompletedLogin } from '../login/logIn.ts'
import { BackToLogin, StepTitle } from '../login/StepFrame.tsx'

/** Sets up an authenticator app for an account that must have one. */
export function MfaSetupStep({ pending, onStep, onFailure, onLeave }: ChallengeProps) {
  const { setup, failure, retry } = useMfaSetup(pending.session, onFailure)
  const [enrolled, setEnrolled] = useState<EnabledMfa>()
  if (enrolled)
    return <SaveCodesStep enrolled={enrolled} onStep={onStep} onFailure={onFailure} loginName={pending.loginName} />
  const enable = (code: string) =>
    call(verifyAndEnableMfa, { body: { setup: setup?.setup ?? '', code } }).then(
      (answer) => setEnrolled({ ...answer, answered_at: Date.now() }),
      (error: unknown) => {
        onFailure(error)
        return codeFailure(error)
      },
    )
  return (
    <>
      <div>
        <StepTitle>Set up your authenticator app</StepTitle>
        <p className="text-muted">Each login asks for a 6-digit code from this app.</p>
      </div>
      {setup ? (
        <MfaEnrolment
          setup={setup}
          heading="h2"
          submit={enable}
          actions={(state) => (
            <div className="flex flex-wrap items-center justify-between gap-4">
              <Button type="submit" variant="primary" {...state}>
                Verify and continue
              </Button>
              <BackToLogin onLeave={onLeave} />
            </div>
          )}
        />
      ) : (
        <>
          <SetupProgress failure={failure} retry={retry} />
          <BackToLogin onLeave={onLeave} />
        </>
      )}
    </>
  )
}

function SetupProgress({ failure, retry }: { failure: string | undefined; retry: () => void }) {
  if (failure === undefined) {
    return (
      <p className="text-muted" role="status">
        Preparing a secret key…
      </p>
    )
  }
  return (
    <>
      <Notice tone="danger" role="alert">
        <p>{failure}</p>
      </Notice>
      <Button icon={ICONS.refresh} className="justify-self-start" onClick={retry}>
        Try again
      </Button>
    </>
  )
}

/** Asks the server for a secret key, and again on `retry` after a failure. After a reload the key stays the same. */
function useMfaSetup(session: string, onFailure: (error: unknown) => void) {
  const [setup, setSetup] = useState<MfaSetup>()
  const [failure, setFailure] = useState<string>()
  const [attempt, setAttempt] = useState(0)
  const askForSetup = useEffectEvent(async (signal: AbortSignal) => {
    try {
      const begun = await call(initiateMfaSetup, { body: { session, ...readBegunSetup() }, signal })
      noteBegunSetup(begun.setup)
      setSetup(begun)
    } catch (error) {
      if (signal.aborted) return
      onFailure(error)
      setFailure(toFormFailure(error).message)
    }
  })
  useEffect(() => {
    const controller = new AbortController()
    void askForSetup(controller.signal)
    return () => controller.abort()
  }, [session, attempt])
  const retry = () => {
    setFailure(undefined)
    setAttempt(attempt + 1)
  }
  return { setup, failure, retry }
}

type EnabledMfa = AnswerOf<typeof verifyAndEnableMfa> & { answered_at: number }

interface SaveCodesStepProps {
  enrolled: EnabledMfa
  loginName: string
  onStep: (step: LoginStep) => void
  onFailure: (error: unknown) => void
}

/**
 * Shows the recovery codes before the portal opens. The session waits in memory until the codes are saved,
 * because storing the session makes every tab leave the login.
 */
function SaveCodesStep({ enrolled, loginName, onStep, onFailure }: SaveCodesStepProps) {
  const [saved, setSaved] = useState(false)
  const form = useForm({
    schema: v.object({}),
    initial: {},
    submit: () =>
      openEnabledSession(enrolled).then(onStep, (error: unknown) => {
        onFailure(error)
        return toFormFailure(error)
      }),
  })
  return (
    <>
      <StepTitle>Save your recovery codes</StepTitle>
      <Form form={form}>
        <RecoveryCodes codes={enrolled.recovery_codes} loginName={loginName} saved={saved} onSaved={setSaved} />
        <Button
          type="submit"
          variant="primary"
          className="justify-self-start"
          busy={form.submitting}
          aria-disabled={saved ? undefined : true}
        >
          Continue
        </Button>
      </Form>
    </>
  )
}

async function openEnabledSession({ access_token = '', public_key = '', answered_at }: EnabledMfa) {
  await openSession({ access_token, public_key, answered_at })
  return { access_token, public_key }
}

/** Asks for the second factor. The field takes the focus instead of the title, because a code is valid only briefly. */
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
  const completed = useRef<CompletedLogin>(undefined)
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
        <RecoveryCodeField hint="A code that you saved. Each code works once." focused {...field} />
      )}
      <Button type="submit" variant="primary" wide busy={form.submitting}>
        Verify
      </Button>
    </Form>
  )
}
