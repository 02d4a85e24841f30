import { createFileRoute, useSearch } from '@tanstack/react-router'
import * as v from 'valibot'
import { RedeemPage } from '../features/redemptions/RedeemPage.tsx'

export const Route = createFileRoute('/redeem')({
  validateSearch: v.object({
    view: v.fallback(v.optional(v.literal('day')), undefined),
  }),
  component: Redeem,
})

function Redeem() {
  // Not `Route.useSearch`: `Route` refers to every screen, so this file would change with each release.
  const { view } = useSearch({ from: '/redeem' })
  return <RedeemPage view={view} />
}
