import { createFileRoute, redirect as toAddress } from '@tanstack/react-router'
import { ReviewPage } from '../features/merchants/review/ReviewPage.tsx'
import { storeReviewToken } from '../state/mailedLink.ts'

export const Route = createFileRoute('/review')({
  // Out of the address bar before anything is shown or asked: neither history, screenshot nor referrer may keep it.
  beforeLoad: ({ location }) => {
    if (storeReviewToken(location.hash)) throw toAddress({ to: '/review', hash: '', replace: true })
  },
  component: ReviewPage,
})
