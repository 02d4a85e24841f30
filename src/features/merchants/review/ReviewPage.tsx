import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useSnapshot } from 'valtio/react'
import { ApiError } from '../../../api/ApiError.ts'
import { AccountBadge } from '../../../blocks/accounts/AccountBadge.tsx'
import { HeaderStatus } from '../../../blocks/page/FrameHeader.tsx'
import { PlainFrame } from '../../../blocks/page/PlainFrame.tsx'
import { usePageTitle } from '../../../blocks/page/usePageTitle.ts'
import type { Review } from '../../../contract/merchants/review.ts'
import { LINK_INCOMPLETE } from '../../../domain/accounts/mailedAddress.ts'
import { formatDay, formatInstant } from '../../../domain/singaporeTime.ts'
import { reviewLink } from '../../../state/mailedLink.ts'
import { Actions, Button, buttonClass } from '../../../ui/Button.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { Page, PageHeader } from '../../../ui/PageHeader.tsx'
import { Split, Stack } from '../../../ui/Panel.tsx'
import { ReviewAside, ReviewFacts } from './ReviewPanels.tsx'
import { useReview, type ReviewDeskProps, type ReviewLinkError } from './useReview.ts'

/** The page on which the provider decides on a submission. A signed link from an email opens it without a login (rule 5.8). */
export function ReviewPage() {
  usePageTitle('Review')
  const { token, opened } = useSnapshot(reviewLink)
  if (token === null) {
    return (
      <ReviewUnavailable
        title="Open the link again"
        text={`This page is for the provider. ${LINK_INCOMPLETE} Merchants log in instead.`}
        nextStep={
          <Link to="/login" className={buttonClass()}>
            Go to the login
          </Link>
        }
      />
    )
  }
  return <ReviewLoader key={opened} token={token} />
}

function ReviewLoader({ token }: { token: string }) {
  const { state, load, change } = useReview(token)
  const [ended, setEnded] = useState<ReviewLinkError>()
  if (ended) return <ReviewUnavailable {...LINK_ERROR_MESSAGES[ended]} />
  if (state.is === 'ended') return <ReviewUnavailable {...LINK_ERROR_MESSAGES[state.why]} />
  if (state.is === 'failed')
    return <ReviewUnavailable {...loadFailureMessage(state.error)} onRetry={() => void load()} />
  if (state.is === 'loading') return <PlainFrame>{null}</PlainFrame>
  return <ReviewDesk review={state.review} token={token} load={load} change={change} onEnded={setEnded} />
}

function ReviewDesk({ review, ...desk }: ReviewDeskProps) {
  return (
    <PlainFrame end={<ValidUntil at={review.link_expires_at} />} offlineNote="A decision needs a connection.">
      <Page width="desk">
        <ReviewHead review={review} />
        <Split>
          <Stack apart>
            <ReviewFacts review={review} />
          </Stack>
          <ReviewAside review={review} {...desk} />
        </Split>
      </Page>
    </PlainFrame>
  )
}

const ValidUntil = ({ at }: { at: string }) => (
  <HeaderStatus icon={ICONS.clock} className="px-2 text-muted phone:whitespace-normal">
    <span>{`Link valid until ${formatDay(new Date(at))}`}</span>
  </HeaderStatus>
)

const LINK_ERROR_MESSAGES = {
  invalid: {
    title: 'This link does not work',
    text: 'It has expired or was cut short. Open the newest link from the email; the portal’s operator can send another.',
  },
  superseded: {
    title: 'There is a newer submission',
    text: 'The merchant has submitted again since this link was sent. Open the newest link from the email.',
  },
}

const loadFailureMessage = (error: unknown) => ({
  title: 'The submission cannot be loaded',
  text: `${error instanceof ApiError ? error.statusMessage : 'Something went wrong.'} Nothing was decided.`,
})

interface ReviewUnavailableProps {
  title: string
  text: string
  nextStep?: ReactNode
  onRetry?: () => void
}

/** Says why the review cannot be shown, and what to do. */
function ReviewUnavailable({ title, text, nextStep, onRetry }: ReviewUnavailableProps) {
  return (
    <PlainFrame>
      <div className="mx-auto grid max-w-form gap-4 px-4 py-12" role="alert">
        <h1>{title}</h1>
        <p className="text-muted text-base">{text}</p>
        {nextStep && <Actions>{nextStep}</Actions>}
        {onRetry && (
          <Actions>
            <Button icon={ICONS.refresh} onClick={onRetry}>
              Try again
            </Button>
          </Actions>
        )}
      </div>
    </PlainFrame>
  )
}

const SUBJECT_LABELS = { application: 'ADHOC Merchant application', onboarding: 'HRP Merchant onboarding' } as const

function ReviewHead({ review }: { review: Review }) {
  const submitted = formatInstant(new Date(review.submitted_at))
  return (
    <>
      <PageHeader
        title={review.organisation_name}
        badge={<AccountBadge status={review.status} />}
        note={`${SUBJECT_LABELS[review.subject]}, submitted ${submitted} by ${review.submitted_by}`}
      />
      {review.same_uen.length > 0 && <SameUenNotice organisations={review.same_uen} />}
    </>
  )
}

/** Warns that other organisations have the same UEN. A company may have several accounts, so the provider decides. */
function SameUenNotice({ organisations }: { organisations: Review['same_uen'] }) {
  return (
    <Notice
      tone="warn"
      title={
        organisations.length === 1
          ? 'Another organisation has this UEN'
          : `${organisations.length} other organisations have this UEN`
      }
    >
      <ul>
        {organisations.map(({ merchant_id, organisation_name }) => (
          <li key={merchant_id}>{`${organisation_name}, merchant ID ${merchant_id}`}</li>
        ))}
      </ul>
    </Notice>
  )
}
