import { useEffect, useEffectEvent, useState } from 'react'
import * as v from 'valibot'
import { call } from '../../../api/call.ts'
import { codeFailure } from '../../../blocks/accounts/mfa/CodeFields.tsx'
import { MfaEnrolment, type MfaSetup } from '../../../blocks/accounts/mfa/MfaEnrolment.tsx'
import { RecoveryCodes } from '../../../blocks/accounts/mfa/RecoveryCodes.tsx'
import { toFormFailure } from '../../../blocks/record/toFormFailure.ts'
import { initiateMfaSetup, verifyAndEnableMfa, type SignInStep } from '../../../contract/accounts/auth.ts'
import type { AnswerOf } from '../../../contract/endpoint.ts'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/form/Form.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { BackToLogin } from '../sign-in/BackToLogin.tsx'
import type { ChallengeProps } from '../sign-in/PendingLogin.ts'
import { openSession } from '../sign-in/signIn.ts'
import { StepTitle } from '../sign-in/StepTitle.tsx'

/** An authenticator app for an account that must have one and has none. */
export function MfaSetupStep({ pending, onStep, onFailure, onDrop }: ChallengeProps) {
  const { setup, trouble, retry } = useMfaSetup(pending.session, onFailure)
  const [enrolled, setEnrolled] = useState<EnabledMfa>()
  if (enrolled) return <SaveCodesStep {...{ enrolled, onStep, onFailure }} loginName={pending.loginName} />
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
        <p className="muted">Each login asks for a 6-digit code from this app.</p>
      </div>
      {setup ? (
        <MfaEnrolment
          setup={setup}
          heading="h2"
          submit={enable}
          actions={(state) => (
            <div className="spread flex-wrap">
              <Button type="submit" variant="primary" {...state}>
                Verify and continue
              </Button>
              <BackToLogin onLeave={onDrop} />
            </div>
          )}
        />
      ) : (
        <>
          <SetupProgress {...{ trouble, retry }} />
          <BackToLogin onLeave={onDrop} />
        </>
      )}
    </>
  )
}

function SetupProgress({ trouble, retry }: { trouble: string | undefined; retry: () => void }) {
  if (trouble === undefined) {
    return (
      <p className="muted" role="status">
        Preparing a secret key…
      </p>
    )
  }
  return (
    <>
      <Notice tone="danger" role="alert">
        <p>{trouble}</p>
      </Notice>
      <Button icon="refresh" className="justify-self-start" onClick={retry}>
        Try again
      </Button>
    </>
  )
}

/** A secret of the server's, asked for once, and again when that went wrong. */
function useMfaSetup(session: string, onFailure: (error: unknown) => void) {
  const [setup, setSetup] = useState<MfaSetup>()
  const [trouble, setTrouble] = useState<string>()
  const [turn, setTurn] = useState(0)
  const ask = useEffectEvent(async (signal: AbortSignal) => {
    try {
      setSetup(await call(initiateMfaSetup, { body: { session }, signal }))
    } catch (error) {
      if (signal.aborted) return
      onFailure(error)
      setTrouble(toFormFailure(error).message)
    }
  })
  useEffect(() => {
    const gone = new AbortController()
    void ask(gone.signal)
    return () => gone.abort()
  }, [session, turn])
  const retry = () => {
    setTrouble(undefined)
    setTurn(turn + 1)
  }
  return { setup, trouble, retry }
}

type EnabledMfa = AnswerOf<typeof verifyAndEnableMfa> & { answered_at: number }

interface SaveCodesStepProps {
  enrolled: EnabledMfa
  loginName: string
  onStep: (step: SignInStep) => void
  onFailure: (error: unknown) => void
}

/**
 * Between a set-up that is in force and the portal: the session waits in memory until the codes are saved, for once it is
 * stored, every tab goes its way.
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
        <RecoveryCodes codes={enrolled.recovery_codes} {...{ loginName, saved }} onSaved={setSaved} />
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
