import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { APPLICANT_ROLES } from '../contract/application.ts'
import { RegisterPage } from '../features/register/RegisterPage.tsx'

export const Route = createFileRoute('/register')({
  validateSearch: v.object({
    type: v.optional(v.fallback(v.optional(v.picklist(APPLICANT_ROLES)), undefined)),
  }),
  component: Register,
})

function Register() {
  const { type } = Route.useSearch()
  return <RegisterPage role={type} />
}
