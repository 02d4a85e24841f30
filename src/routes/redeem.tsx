import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { RedeemPage } from '../features/redeem/RedeemPage.tsx'

export const Route = createFileRoute('/redeem')({
  validateSearch: v.object({ view: v.fallback(v.optional(v.picklist(['day'])), undefined) }),
  component: Redeem,
})

function Redeem() {
  const { view } = Route.useSearch()
  return <RedeemPage view={view} />
}
