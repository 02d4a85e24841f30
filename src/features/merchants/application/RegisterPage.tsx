import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ConnectivityState } from '../../../blocks/connectivity/ConnectivityState.tsx'
import { PlainFrame } from '../../../blocks/page/PlainFrame.tsx'
import { usePageTitle } from '../../../blocks/page/usePageTitle.ts'
import { APPLICANT_ROLES, type ApplicantRole } from '../../../contract/accounts/permissions.ts'
import { formatAsOf } from '../../../domain/singaporeTime.ts'
import { Actions, buttonClass } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { Page, PageHeader } from '../../../ui/PageHeader.tsx'
import { WhatYouNeed } from '../onboarding/WhatYouNeed.tsx'
import { useStoredApplication } from './applicationDraft.ts'
import { ApplicationForm } from './ApplicationForm.tsx'
import { ROLE_TEXTS } from './roleTexts.ts'

/** The page /register: the choice of a role, the application, and what happens next. */
export function RegisterPage({ role }: { role: ApplicantRole | undefined }) {
  const [sent, setSent] = useState<ApplicantRole>()
  return (
    <PlainFrame
      end={<ConnectivityState />}
      offlineNote="What you type is kept on this device. Sending it needs a connection."
    >
      <Page width="form">
        {sent ? (
          <CheckEmail role={sent} />
        ) : role ? (
          <ApplicationForm key={role} role={role} onSent={() => setSent(role)} />
        ) : (
          <RoleChoice />
        )}
      </Page>
    </PlainFrame>
  )
}

/** Shown after the application is accepted. The text does not reveal whether the email is known (SGN-01). */
function CheckEmail({ role }: { role: ApplicantRole }) {
  usePageTitle('Check your email')
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <div className="grid justify-items-center gap-2 px-6 py-10 text-center" data-empty>
      <Icon drawing={ICONS.ok} size="large" className="text-muted" />
      <h1 ref={title} tabIndex={-1}>
        Check your email
      </h1>
      <p className="max-w-[26rem] text-muted">{ROLE_TEXTS[role].sent}</p>
      <p className="max-w-[26rem] text-muted">Nothing after a few minutes? Look in the spam folder.</p>
      {role === 'hrp' && <WhatYouNeed />}
      <Actions className="mt-2">
        <Link to="/login" className={buttonClass()}>
          Go to login
        </Link>
      </Actions>
    </div>
  )
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
