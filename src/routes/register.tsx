import { createFileRoute, useSearch } from '@tanstack/react-router'
import * as v from 'valibot'
import { APPLICANT_ROLES } from '../contract/accounts/permissions.ts'
import { RegisterPage } from '../features/merchants/application/RegisterPage.tsx'

export const Route = createFileRoute('/register')({
  validateSearch: v.object({
    type: v.optional(v.fallback(v.optional(v.picklist(APPLICANT_ROLES)), undefined)),
  }),
  component: Register,
})

function Register() {
  // Not `Route.useSearch`: `Route` refers to every screen, so this file would change with each release.
  const { type } = useSearch({ from: '/register' })
  return <RegisterPage role={type} />
}
