import { useState } from 'react'
import { ApiError } from '../../api/ApiError.ts'
import { PlainFrame } from '../../blocks/page/PlainFrame.tsx'
import { formatDay } from '../../domain/singaporeTime.ts'
import { Icon } from '../../ui/Icon.tsx'
import type { ReviewDeskProps } from './DeskProps.ts'
import { ReviewUnavailable } from './NoReview.tsx'
import { ReviewAside } from '../merchants/review/ReviewAside.tsx'
import { ReviewFacts } from '../merchants/review/ReviewFacts.tsx'
import { ReviewHead } from './ReviewHead.tsx'
import { useReview } from '../merchants/review/useReview.ts'
import type { ReviewLinkError } from './whyEnded.ts'

export function ReviewLoader({ token }: { token: string }) {
  const { state, load, change } = useReview(token)
  const [ended, setEnded] = useState<ReviewLinkError>()
  if (ended) return <ReviewUnavailable {...LINK_ERROR_MESSAGES[ended]} />
  if (state.is === 'ended') return <ReviewUnavailable {...LINK_ERROR_MESSAGES[state.why]} />
  if (state.is === 'failed')
    return <ReviewUnavailable {...loadFailureMessage(state.error)} onRetry={() => void load()} />
  if (state.is === 'loading') return <PlainFrame>{null}</PlainFrame>
  return <ReviewDesk review={state.review} {...{ token, load, change }} onEnded={setEnded} />
}

function ReviewDesk({ review, ...desk }: ReviewDeskProps) {
  return (
    <PlainFrame end={<ValidUntil at={review.link_expires_at} />} offline="A decision needs a connection.">
      <div className="main">
        <div className="page at-desk">
          <ReviewHead review={review} />
          <div className="split desk">
            <div className="stack">
              <ReviewFacts review={review} />
            </div>
            <ReviewAside review={review} {...desk} />
          </div>
        </div>
      </div>
    </PlainFrame>
  )
}

const ValidUntil = ({ at }: { at: string }) => (
  <span className="line">
    <Icon name="clock" />
    <span>Link valid until {formatDay(new Date(at))}</span>
  </span>
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
