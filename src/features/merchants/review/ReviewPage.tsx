import { useSnapshot } from 'valtio/react'
import { usePageTitle } from '../../../blocks/page/usePageTitle.ts'
import { reviewLink } from '../../../state/mailedLink.ts'
import { ReviewUnavailable } from '../../review/NoReview.tsx'
import { ReviewLoader } from '../../review/ReviewRoom.tsx'

/** The provider's desk, opened by the signed link of a mail; who is logged in here does not matter (DESIGN §2). */
export function ReviewPage() {
  usePageTitle('Review')
  const { token, opened } = useSnapshot(reviewLink)
  if (token === null) {
    return (
      <ReviewUnavailable
        title="Open the link again"
        text="This page needs the link from the email, and does not keep it."
      />
    )
  }
  return <ReviewLoader key={opened} token={token} />
}
