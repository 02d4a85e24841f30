import { createFileRoute, redirect as toAddress } from '@tanstack/react-router'
import { ReviewPage } from '../features/merchants/review/ReviewPage.tsx'
import { storeReviewToken } from '../state/mailedLink.ts'

export const Route = createFileRoute('/review')({
  // The token leaves the address bar before anything is shown or loaded: no history, screenshot or referrer may contain it.
  beforeLoad: ({ location }) => {
    if (storeReviewToken(location.hash)) throw toAddress({ to: '/review', hash: '', replace: true })
  },
  component: ReviewPage,
})
