import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../api/ApiError.ts'
import { call } from '../../../api/call.ts'
import { ConnectivityState } from '../../../blocks/connectivity/ConnectivityState.tsx'
import { NeedsConnection } from '../../../blocks/connectivity/OnlineLink.tsx'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import { PlainFrame } from '../../../blocks/page/PlainFrame.tsx'
import { usePageTitle } from '../../../blocks/page/usePageTitle.ts'
import { APPLICANT_ROLES, type ApplicantRole } from '../../../contract/accounts/permissions.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { resendApplicationMail } from '../../../contract/merchants/signup.ts'
import { formatAsOf, formatTime } from '../../../domain/singaporeTime.ts'
import { Actions, Button, buttonClass } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { Page, PageHeader } from '../../../ui/PageHeader.tsx'
import { WhatYouNeed } from '../onboarding/WhatYouNeed.tsx'
import { useStoredApplication } from './applicationDraft.ts'
import { ApplicationForm, type SentApplication } from './ApplicationForm.tsx'
import { ROLE_TEXTS } from './roleTexts.ts'

/** The page /register: the choice of a role, the application, and what happens next. */
export function RegisterPage({ role }: { role: ApplicantRole | undefined }) {
  const [sent, setSent] = useState<SentApplication>()
  return (
    <PlainFrame
      end={<ConnectivityState />}
      offlineNote="What you type is kept on this device. Sending it needs a connection."
    >
      <Page width="form">
        {sent ? (
          <CheckEmail application={sent} />
        ) : role ? (
          <ApplicationForm key={role} role={role} onSent={setSent} />
        ) : (
          <RoleChoice />
        )}
      </Page>
    </PlainFrame>
  )
}

/** Shown after the application is accepted. It names the email that was typed, and does not reveal whether it is known (SGN-01). */
function CheckEmail({ application: { id, role, email } }: { application: SentApplication }) {
  usePageTitle('Check your email')
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <div className="grid justify-items-center gap-2 px-6 py-10 text-center" data-empty>
      <Icon drawing={ICONS.ok} size="large" className="text-muted" />
      <h1 ref={title} tabIndex={-1}>
        Check your email
      </h1>
      <p className="max-w-[26rem]">
        <span>We wrote to </span>
        <b className="font-strong wrap-anywhere" translate="no">
          {email}
        </b>
      </p>
      <p className="max-w-[26rem] text-muted">{ROLE_TEXTS[role].sent}</p>
      <SendAgain id={id} />
      {role === 'hrp' && <WhatYouNeed />}
      <Actions className="mt-2">
        <Link to="/login" className={buttonClass()}>
          Go to login
        </Link>
      </Actions>
    </div>
  )
}

/** Mails the applicant again, and says when that is possible once more. */
function SendAgain({ id }: { id: string }) {
  const offline = useOffline()
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState('Nothing after a few minutes? Look in the spam folder, or send it again.')
  const [isBlocked, setBlocked] = useState(false)
  const send = async () => {
    setBusy(true)
    const { text, waitSeconds } = await sendAgain(id)
    setResult(text)
    setBusy(false)
    setBlocked(waitSeconds > 0)
    if (waitSeconds > 0) setTimeout(() => setBlocked(false), waitSeconds * 1_000)
  }
  return (
    <>
      <p className="max-w-[26rem] text-muted" role="status">
        {result}
      </p>
      <Button busy={busy} aria-disabled={offline || isBlocked || undefined} onClick={() => void send()}>
        Send the email again
      </Button>
      <NeedsConnection />
    </>
  )
}

/** Returns what to tell the person, and how long they wait before the next time. */
async function sendAgain(id: string): Promise<{ text: string; waitSeconds: number }> {
  const nextTime = (seconds: number) =>
    `You can send it again from ${formatTime(new Date(Date.now() + seconds * 1_000))}. Look in the spam folder meanwhile.`
  const waitSeconds = LIMITS.resendMinutes * 60
  try {
    await call(resendApplicationMail, { body: { id } })
    return { text: `Sent again at ${formatTime(new Date())}. ${nextTime(waitSeconds)}`, waitSeconds }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code !== 'TOO_MANY_ATTEMPTS') return { text: error.statusMessage, waitSeconds: 0 }
    const left = error.retryAfterSeconds ?? waitSeconds
    return { text: nextTime(left), waitSeconds: left }
  }
}

/** The page /register without a role in the URL. */
function RoleChoice() {
  usePageTitle('Create new account')
  return (
    <>
      <PageHeader title="Create new account" note="Which kind of merchant do you apply as?" />
      <ContinueApplication />
      <ul className="grid gap-4">
        {APPLICANT_ROLES.map((type) => (
          <li key={type}>
            <Link
              to="/register"
              search={{ type }}
              className="flex min-h-[6rem] items-center justify-between gap-4 rounded-2 border border-border-control px-6 py-4 text-text no-underline hover:bg-surface-hover"
            >
              <span className="grid gap-1">
                <b className="text-base font-strong">{ROLE_TEXTS[type].name}</b>
                <span className="text-muted">{ROLE_TEXTS[type].line}</span>
              </span>
              <Icon drawing={ICONS.right} />
            </Link>
          </li>
        ))}
      </ul>
      <p className="text-muted mt-6">
        Already have an account? <Link to="/login">Login</Link>
      </p>
    </>
  )
}

/** Offers to continue an unfinished application, if this device has its draft. */
function ContinueApplication() {
  const stored = useStoredApplication()
  if (!stored) return null
  const { role, savedAt, readAt } = stored
  return (
    <Notice
      role="status"
      icon={ICONS.ok}
      action={
        <Link to="/register" search={{ type: role }} className={buttonClass()}>
          Continue
        </Link>
      }
    >
      <p>{`There is a draft of ${formatAsOf(savedAt, readAt)} on this device, as ${ROLE_TEXTS[role].name}.`}</p>
    </Notice>
  )
}
