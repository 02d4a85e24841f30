import { createFileRoute } from '@tanstack/react-router'
import { TERMS_AND_CONDITIONS } from '../domain/legal/termsAndConditions.ts'
import { LegalPage } from '../features/legal/LegalPage.tsx'
import { TermsPdfLink } from '../features/legal/TermsPdfLink.tsx'

export const Route = createFileRoute('/terms-and-conditions')({
  component: () => <LegalPage document={TERMS_AND_CONDITIONS} actions={<TermsPdfLink />} />,
})
