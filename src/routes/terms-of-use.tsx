import { createFileRoute } from '@tanstack/react-router'
import { TERMS_OF_USE } from '../domain/legal/termsOfUse.ts'
import { LegalPage } from '../features/legal/LegalPage.tsx'

export const Route = createFileRoute('/terms-of-use')({
  component: () => <LegalPage document={TERMS_OF_USE} />,
})
