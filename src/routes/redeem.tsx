import { createFileRoute, useSearch } from '@tanstack/react-router'
import * as v from 'valibot'
import { RedeemPage } from '../features/redemptions/RedeemPage.tsx'

export const Route = createFileRoute('/redeem')({
  validateSearch: v.object({
    view: v.fallback(v.optional(v.picklist(['day', 'practise'])), undefined),
    /** The code of an enrolment, from a QR code on the page Tills. */
    code: v.fallback(v.optional(v.pipe(v.string(), v.maxLength(20))), undefined),
  }),
  component: Redeem,
})

function Redeem() {
  // Not `Route.useSearch`: `Route` refers to every screen, so this file would change with each release.
  const { view, code } = useSearch({ from: '/redeem' })
  return <RedeemPage view={view} code={code} />
}
